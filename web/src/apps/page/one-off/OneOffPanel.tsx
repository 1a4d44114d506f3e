import { isDeployed } from '@homeport/contract/apps/health';
import { lazy, Suspense, useRef, useState } from 'react';
import { Button } from '../../../ui/button/Button.tsx';
import { ButtonLink } from '../../../ui/button/ButtonLink.tsx';
import { NothingYet, SkeletonRows } from '../../../ui/feedback/States.tsx';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { closedOnApp } from '../../closed-on-app.ts';
import type { AppPlace } from '../../on-server/app-place.ts';
import { TerminalMenu } from './TerminalMenu.tsx';

const RunCommandDialog = lazy(async () => ({
  default: (await import('./RunCommandDialog.tsx')).RunCommandDialog,
}));
const TerminalDock = lazy(async () => ({
  default: (await import('../../../terminals/TerminalDock.tsx')).TerminalDock,
}));
const RunningCommands = lazy(async () => ({
  default: (await import('./RunningCommands.tsx')).RunningCommands,
}));

/** One-off commands and terminals. One line until somebody runs one or asks what runs. */
export function OneOffPanel({ place }: { place: AppPlace }) {
  const { app, server } = place;
  const [asks, setAsks] = useState(false);
  const [shows, setShows] = useState(false);
  /** Where a terminal is open; null: in a new container. undefined: none is. */
  const [terminal, setTerminal] = useState<string | null>();
  const opener = useRef<HTMLButtonElement>(null);
  const refusal = closedOnApp(app, server);
  const isOpen = isDeployed(app) && refusal === null;
  return (
    <Panel
      id="commands"
      title="Commands"
      body="flush"
      actions={
        isOpen && (
          <>
            <Button size="sm" variant="ghost" aria-expanded={shows} onClick={() => setShows(!shows)}>
              {shows ? 'Hide what runs' : 'Show what runs'}
            </Button>
            {server.commandsAllowed ? (
              <>
                <Button size="sm" onClick={() => setAsks(true)}>
                  Run a command
                </Button>
                <TerminalMenu ref={opener} place={place} onOpen={setTerminal} />
              </>
            ) : (
              <ButtonLink size="sm" to="/server/$key" params={{ key: server.key }} hash="settings">
                Server settings
              </ButtonLink>
            )}
          </>
        )
      }
    >
      {shows && isOpen ? (
        <Suspense fallback={<SkeletonRows rows={1} />}>
          <RunningCommands app={app} />
        </Suspense>
      ) : (
        <NothingYet>
          {!isDeployed(app)
            ? 'They run in the app’s image, which its first deploy makes.'
            : server.commandsAllowed
              ? 'Run once, in a container of their own.'
              : `Not allowed on ${server.name}.`}
        </NothingYet>
      )}
      {terminal !== undefined && isOpen && (
        <Suspense fallback={null}>
          <TerminalDock
            key={terminal}
            at={{ kind: 'app', app, serverName: server.name, process: terminal }}
            opener={opener}
            onClose={() => setTerminal(undefined)}
          />
        </Suspense>
      )}
      {asks && (
        <Suspense fallback={null}>
          <RunCommandDialog app={app} onClose={() => setAsks(false)} />
        </Suspense>
      )}
    </Panel>
  );
}
