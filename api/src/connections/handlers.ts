import { Buffer } from 'node:buffer';
import { consoleUser } from '@homeport/contract/connections/facts';
import type { Ceilings } from '@homeport/contract/limits';
import type { ConnectionPool } from '@homeport/ssh';
import { type OwnerRead, ownerFromSession, type Store } from '@homeport/store';
import type { Handlers } from '../http/handlers.ts';
import { findPublicKey } from '../records/key-record.ts';
import { findServer, type ServerRow } from '../records/server-record.ts';
import type { TargetPolicy } from '../remote/target-policy.ts';
import { createAgentSocket, type LinkedServer } from './agent-socket.ts';

type Deps = {
  store: Store;
  pool: ConnectionPool;
  targets: TargetPolicy;
  log: { info(fields: object, message: string): void; warn(fields: object, message: string): void };
  clock: () => number;
  ceilings: Ceilings;
};

type Handled =
  | 'GET /api/servers/:id/connection'
  | 'DELETE /api/servers/:id/connection'
  | 'GET /api/connections';

export function connectionHandlers({
  store,
  pool,
  targets,
  log,
  clock,
  ceilings,
}: Deps): Pick<Handlers, Handled> {
  const openOn = createAgentSocket({
    pool,
    targets,
    clock,
    ceilings,
    findServer: (userId, serverId) =>
      store.read(ownerFromSession(userId), async (scope) => {
        const row = await findServer(scope, serverId).catch(() => null);
        if (!row || row.simulated || row.credential === null) return null;
        return linkedServer(row, await credentialBlob(scope, row.credential));
      }),
  });
  return {
    'GET /api/servers/:id/connection': async (socket, { params, session }) =>
      outcomes[await openOn(socket, { serverId: params.id, session, log })],
    'DELETE /api/servers/:id/connection': async ({ params, session }) => {
      await store.read(ownerFromSession(session.userId), (scope) => findServer(scope, params.id));
      const { userId: owner, sessionId } = session;
      const id = params.id.toLowerCase();
      const held = pool.list(sessionId).filter((each) => each.serverId === id);
      for (const { serverId, user } of held) pool.get({ owner, sessionId, serverId, user })?.close();
      return { closed: held.length > 0 };
    },
    'GET /api/connections': async ({ session }) => pool.list(session.sessionId),
  };
}

/** How an opening stands among the calls of a program. A host key that was shown is nothing that the program did. */
const outcomes = { shown: null, opened: 'ok', refused: 'refused', failed: 'failed' } as const;

/** Null for a server with a password. */
async function credentialBlob(scope: OwnerRead, credential: string): Promise<Buffer | null> {
  if (credential === 'password') return null;
  const publicKey = await findPublicKey(scope, credential);
  // The key’s record was removed. An empty blob matches no key of a page, so nobody logs in with it.
  return Buffer.from(publicKey?.split(' ')[1] ?? '', 'base64');
}

function linkedServer(row: ServerRow, publicKeyBlob: Buffer | null): LinkedServer {
  return {
    host: row.ip,
    port: row.port,
    usernames: row.console_account ? [row.username, consoleUser] : [row.username],
    hasConsoleAccount: row.console_account && row.username !== consoleUser,
    credential: publicKeyBlob ? { kind: 'key', publicKeyBlob } : { kind: 'password' },
    pinnedHostKey:
      row.host_key_fingerprint === null
        ? null
        : { fingerprint: row.host_key_fingerprint, algorithm: row.host_key_algorithm ?? '' },
  };
}
