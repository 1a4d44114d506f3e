import { planOf } from '@homeport/contract/apps/plans';
import { Button } from '../../ui/button/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { SubmitFoot } from '../../ui/form/SubmitFoot.tsx';
import definitionsStyles from '../../ui/layout/definitions.module.css';
import layout from '../../ui/layout/layout.module.css';
import { Panel } from '../../ui/layout/Panel.tsx';
import { formatMoney } from '../../ui/text/format.ts';
import typography from '../../ui/text/typography.module.css';
import { DomainPreview } from './DomainPreview.tsx';
import styles from './Summary.module.css';

export interface SummaryProps {
  name: string;
  serverName: string | null;
  plan: number;
  /** The default one. */
  domain: string | null;
  ownDomain: string | null;
  https: boolean;
  /** The work that the button waits for: "Connecting", "Creating". */
  busyLabel: string | null;
}

export function Summary({ name, serverName, plan, domain, ownDomain, https, busyLabel }: SummaryProps) {
  const { priceCents } = planOf(plan);
  const open = <span className={typography.subtle}>not chosen</span>;
  return (
    <aside className={styles.summary} aria-label="Summary">
      <Panel title="Summary" line={false}>
        <div className={classNames(layout.stack, layout.gap5)}>
          <dl className={classNames(definitionsStyles.list, styles.facts)}>
            <dt>App</dt>
            <dd>{name.trim() || open}</dd>
            <dt>Server</dt>
            <dd>{serverName ?? open}</dd>
            <dt>Plan</dt>
            <dd>Plan {plan}</dd>
            <dt>Domain</dt>
            <dd>
              {ownDomain !== null ? (
                <DomainPreview domain={ownDomain} own />
              ) : domain === null ? (
                open
              ) : (
                <DomainPreview domain={domain} />
              )}
            </dd>
            <dt>HTTPS</dt>
            <dd>{https ? 'On' : 'Off'}</dd>
          </dl>
          <SubmitFoot>
            <div className={classNames(layout.row, layout.spaceBetween, styles.total)}>
              <span className={classNames(typography.small, typography.muted)}>Price</span>
              <span className={styles.price}>
                {formatMoney(priceCents)} <small>{priceCents === 0 ? 'limit 2' : 'a month elsewhere'}</small>
              </span>
            </div>
            <Button
              type="submit"
              variant="primary"
              size="lg"
              block
              busy={busyLabel !== null}
              {...(busyLabel ? { busyLabel } : {})}
            >
              Create app
            </Button>
          </SubmitFoot>
          <p className={classNames(typography.extraSmall, typography.subtle)}>
            The price is what the same size costs elsewhere. Creation takes one to three minutes. You will see
            the log as it runs.
          </p>
        </div>
      </Panel>
    </aside>
  );
}
