import { eventSubjectCharacters } from '@homeport/contract/account/facts';
import { globalDomainOf, hasOwnWildcard } from '@homeport/contract/apps/default-domain';
import { urlHost } from '@homeport/contract/fields/server-address';
import type { MoveServer } from '@homeport/contract/servers/schema';
import type { SessionIdentity } from '@homeport/contract/services';
import { ownerFromSession, type Store } from '@homeport/store';
import { holdSession } from '../confirmation/confirmed.ts';
import { notifyChange } from '../live/notify-change.ts';
import { findServer, listServers, type ServerRow } from '../records/server-record.ts';
import { noteSecurityEvent } from '../security-events/note-event.ts';
import { refuseSamePort, refuseTakenPort } from './add-server.ts';
import { changedElsewhere } from './edit-server.ts';
import { type JudgeDeps, judgeAddress, refuseUncompared } from './judge-address.ts';
import { refuseWhileBusy } from './remove-server.ts';

type Deps = JudgeDeps & {
  store: Pick<Store, 'read' | 'transact'>;
  clock: () => number;
  appDomain: string | null;
};

/**
 * Records another address of the same machine. The host key that was accepted stays, and the next connection compares it. Until then git
 * remotes, connection strings and offers of DNS records name the new address already, so this is for the person alone, and told by mail.
 */
export async function moveServer(
  deps: Deps,
  { userId, sessionId }: Pick<SessionIdentity, 'userId' | 'sessionId'>,
  id: string,
  { version, ip, port }: MoveServer,
  signal: AbortSignal,
): Promise<ServerRow> {
  const { store, clock, appDomain } = deps;
  const self = { except: id };
  // Whose server it is comes before what its new address is.
  await store.read(ownerFromSession(userId), (scope) => findServer(scope, id));
  const judged = await judgeAddress(deps, ownerFromSession(userId), { ip, port }, { ...self, signal });
  return store.transact(ownerFromSession(userId), async (scope) => {
    const { db, owner } = scope;
    await holdSession(scope, sessionId);
    const current = await findServer(scope, id);
    await refuseUncompared(scope, ip, judged, self);
    refuseSamePort(
      (await listServers(scope)).filter((each) => judged.alsoLinkedAs.has(each.id)),
      { ip, port },
    );
    // What runs must end on the machine on which it began.
    await refuseWhileBusy(db, owner, id);
    const row = await db
      .updateTable('servers')
      .set({ ip, port, ...formerDomain(current, ip, appDomain), version: version + 1 })
      .where('owner_id', '=', owner)
      .where('id', '=', id)
      .where('version', '=', version)
      .returningAll()
      .executeTakeFirst()
      .catch(refuseTakenPort);
    if (!row) throw await changedElsewhere(scope, id);
    if (ip !== current.ip || port !== current.port)
      await noteSecurityEvent(db, {
        ...{ owner, subject: movedTo(row.name, { ip, port }), from: { sessionId }, at: clock() },
        kind: 'server_moved',
      });
    await notifyChange(db, owner, 'servers', id);
    return row;
  });
}

/**
 * The event that the person reads and gets by mail. The end of a name says whose zone it is, so what is too long loses its beginning.
 */
function movedTo(name: string, { ip, port }: { ip: string; port: number }): string {
  const room = eventSubjectCharacters - `${name}, :${port}`.length;
  const host = urlHost(ip);
  return `${name}, ${host.length > room ? `…${host.slice(1 - room)}` : host}:${port}`;
}

/**
 * A domain that resolves to the earlier address stays the global one of the machine until somebody replaces it. The record names it, so
 * that the server's page asks, as after linking.
 */
function formerDomain(
  current: ServerRow,
  ip: string,
  appDomain: string | null,
): { global_domains?: string[]; global_domains_kept?: false } {
  // A server with a name got no global domain.
  if (!hasOwnWildcard(current)) return {};
  const former = globalDomainOf(current, appDomain);
  const stays = former === globalDomainOf({ ...current, ip }, appDomain);
  if (stays || current.metal || current.setup !== 'ready' || current.global_domains !== null) return {};
  return { global_domains: [former], global_domains_kept: false };
}
