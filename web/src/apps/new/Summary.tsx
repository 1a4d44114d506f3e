import { planOf } from '@homeport/contract/plans';
import { Button } from '../../ui/Button.tsx';
import { formatMoney } from '../../ui/format.ts';
import { Panel } from '../../ui/Panel.tsx';

export interface SummaryProps {
  name: string;
  serverName: string | null;
  plan: number;
  domain: string | null;
  https: boolean;
  /** What is done while the button waits: "Connecting", "Creating". */
  busyLabel: string | null;
}

export function Summary({ name, serverName, plan, domain, https, busyLabel }: SummaryProps) {
  const { priceCents } = planOf(plan);
  const open = <span className="subtle">not chosen</span>;
  return (
    <aside className="appsum" aria-label="Summary">
      <Panel title="Summary" line={false}>
        <div className="stack g5">
          <dl className="dl">
            <dt>App</dt>
            <dd>{name.trim() || open}</dd>
            <dt>Server</dt>
            <dd>{serverName ?? open}</dd>
            <dt>Plan</dt>
            <dd>Plan {plan}</dd>
            <dt>Domain</dt>
            <dd>{domain ?? open}</dd>
            <dt>HTTPS</dt>
            <dd>{https ? 'On' : 'Off'}</dd>
          </dl>
          <div className="row between total">
            <span className="sm muted">Price</span>
            <span className="price">
              {formatMoney(priceCents)} <small>{priceCents === 0 ? 'limit 2' : 'a month'}</small>
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
          <p className="xs subtle">Creation takes one to three minutes. You will see the log as it runs.</p>
        </div>
      </Panel>
    </aside>
  );
}
