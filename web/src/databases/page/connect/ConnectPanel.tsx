import { databaseTypeOf } from '@homeport/contract/databases/types/database-types';
import { Button } from '../../../ui/button/Button.tsx';
import { CodeLine } from '../../../ui/button/CodeLine.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Banner } from '../../../ui/feedback/Banner.tsx';
import { Badge } from '../../../ui/feedback/Status.tsx';
import controlsStyles from '../../../ui/form/controls.module.css';
import layout from '../../../ui/layout/layout.module.css';
import { Panel } from '../../../ui/layout/Panel.tsx';
import typography from '../../../ui/text/typography.module.css';
import { portPair } from '../../exposure-text.ts';
import type { DatabaseDialog } from '../database-dialog.ts';
import type { DatabasePlace } from '../database-place.ts';
import { ConnectionLine } from './ConnectionLine.tsx';
import { outsideOf } from './outside-text.ts';
import { type Tunnel, tunnelTo } from './tunnel-command.ts';
import { useConnectionStrings } from './use-connection-strings.ts';

export interface ConnectPanelProps {
  place: DatabasePlace;
  /** Why nothing can be changed now. */
  refusal: string | null;
  onOpen: (dialog: DatabaseDialog) => void;
}

/** How apps, other machines and the person reach the database. */
export function ConnectPanel(props: ConnectPanelProps) {
  const { database } = props.place;
  const isExposed = database.ports.length > 0;
  return (
    <Panel
      title="Connect"
      actions={
        database.exposureFails ? (
          <Badge tone="warn" icon="warning">
            Exposed, not reachable
          </Badge>
        ) : isExposed ? (
          <Badge tone="info" icon="network">
            Exposed
          </Badge>
        ) : (
          <Badge icon="lock">Not exposed</Badge>
        )
      }
    >
      {/* Other ports have another connection string from outside, so what was read is forgotten. */}
      <Ways key={database.ports.map(portPair).join()} {...props} />
    </Panel>
  );
}

function Ways({ place, refusal, onOpen }: ConnectPanelProps) {
  const { database, server } = place;
  const { strings, busy, failure, read } = useConnectionStrings(database);
  const [exposed] = database.ports;
  const tunnel = server.simulated ? null : tunnelTo(database, server);
  return (
    <div className={classNames(layout.stack, layout.gap5)}>
      {failure !== null && (
        <Banner tone="bad">
          <p>The connection string was not read. {failure}</p>
        </Banner>
      )}
      <ConnectionLine
        label={`From apps on ${server.name}`}
        help="Only reachable inside the server. A link puts it into a variable of the app."
        url={strings?.internal ?? null}
        read={async () => (await read()).internal}
        busy={busy}
      />
      {exposed ? (
        (strings?.external ?? [{ address: '', url: null }]).map(({ address, url }, index) => (
          <ConnectionLine
            key={address}
            {...outsideOf(exposed.address, server)}
            url={url}
            read={async () => (await read()).external[index]?.url ?? noExternal()}
            busy={busy}
          />
        ))
      ) : (
        <div className={controlsStyles.field}>
          <span className={controlsStyles.label}>From anywhere else</span>
          <div className={classNames(layout.row, layout.wrap, layout.spaceBetween)}>
            <span className={classNames(typography.small, typography.muted)}>
              Not exposed: no port of {server.name} leads to it.
            </span>
            <Button
              size="sm"
              icon="network"
              disabledReason={refusal}
              onClick={() => onOpen({ kind: 'expose' })}
            >
              Expose
            </Button>
          </div>
        </div>
      )}
      {database.exposureFails && (
        <Banner tone="warn">
          <p>
            {server.name} says that the port is open, and Docker does not lead to the database, so connections
            from outside fail. Close the port and expose the database again. If it fails again on Docker 29 or
            later, Docker must keep its old link variables: set{' '}
            <code>DOCKER_KEEP_DEPRECATED_LEGACY_LINKS_ENV_VARS=1</code> for its service and restart it.
          </p>
        </Banner>
      )}
      {tunnel && <TunnelLine tunnel={tunnel} hasPassword={databaseTypeOf(database.type).hasPassword} />}
    </div>
  );
}

function TunnelLine({ tunnel, hasPassword }: { tunnel: Tunnel; hasPassword: boolean }) {
  return (
    <details>
      <summary className={typography.small}>From your machine, through SSH</summary>
      <div className={classNames(layout.stack, layout.gap2, layout.below)}>
        <CodeLine text={tunnel.command} what="tunnel command" />
        <p className={controlsStyles.help}>
          While it runs, connect to <span className={typography.monospace}>{tunnel.local}</span>
          {hasPassword && ', with the user, the password and the database of the connection string'}. Nobody
          else gets in.
        </p>
      </div>
    </details>
  );
}

function noExternal(): never {
  throw new Error('The server names no connection string for this port.');
}
