import type { DokkuFault } from '@homeport/contract/servers/dokku-versions';
import type { Server } from '@homeport/contract/servers/schema';
import { simulatedTexts } from '@homeport/contract/servers/simulated';
import { problemText } from '../../../data/problem-text.ts';
import { Button } from '../../../ui/button/Button.tsx';
import { CodeLine, ExternalLink } from '../../../ui/button/CodeLine.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Banner } from '../../../ui/feedback/Banner.tsx';
import layout from '../../../ui/layout/layout.module.css';
import { formatWhen } from '../../../ui/text/format.ts';
import typography from '../../../ui/text/typography.module.css';
import { useNow } from '../../../ui/text/use-now.ts';
import type { SettingsDialog } from '../settings/Settings.tsx';
import type { ServerStatsView } from '../use-server-stats.ts';
import { dokkuAdvice } from './dokku-advice.ts';
import { GlobalDomainBanner } from './GlobalDomainBanner.tsx';
import { PluginBanner } from './PluginBanner.tsx';
import { ReadOnlyBanner } from './ReadOnlyBanner.tsx';
import styles from './ServerBanners.module.css';
import { SetupBanner } from './SetupBanner.tsx';

export interface ServerBannersProps {
  server: Server;
  view: ServerStatsView;
  onOpen: (dialog: SettingsDialog) => void;
}

/** Banners above the page. Each stays as long as its cause. */
export function ServerBanners({ server, view, onOpen }: ServerBannersProps) {
  const now = useNow(60_000);
  const { stats, status, error, retry } = view;
  const isReadOnly = server.credential === null && !server.simulated;
  const advice = dokkuAdvice(server.dokkuVersion);
  const shownFrom = stats ? formatWhen(stats.update_time, now) : null;
  return (
    <>
      {isReadOnly ? (
        <ReadOnlyBanner reports={Boolean(stats)} onOpen={onOpen} />
      ) : (
        server.setup !== 'ready' && <SetupBanner server={server} />
      )}
      {error ? (
        <Banner tone="warn" action={<Button onClick={retry}>Try again</Button>}>
          <p>
            {shownFrom
              ? `Stats could not be loaded. Showing the values from ${shownFrom}.`
              : 'Stats could not be loaded.'}
          </p>
          <p className={typography.small}>{problemText(error)}</p>
        </Banner>
      ) : (
        status === 'offline' && (
          <Banner tone="warn">
            <p>Last stats {shownFrom}</p>
          </Banner>
        )
      )}
      {server.simulated && (
        <Banner>
          <p>{simulatedTexts.reports}</p>
        </Banner>
      )}
      {server.sandbox && (
        <Banner>
          <p>
            This server runs the Dokku sandbox, a stand-in for tests and the demo. It isolates nothing: what
            is pushed runs as an ordinary process.
          </p>
        </Banner>
      )}
      {server.globalDomains && !isReadOnly && <GlobalDomainBanner server={server} />}
      <PluginBanner server={server} />
      {advice && (
        <Banner tone={advice.tone}>
          <div className={classNames(layout.stack, layout.gap2)}>
            <p>{advice.text}</p>
            {advice.faults.length > 0 && <DokkuFaults faults={advice.faults} />}
            <CodeLine text={advice.command} what="upgrade command" />
          </div>
        </Banner>
      )}
    </>
  );
}

/** Each known fault, with a link to the change that fixes it. There its author describes the fault. */
function DokkuFaults({ faults }: { faults: readonly DokkuFault[] }) {
  return (
    <details>
      <summary className={typography.small}>Known faults</summary>
      <ul className={classNames(styles.faults, typography.small)}>
        {faults.map(({ kind, text, fixedIn, source, cve }) => (
          <li key={source}>
            <strong>{kind === 'security' ? 'Security' : 'Data loss'}</strong>: {text} Fixed in {fixedIn}:{' '}
            <ExternalLink href={source}>{cve ?? `dokku #${source.split('/').at(-1)}`}</ExternalLink>
          </li>
        ))}
      </ul>
    </details>
  );
}
