import { z } from 'zod';
import { CommandProblem } from '../command-problem.ts';
import { callOnServer, closeConnection, withOwnConnections } from '../connections/connect.ts';
import { askConsole, noSense } from '../console/ask-console.ts';
import { readRoute } from '../console/read-route.ts';
import { appOfName, nameFor } from './app.ts';
import type { Command } from './command.ts';
import { connectionFlags } from './connection-flags.ts';
import { appShape } from './states.ts';
import { watchToEnd } from './watch-operation.ts';

const begunShape = z.object({ id: z.string() });

/** Each runs as the account homeport, over a connection for which the person's SSH agent signs. */
export const appActions: readonly Command[] = (
  [
    ['start', 'Starts an app that was stopped'],
    ['stop', 'Stops an app'],
    ['restart', 'Restarts an app'],
  ] as const
).map(([action, does]) => ({
  words: [action],
  args: [{ name: 'NAME', orElse: 'HOMEPORT_APP' }],
  flags: connectionFlags,
  summary: `${does}, and follows the work to its end. Your own SSH agent signs the login, as the account homeport. The work goes on after Ctrl-C.`,
  json: 'Each event of `GET /api/operations/:id/events`, one a line.',
  asksConsole: true,
  async run(run) {
    const name = nameFor(run);
    const console = withOwnConnections(await run.signIn());
    const { value: apps } = await readRoute(
      console,
      'GET /api/apps',
      z.array(appShape.extend({ serverId: z.string() })),
    );
    const { id, serverId } = appOfName(apps, name);
    const path = `/api/apps/${encodeURIComponent(id)}/${action}`;
    let needed = false;
    try {
      const begun = await callOnServer(run, { console, serverId }, () => {
        // Until the work is over, it needs the connection. Without an answer, it may have begun.
        needed = true;
        return askConsole(console, { method: 'POST', path }).catch((error: unknown) => {
          needed = !(error instanceof CommandProblem && error.code !== undefined);
          throw error;
        });
      });
      const operation = begunShape.safeParse(JSON.parse(begun));
      if (!operation.success) throw noSense();
      const { exit, over } = await watchToEnd(run, { console, id: operation.data.id });
      needed = !over;
      return exit;
    } finally {
      if (!needed) await closeConnection(console, serverId);
    }
  },
}));
