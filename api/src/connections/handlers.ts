import { Buffer } from 'node:buffer';
import type { ConnectionPool } from '@homeport/ssh';
import { ownerFromSession, type Store } from '@homeport/store';
import type { Handlers } from '../http/handlers.ts';
import { tellChange } from '../live/tell-change.ts';
import { consoleUser } from '../remote/server-access.ts';
import type { TargetPolicy } from '../remote/target-policy.ts';
import { findServer, type ServerRow } from '../servers/server-record.ts';
import { createAgentSocket, type LinkedServer } from './agent-socket.ts';
import type { SessionConnections } from './connection-source.ts';

type Deps = {
  store: Store;
  pool: ConnectionPool;
  connections: SessionConnections;
  targets: TargetPolicy;
  log: { info(fields: object, message: string): void; warn(fields: object, message: string): void };
  clock: () => number;
};

type Handled =
  | 'GET /api/servers/:id/connection'
  | 'DELETE /api/servers/:id/connection'
  | 'GET /api/connections';

export function connectionHandlers({
  store,
  pool,
  connections,
  targets,
  log,
  clock,
}: Deps): Pick<Handlers, Handled> {
  const openOn = createAgentSocket({
    pool,
    isAllowedTarget: (ip) => targets.allows(ip),
    clock,
    findServer: (userId, serverId) =>
      store.read(ownerFromSession(userId), async (scope) => {
        const row = await findServer(scope, serverId).catch(() => null);
        if (!row || row.simulated) return null;
        return linkedServer(row, await credentialBlob(scope.db, row));
      }),
    async recordHostKey(userId, serverId, { fingerprint, algorithm }) {
      const owner = ownerFromSession(userId);
      await store.transact(owner, async ({ db }) => {
        await db
          .updateTable('servers')
          .set({ host_key_fingerprint: fingerprint, host_key_algorithm: algorithm })
          .where('owner_id', '=', owner)
          .where('id', '=', serverId)
          .execute();
        await tellChange(db, owner, 'servers', serverId);
      });
    },
  });
  return {
    'GET /api/servers/:id/connection': (socket, { params, session }) => {
      connections.know(session);
      return openOn(socket, { serverId: params.id, session, log });
    },
    'DELETE /api/servers/:id/connection': async ({ params, session }) => {
      await store.read(ownerFromSession(session.userId), (scope) => findServer(scope, params.id));
      const held = pool.list(session.sessionId).filter((each) => each.serverId === params.id);
      for (const { serverId, user } of held)
        pool.get({ sessionId: session.sessionId, serverId, user })?.close();
      return { closed: held.length > 0 };
    },
    'GET /api/connections': async ({ session }) => pool.list(session.sessionId),
  };
}

async function credentialBlob(db: Store['db'], row: ServerRow): Promise<Buffer | null> {
  if (row.credential === 'password') return null;
  const key = await db
    .selectFrom('keys')
    .select('public_key')
    .where('owner_id', '=', row.owner_id)
    .where('id', '=', row.credential)
    .executeTakeFirst();
  // A key whose record was removed: an empty blob fits no key of a page, so nothing logs in with it.
  return Buffer.from(key?.public_key.split(' ')[1] ?? '', 'base64');
}

function linkedServer(row: ServerRow, publicKeyBlob: Buffer | null): LinkedServer {
  return {
    host: row.ip,
    port: row.port,
    usernames: row.console_account ? [row.username, consoleUser] : [row.username],
    credential: publicKeyBlob ? { kind: 'key', publicKeyBlob } : { kind: 'password' },
    pinnedHostKey:
      row.host_key_fingerprint === null
        ? null
        : { fingerprint: row.host_key_fingerprint, algorithm: row.host_key_algorithm ?? '' },
  };
}
