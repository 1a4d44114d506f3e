import { logLines } from '@homeport/contract/apps/facts';
import { appMissingText, isMeantToRun } from '@homeport/contract/apps/health';
import { closedTexts } from '@homeport/contract/servers/closed';
import { lazy, Suspense, useState } from 'react';
import { LogPlaceholder } from '../../logs/LogPlaceholder.tsx';
import type { LogFeed } from '../../logs/log-feed.ts';
import { classNames } from '../../ui/class-names.ts';
import { NothingYet } from '../../ui/feedback/States.tsx';
import controlsStyles from '../../ui/form/controls.module.css';
import { Panel } from '../../ui/layout/Panel.tsx';
import type { LogState } from '../../ui/log/log-lines.ts';
import type { AppPlace } from '../on-server/app-place.ts';
import { useOnServer } from '../on-server/use-on-server.ts';

const LogBox = lazy(async () => ({ default: (await import('../../logs/LogBox.tsx')).LogBox }));

/** Which part of the log the panel reads. */
export interface LogChoice {
  /** The number of past lines from each container. */
  lines: number;
  process: string | undefined;
}

export const firstChoice: LogChoice = { lines: logLines.first, process: undefined };
const lineChoices = [logLines.first, 1_000, 10_000, logLines.most];

export interface LogsPanelProps {
  place: AppPlace;
  feed: LogFeed;
  choice: LogChoice;
  onChoose: (choice: LogChoice) => void;
  onRetry: () => void;
}

/** The app's log, live. */
export function LogsPanel({ place, feed, choice, onChoose, onRetry }: LogsPanelProps) {
  const { app } = place;
  const closed = closedTexts(place.server)?.ask;
  const readable = isMeantToRun(app) && closed === undefined;
  const [held, setHeld] = useState<LogState | null>(null);
  const processes = useProcesses(place, choice.process);
  const choose = (changed: Partial<LogChoice>) => {
    setHeld(null);
    onChoose({ ...choice, ...changed });
  };
  return (
    <Panel
      title="Logs"
      id="logs"
      body="flush"
      actions={
        readable && (
          <>
            {processes.length > 1 && (
              <select
                className={classNames(controlsStyles.select, controlsStyles.compact)}
                aria-label="Process"
                value={choice.process ?? ''}
                onChange={({ currentTarget: { value } }) => choose({ process: value || undefined })}
              >
                <option value="">All processes</option>
                {processes.map((name) => (
                  <option key={name}>{name}</option>
                ))}
              </select>
            )}
            <select
              className={classNames(controlsStyles.select, controlsStyles.compact)}
              aria-label="Lines to begin with"
              value={choice.lines}
              onChange={({ currentTarget: { value } }) => choose({ lines: Number(value) })}
            >
              {lineChoices.map((lines) => (
                <option key={lines} value={lines}>
                  Last {lines.toLocaleString('en')} lines
                </option>
              ))}
            </select>
          </>
        )
      }
    >
      {readable ? (
        <Suspense fallback={<LogPlaceholder />}>
          <LogBox
            label={`log of ${app.name}`}
            feed={feed}
            held={held}
            times
            empty="The app has written nothing yet"
            onRetry={onRetry}
            saveAs={[app.longname, choice.process].filter(Boolean).join('-')}
            onHold={setHeld}
          />
        </Suspense>
      ) : (
        <NothingYet>{closed ?? whyNoLog(app)}</NothingYet>
      )}
    </Panel>
  );
}

function whyNoLog({ missingSince, stopped }: AppPlace['app']): string {
  if (missingSince !== null) return appMissingText;
  return stopped
    ? 'The app is stopped. Its log is read again once it runs.'
    : 'The app writes its log from the first deploy on.';
}

/** The kinds of process that the server runs for the app: `web` stands for `web.1` and `web.2`. */
function useProcesses(place: AppPlace, chosen: string | undefined): string[] {
  const { state } = useOnServer('GET /api/apps/:id/system', place, 'logs');
  const running =
    state.kind === 'ready' ? state.data.processes.map(({ name }) => name.split('.')[0] ?? name) : [];
  return [...new Set([...running, ...(chosen === undefined ? [] : [chosen])])];
}
