import type { Database } from '@homeport/store';
import type { Kysely } from 'kysely';
import type { StepContext } from '../../operations/definition.ts';
import type { ServerRow } from '../../records/server-record.ts';
import { recordServerFacts } from '../server-changes.ts';
import { closeConsoleAccount, makeConsoleAccount, notPossible } from './console-account.ts';

/**
 * Makes the console's own account, or makes an existing one accept the credential's key and no other. Without
 * a stored key, an existing account loses its key. Returns null if the account can be tried;
 * `facts.accountMade` tells a later step so. Otherwise returns one sentence that says why the given account
 * does all work.
 */
export async function giveAccountKey(
  db: Kysely<Database>,
  context: StepContext<{ serverId: string }>,
  server: ServerRow,
): Promise<string | null> {
  const kept = `The account ${server.username} does all work on this server`;
  if (server.sandbox) return null;
  const key =
    server.credential === null || server.credential === 'password'
      ? undefined
      : await db
          .selectFrom('keys')
          .select(['public_key', 'fingerprint'])
          .where('owner_id', '=', context.owner)
          .where('id', '=', server.credential)
          .executeTakeFirst();
  if (!key) {
    if (server.account_key !== null) await takeKeyAway(db, context, server);
    return server.credential === 'password'
      ? `${kept}: an account of the console’s own needs a key to log in with.`
      : `${kept}: its key is no longer stored.`;
  }
  const made = await context.run('root', makeConsoleAccount(key.public_key), {
    accept: [0, notPossible],
    shown: 'useradd --system homeport; authorized_keys; /etc/sudoers.d/homeport',
  });
  await context.remember({ accountMade: made.exitCode === 0 });
  if (made.exitCode !== 0) return `${kept}: ${made.stderr.trim()}.`;
  await recordServerFacts(db, context.owner, server.id, { account_key: key.fingerprint });
  return null;
}

async function takeKeyAway(
  db: Kysely<Database>,
  context: StepContext<{ serverId: string }>,
  server: ServerRow,
): Promise<void> {
  await context.run('root', closeConsoleAccount(), {
    shown: 'rm ~homeport/.ssh/authorized_keys /etc/sudoers.d/homeport',
  });
  await recordServerFacts(db, context.owner, server.id, { account_key: null, console_account: false });
}
