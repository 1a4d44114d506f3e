import { type Command, canBecomeRoot, leftReaders } from '@homeport/dokku';
import { ownerFromSession, type Store } from '@homeport/store';
import { findServer } from '../records/server-record.ts';
import { type RemoteConnection, runCommand } from '../remote/run-command.ts';
import { accountOf } from '../remote/server-access.ts';
import { renewConsoleAccount } from './install/console-account.ts';

type Deps = {
  store: Pick<Store, 'read'>;
  log: { info(fields: object, message: string): void; warn(fields: object, message: string): void };
};
type Opened = { owner: string; serverId: string; user: string };

const deadlineMs = 30_000;

/**
 * Tends a server whenever a login that may become root was opened: ends the followed logs that an earlier console
 * left there, takes away the variables that ended logs left in /tmp, and gives the console’s own account the terminal that it lacks. Nothing waits for this, and a
 * failure changes nothing: the next connection tries again. Never rejects.
 */
export async function tendServer(
  { store, log }: Deps,
  { owner, serverId, user }: Opened,
  connection: RemoteConnection,
): Promise<void> {
  try {
    const server = await store.read(ownerFromSession(owner), (scope) => findServer(scope, serverId));
    const account = accountOf(server, 'root');
    if (server.sandbox || user !== server.username || !canBecomeRoot(account)) return;
    const run = (command: Command) =>
      runCommand(connection, account, command, { deadlineMs, quiet: true }, AbortSignal.timeout(deadlineMs));
    const ended = leftReaders.readEnded(await run(leftReaders.endLeftReaders()));
    if (ended) log.info({ serverId, ended }, 'ended followed logs that an earlier console left');
    const removed = leftReaders.readRemoved(await run(leftReaders.removeLeftEnvironments()));
    if (removed) log.info({ serverId, removed }, 'removed environments that ended readers left in /tmp');
    if (!server.console_account) return;
    const renewed = await run(renewConsoleAccount());
    if (renewed.stdout !== '') log.info({ serverId }, 'renewed the rights of the account homeport');
  } catch (error) {
    log.warn({ serverId, err: error }, 'could not tend the server');
  }
}
