import { uninstallCommand } from '@homeport/agent';
import { consoleUser } from '@homeport/contract/connections/facts';
import { leavingRecordsSchema } from '@homeport/contract/domains/schema';
import { hostCommand } from '@homeport/dokku';
import type { Database, Owner } from '@homeport/store';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { orphanedStep, type RemoveOrphaned } from '../domains/remove-orphaned.ts';
import { ProblemError } from '../http/problem.ts';
import { notifyChange } from '../live/notify-change.ts';
import {
  type AnyOperationDefinition,
  defineOperation,
  type StepContext,
  type StepOutcome,
} from '../operations/definition.ts';
import { findServer } from '../records/server-record.ts';
import { removeConsoleAccount } from './install/console-account.ts';
import { removePlugin } from './install/dokku-plugin.ts';
import { askLogin } from './install/inspect-login.ts';

type Deps = { db: Kysely<Database>; closeConnections(serverId: string): void };

/** Takes the deploy keys of the server's apps away, and says which ones stay. */
type RemoveKeys = (context: StepContext<Input>) => Promise<StepOutcome>;

const input = z.object({
  serverId: z.uuid(),
  records: leavingRecordsSchema,
  /** Its apps have deploy keys. */
  keys: z.boolean().default(false),
  /** Homeport’s plugin goes, and the scheduled backups end. */
  removePlugin: z.boolean().default(false),
});
type Input = z.output<typeof input>;

/**
 * Removes the agent, the deploy keys of its apps and the console’s account from the machine, then the chosen DNS records, then the
 * server from Homeport. Dokku, its apps and databases stay. Homeport’s plugin stays as well unless the person chose otherwise,
 * because it makes the scheduled backups.
 */
export function removeServerOperation(
  deps: Deps & { removeOrphaned: RemoveOrphaned; removeKeys: RemoveKeys },
): AnyOperationDefinition {
  return defineOperation<Input>({
    kind: 'server.remove',
    input,
    title: () => 'Removal',
    steps: ({ serverId, records, keys, removePlugin: pluginGoes }) => [
      {
        key: 'uninstall',
        title: 'Uninstall the monitoring agent',
        percent: 20,
        run: async (context) => {
          const login = await askLogin(context);
          if (login.sandbox)
            await context.run('root', hostCommand(['sandbox-keep', 'homeport-agent'], { needsRoot: false }));
          const root = login.sandbox ? { root: `${login.sandbox.root}/machine` } : {};
          const program = uninstallCommand({ user: consoleUser, removeUser: false, ...root });
          await context.run(
            'root',
            hostCommand(program.argv, { needsRoot: !login.sandbox, stdin: program.stdin }),
            {
              shown: `bash uninstall.sh --user ${consoleUser}`,
            },
          );
          await context.remember({
            sandbox: login.sandbox !== null,
            sandboxRoot: login.sandbox?.root ?? null,
          });
          return undefined;
        },
      },
      // Homeport's plugin removes them, so they go before it.
      ...(keys
        ? [
            {
              key: 'deploy-keys',
              title: 'Remove the deploy keys of its apps',
              percent: 30,
              run: deps.removeKeys,
            },
          ]
        : []),
      ...(pluginGoes
        ? [
            {
              key: 'plugin',
              title: 'Remove Homeport’s Dokku plugin, and end scheduled backups',
              percent: 40,
              run: async (context: StepContext<Input>) => removePlugin(deps.db, context, context.owner),
            },
          ]
        : []),
      {
        key: 'account',
        title: 'Remove the account homeport',
        percent: 60,
        run: async (context) => {
          if (context.facts.sandbox === true)
            return { state: 'skipped', note: 'The sandbox has no account of the console’s own.' };
          // From here on the connection must be the given account’s, because the console’s own account is
          // about to go.
          await deps.db
            .updateTable('servers')
            .set({ console_account: false })
            .where('owner_id', '=', context.owner)
            .where('id', '=', context.input.serverId)
            .execute();
          await context.run('root', removeConsoleAccount(), {
            shown: `userdel ${consoleUser}; rm /etc/sudoers.d/homeport`,
          });
          return undefined;
        },
      },
      // The server's row has the address that its records point at, so it goes after them.
      ...orphanedStep<Input>(deps.removeOrphaned, records, { kind: 'server', id: serverId }),
      {
        key: 'record',
        title: 'Remove the server from Homeport',
        percent: 90,
        run: async (context) => {
          await forgetServer(deps, context.owner, context.input.serverId);
          return undefined;
        },
      },
    ],
  });
}

/** Deletes the server’s record and the records of its apps and databases. Nothing changes on the machine. */
export async function forgetServer(deps: Deps, owner: Owner, serverId: string): Promise<void> {
  const there = (table: 'apps' | 'databases') =>
    deps.db
      .selectFrom(table)
      .select('id')
      .where('owner_id', '=', owner)
      .where('server_id', '=', serverId)
      .limit(1)
      .executeTakeFirst();
  const [app, database] = [await there('apps'), await there('databases')];
  await deps.db.deleteFrom('servers').where('owner_id', '=', owner).where('id', '=', serverId).execute();
  deps.closeConnections(serverId);
  await notifyChange(deps.db, owner, 'servers', serverId);
  if (app) await notifyChange(deps.db, owner, 'apps', null);
  if (database) await notifyChange(deps.db, owner, 'databases', null);
}

/** Throws `busy` while an operation on the server or on something of it is not over. */
export async function refuseWhileBusy(db: Kysely<Database>, owner: Owner, serverId: string): Promise<void> {
  await findServer({ owner, db }, serverId);
  const active = await db
    .selectFrom('operations')
    .select('title')
    .where('owner_id', '=', owner)
    .where('server_id', '=', serverId)
    .where('state', 'in', ['queued', 'running', 'waiting'])
    .executeTakeFirst();
  if (active)
    throw new ProblemError(
      'busy',
      `${active.title} is still going on here. Wait until it is over, or cancel it first.`,
    );
}
