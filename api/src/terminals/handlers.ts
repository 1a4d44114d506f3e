import { terminalsPerPerson, terminalsPerServer } from '@homeport/contract/terminals/facts';
import type { Handlers } from '../http/handlers.ts';
import { createSeats } from '../http/seats.ts';
import { inApp } from './in-app.ts';
import { onServer } from './on-server.ts';
import { openTerminal, type TerminalDeps } from './open-terminal.ts';

type Deps = Omit<TerminalDeps, 'seats'> & Parameters<typeof inApp>[0] & Parameters<typeof onServer>[0];

export function terminalHandlers(
  deps: Deps,
): Pick<Handlers, 'GET /api/apps/:id/terminal' | 'GET /api/servers/:id/terminal'> {
  const seats = { person: createSeats(terminalsPerPerson), server: createSeats(terminalsPerServer) };
  const all = { ...deps, seats };
  return {
    'GET /api/apps/:id/terminal': (asked) => {
      const { session, params, query, signal } = asked;
      const process = query.process ?? null;
      return openTerminal(all, asked, inApp(deps, { session, appId: params.id, process, signal }));
    },
    'GET /api/servers/:id/terminal': (asked) =>
      openTerminal(all, asked, onServer(deps, { session: asked.session, serverId: asked.params.id })),
  };
}
