import { z } from 'zod';
import { ProblemError } from '../http/problem.ts';
import { type AnyOperationDefinition, defineOperation } from '../operations/definition.ts';
import { installPlugin } from './install/dokku-plugin.ts';
import { lookAtLogin } from './install/inspect-login.ts';
import type { InstallDeps } from './install/install-server.ts';

const input = z.object({ serverId: z.uuid() });

/** Installs Homeport’s own Dokku plugin on a linked server, or its newer version. */
export function updatePlugin(deps: Pick<InstallDeps, 'db'>): AnyOperationDefinition {
  return defineOperation<z.output<typeof input>>({
    kind: 'server.plugin',
    input,
    title: () => 'Homeport’s Dokku plugin',
    steps: () => [
      {
        key: 'verify',
        title: 'Look at the login',
        percent: 10,
        run: async (context) => {
          const login = await lookAtLogin(deps.db, context);
          if (login.kind === 'plain' && !login.sandbox)
            throw new ProblemError(
              'not_allowed',
              'The plugin is installed as root, which this account may not become.',
              {
                recovery:
                  'Link the server as root, or as a user who may use sudo without a password. Without the plugin everything works, at a higher cost for the server.',
              },
            );
          return undefined;
        },
      },
      {
        key: 'write',
        title: 'Write and enable the plugin',
        percent: 40,
        run: async (context) => installPlugin(deps.db, context, { id: context.input.serverId }),
      },
    ],
  });
}
