import { z } from 'zod';
import { withOwnConnections } from '../connections/connect.ts';
import { readRoute } from '../console/read-route.ts';
import { appOfName, nameFor } from './app.ts';
import type { Command } from './command.ts';
import { connectionFlags } from './connection-flags.ts';
import { appShape } from './states.ts';
import { workOnApp } from './work-on-app.ts';

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
    return workOnApp(run, { console, serverId, path });
  },
}));
