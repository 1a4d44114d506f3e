import { z } from 'zod';
import { type AnyOperationDefinition, defineOperation, type Step } from '../operations/definition.ts';
import { findServer } from '../records/server-record.ts';
import { tryConsoleAccount } from './install/console-account.ts';
import { giveAccountKey } from './install/give-account-key.ts';
import { lookAtLogin } from './install/inspect-login.ts';
import type { InstallDeps } from './install/install-server.ts';
import { recordServerFacts } from './server-changes.ts';

const input = z.object({ serverId: z.uuid(), metal: z.boolean() });
type Input = z.output<typeof input>;

/**
 * Runs after the server's credential was changed. The console's own account then accepts the new key, and no
 * longer the earlier one.
 */
export function updateAccount(deps: Pick<InstallDeps, 'db'>): AnyOperationDefinition {
  return defineOperation<Input>({
    kind: 'server.update-account',
    input,
    title: () => 'Update of the account homeport',
    steps: ({ metal }) => [
      {
        key: 'verify',
        title: 'Look at the login',
        percent: 10,
        run: async (context) => {
          await lookAtLogin(deps.db, context);
          return undefined;
        },
      },
      {
        key: 'account',
        title: 'Replace the key that the account homeport accepts',
        percent: 40,
        run: async (context) => {
          const server = await findServer({ owner: context.owner, db: deps.db }, context.input.serverId);
          const note = await giveAccountKey(deps.db, context, server);
          return note ? { state: 'warned', note } : undefined;
        },
      },
      ...(metal ? [] : [tryAccount(deps)]),
    ],
  });
}

const tryAccount = (deps: Pick<InstallDeps, 'db'>): Step<Input> => ({
  key: 'try',
  title: 'Try the account with Dokku',
  percent: 80,
  run: async (context) => {
    if (context.facts.accountMade !== true) return { state: 'skipped' };
    const works = await context.run('root', tryConsoleAccount(), { accept: 'any' });
    await recordServerFacts(deps.db, context.owner, context.input.serverId, {
      console_account: works.exitCode === 0,
    });
    if (works.exitCode === 0) return { note: 'App actions run through it.' };
    return {
      state: 'warned',
      note: 'It cannot run Dokku. The given account does all work on this server.',
    };
  },
});
