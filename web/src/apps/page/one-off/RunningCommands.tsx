import { canBeStopped } from '@homeport/contract/apps/one-off/facts';
import type { RunningCommands as Running } from '@homeport/contract/apps/one-off/schema';
import type { App } from '@homeport/contract/apps/schema';
import { isOver } from '@homeport/contract/operations/facts';
import type { Operation } from '@homeport/contract/operations/schema';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callOnServer } from '../../../connections/call-on-server.ts';
import { problemText } from '../../../data/problem-text.ts';
import { onServerKey } from '../../../data/query-keys.ts';
import { useAct } from '../../../data/use-api.ts';
import { openOperation } from '../../../operations/open-operation.ts';
import { NotLoaded } from '../../../page-frame/NotLoaded.tsx';
import { Button } from '../../../ui/button/Button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { NothingYet } from '../../../ui/feedback/States.tsx';
import { toast } from '../../../ui/feedback/toasts.ts';
import layout from '../../../ui/layout/layout.module.css';
import panelStyles from '../../../ui/layout/panel.module.css';
import settingsListStyles from '../../../ui/layout/settings-list.module.css';
import { LogView } from '../../../ui/log/LogView.tsx';
import { useFirstRows } from '../../../ui/table/use-first-rows.tsx';
import { Time } from '../../../ui/text/Time.tsx';
import typography from '../../../ui/text/typography.module.css';
import { useLastOperation } from '../../on-server/use-last-operation.ts';
import styles from './RunningCommands.module.css';

const route = 'GET /api/apps/:id/commands';

/** A command that began or ended changes what the server lists. */
const isCommand = ({ kind, state }: Operation) =>
  (kind === 'app.run' && state !== 'queued') || (kind === 'app.run-stop' && isOver(state));

/** The containers of the app's one-off commands, asked for while somebody looks. */
export function RunningCommands({ app }: { app: App }) {
  const client = useQueryClient();
  const { operation, known } = useLastOperation(app.id, isCommand);
  const commands = useQuery<Running>({
    queryKey: onServerKey(route, app.id, operation?.id, operation?.state),
    queryFn: ({ signal }) => callOnServer(client, route, { params: { id: app.id } }, { signal }),
    enabled: known,
    gcTime: 0,
    refetchInterval: false,
  });
  const listed = commands.data?.commands;
  return (
    <>
      <NotLoaded query={commands} title="The commands could not be read" rows={1} />
      {listed?.length === 0 && <NothingYet>No command runs.</NothingYet>}
      {listed && listed.length > 0 && <Commands app={app} commands={listed} />}
    </>
  );
}

function Commands({ app, commands }: { app: App; commands: Running['commands'] }) {
  const { shown, more } = useFirstRows(commands, 10);
  return (
    <>
      <ul className={settingsListStyles.settings}>
        {shown.map((command) => (
          <Command key={command.container} app={app} command={command} />
        ))}
      </ul>
      {more && <div className={panelStyles.foot}>{more}</div>}
    </>
  );
}

function Command({ app, command }: { app: App; command: Running['commands'][number] }) {
  const { container, state, createdAt } = command;
  const [shows, setShows] = useState(false);
  const stop = useAct('POST /api/apps/:id/commands/stop', {
    onDone: ({ id }) => openOperation(id),
    onFailed: (error) => toast.bad(problemText(error)),
  });
  return (
    <>
      <li className={styles.row}>
        <span className={classNames(typography.twoLines, styles.command)}>
          <span className={typography.monospace}>{command.command}</span>
          <small>
            {container}, {state}
            {createdAt !== null && (
              <>
                {', '}
                <Time at={createdAt} />
              </>
            )}
          </small>
        </span>
        <span className={classNames(layout.row, layout.gap3)}>
          <Button size="sm" variant="ghost" aria-expanded={shows} onClick={() => setShows(!shows)}>
            {shows ? 'Hide output' : 'Output'}
            <span className={layout.visuallyHidden}> of {container}</span>
          </Button>
          {canBeStopped(state) && (
            <Button
              size="sm"
              busy={stop.isPending}
              busyLabel="Starting"
              onClick={() => stop.mutate({ params: { id: app.id }, body: { container } })}
            >
              Stop<span className={layout.visuallyHidden}> {container}</span>
            </Button>
          )}
        </span>
      </li>
      {shows && (
        <li>
          <Output app={app} container={container} />
        </li>
      )}
    </>
  );
}

const outputRoute = 'GET /api/apps/:id/commands/output';

function Output({ app, container }: { app: App; container: string }) {
  const client = useQueryClient();
  const output = useQuery({
    queryKey: onServerKey(outputRoute, app.id, container),
    queryFn: ({ signal }) =>
      callOnServer(client, outputRoute, { params: { id: app.id }, query: { container } }, { signal }),
    gcTime: 0,
    refetchInterval: false,
  });
  return (
    <div className={classNames(layout.stack, styles.whole)}>
      {output.isError && <NotLoaded query={output} title="The output could not be read" />}
      {(output.data || !output.isError) && (
        <LogView
          label={`Output of ${container}`}
          lines={(output.data?.lines ?? []).map((text, at) => ({ number: at + 1, text }))}
          counted={output.data !== undefined}
          empty={output.isPending ? 'Asking the server for the output' : 'Nothing is printed yet'}
        >
          <Button
            size="sm"
            icon="refresh"
            busy={output.isFetching}
            busyLabel="Reading"
            onClick={() => void output.refetch()}
          >
            Read again
          </Button>
        </LogView>
      )}
    </div>
  );
}
