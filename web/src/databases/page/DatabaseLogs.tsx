import { databaseLogLines } from '@homeport/contract/databases/facts';
import { closedTexts } from '@homeport/contract/servers/closed';
import { lazy, Suspense, useState } from 'react';
import { LogPlaceholder } from '../../logs/LogPlaceholder.tsx';
import { useLogFeed, useLogLink } from '../../logs/use-log-feed.ts';
import { useConnect } from '../../on-server/use-connect.ts';
import { useSeen } from '../../on-server/use-seen.ts';
import { Button } from '../../ui/button/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Banner } from '../../ui/feedback/Banner.tsx';
import { NothingYet } from '../../ui/feedback/States.tsx';
import controlsStyles from '../../ui/form/controls.module.css';
import { Panel } from '../../ui/layout/Panel.tsx';
import type { LogState } from '../../ui/log/log-lines.ts';
import type { DatabasePlace } from './database-place.ts';

const LogBox = lazy(async () => ({ default: (await import('../../logs/LogBox.tsx')).LogBox }));

const lineChoices = [databaseLogLines.first, 1_000, 10_000, databaseLogLines.most];

/** The database's log, live. A container that does not run has a log that no longer grows; a missing one has none. */
export function DatabaseLogs({ place: { database, server, status } }: { place: DatabasePlace }) {
  const [lines, setLines] = useState<number>(databaseLogLines.first);
  const [round, setRound] = useState(0);
  const [held, setHeld] = useState<LogState | null>(null);
  const seen = useSeen('logs');
  const reason = closedTexts(server)?.ask ?? whyNoLog[status];
  const grows = status === 'online' || status === 'restarting' || status === 'server-offline';
  const feed = useLogFeed(
    { route: 'GET /api/databases/:id/logs', id: database.id, lines },
    !seen || reason !== undefined ? 'not' : grows ? 'on' : 'once',
    `${round} ${status}`,
  );
  const link = useLogLink(feed);
  const openAgain = () => setRound((before) => before + 1);
  const connect = useConnect(server, openAgain);
  return (
    <Panel
      title="Logs"
      id="logs"
      body="flush"
      actions={
        reason === undefined && (
          <select
            className={classNames(controlsStyles.select, controlsStyles.compact)}
            aria-label="Lines to begin with"
            value={lines}
            onChange={({ currentTarget: { value } }) => {
              setHeld(null);
              setLines(Number(value));
            }}
          >
            {lineChoices.map((count) => (
              <option key={count} value={count}>
                Last {count.toLocaleString('en')} lines
              </option>
            ))}
          </select>
        )
      }
    >
      {reason !== undefined ? (
        <NothingYet>{reason}</NothingYet>
      ) : (
        <>
          {link.kind === 'unconnected' && (
            <Banner
              action={
                <Button
                  size="sm"
                  icon="link"
                  busy={connect.busy}
                  busyLabel="Connecting"
                  onClick={connect.run}
                >
                  Connect
                </Button>
              }
            >
              <p>{link.declined ? `Connect to ${server.name} to see the log.` : link.message}</p>
            </Banner>
          )}
          <Suspense fallback={<LogPlaceholder />}>
            <LogBox
              label={`log of ${database.name}`}
              feed={feed}
              held={held}
              over={!grows}
              empty="The database has written nothing yet"
              onRetry={openAgain}
              saveAs={database.longname}
              onHold={setHeld}
            />
          </Suspense>
        </>
      )}
    </Panel>
  );
}

/** Why there is no log to read. */
const whyNoLog: Partial<Record<DatabasePlace['status'], string>> = {
  missing: 'The container of the database was removed, and its log with it. A start makes a new container.',
  created: 'The container of the database never started, so it has written nothing.',
};
