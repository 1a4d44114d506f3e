import type { Server } from '@homeport/contract/servers/schema';
import { Button } from '../../../ui/button/Button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Banner } from '../../../ui/feedback/Banner.tsx';
import layout from '../../../ui/layout/layout.module.css';
import typography from '../../../ui/text/typography.module.css';
import { useGlobalDomain } from '../use-global-domain.ts';
import styles from './GlobalDomainBanner.module.css';

/** Asks whether the global domain that linking found stays. Gone with the answer. */
export function GlobalDomainBanner({ server }: { server: Server }) {
  const { look, keep, keeping, replace, replacing } = useGlobalDomain(server);
  if (!look || server.globalDomains?.kept) return null;
  return (
    <Banner>
      <div className={classNames(layout.stack, layout.gap2, styles.question)}>
        <p>{look.title}</p>
        <ul className={classNames(styles.choices, typography.small)}>
          <li>{look.keep}</li>
          {look.replace !== null && <li>{look.replace}</li>}
        </ul>
        <div className={classNames(layout.row, layout.wrap)}>
          <Button
            className={styles.choice}
            busy={keeping}
            busyLabel="Saving"
            disabled={replacing}
            onClick={keep}
          >
            Keep {look.found}
          </Button>
          {look.replace !== null && (
            <Button
              className={styles.choice}
              busy={replacing}
              busyLabel="Starting"
              disabled={keeping}
              onClick={replace}
            >
              Use {look.wanted} for new apps
            </Button>
          )}
        </div>
      </div>
    </Banner>
  );
}
