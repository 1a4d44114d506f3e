import { eventSubjectCharacters } from '@homeport/contract/account/facts';
import { globalDomainOf, hasOwnWildcard } from '@homeport/contract/apps/default-domain';
import { urlHost } from '@homeport/contract/fields/server-address';
import type { MoveServer } from '@homeport/contract/servers/schema';
import type { SessionIdentity } from '@homeport/contract/services';
import { type OwnerRead, type OwnerWrite, ownerFromSession, type Store } from '@homeport/store';
import { holdSession } from '../../confirmation/confirmed.ts';
import { wrongField } from '../../http/problem.ts';
import { notifyChange } from '../../live/notify-change.ts';
import { holdOperations } from '../../operations/lane-room.ts';
import { findServer, listServers, type ServerRow } from '../../records/server-record.ts';
import { noteSecurityEvent } from '../../security-events/note-event.ts';
import { refuseClaimed, refuseSamePort } from '../add-server.ts';
import { changedElsewhere } from '../edit-server.ts';
import { type JudgeDeps, type JudgedAddress, judgeAddress, refuseUncompared } from '../judge-address.ts';
import { refuseWhileBusy } from '../remove-server.ts';
import { claimSubdomain, reserveSubdomain } from '../subdomain/claim-subdomain.ts';
import { domainsUnder } from './domains-under.ts';

export type MoveDeps = JudgeDeps & {
  store: Pick<Store, 'read'>;
  clock: () => number;
  appDomain: string | null;
};

/** A change of an address that was judged. `write` does it in a transaction. */
export type Move = {
  from: ServerRow;
  to: ServerRow;
  write(scope: Pick<OwnerWrite, 'owner' | 'db'>): Promise<ServerRow>;
};

/**
 * Records another address of the same machine. The host key that was accepted stays, and the next connection compares it. Until then git
 * remotes, connection strings and offers of DNS records name the new address already, so this is for the person alone, and told by mail.
 */
export async function prepareMove(
  deps: MoveDeps,
  session: Pick<SessionIdentity, 'userId' | 'sessionId'>,
  id: string,
  wanted: Omit<MoveServer, 'records'>,
  signal: AbortSignal,
): Promise<Move> {
  const owner = ownerFromSession(session.userId);
  // Whose server it is comes before what its new address is.
  const from = await deps.store.read(owner, (scope) => findServer(scope, id));
  const judged = await judgeAddress(deps, owner, wanted, { except: id, signal });
  const { ip, port, subdomain = from.subdomain } = wanted;
  return {
    from,
    to: { ...from, ip, port, subdomain },
    write: (scope) => writeMove(deps, scope, { id, wanted, judged, sessionId: session.sessionId }),
  };
}

async function writeMove(
  { clock, appDomain }: MoveDeps,
  scope: Pick<OwnerWrite, 'owner' | 'db'>,
  move: { id: string; wanted: Omit<MoveServer, 'records'>; judged: JudgedAddress; sessionId: string },
): Promise<ServerRow> {
  const { db, owner } = scope;
  const { id, judged, sessionId } = move;
  const { version, ip, port } = move.wanted;
  await holdOperations(db, owner);
  await holdSession(scope, sessionId);
  const current = await findServer(scope, id);
  await refuseUncompared(scope, ip, judged, { except: id });
  refuseSamePort(
    (await listServers(scope)).filter((each) => judged.alsoLinkedAs.has(each.id)),
    { ip, port },
  );
  // What runs must end on the machine on which it began.
  await refuseWhileBusy(db, owner, id);
  const { subdomain = current.subdomain } = move.wanted;
  if (subdomain !== current.subdomain) {
    await claimSubdomain(scope, subdomain);
    await refuseLeftDomains(scope, current, appDomain);
    await reserveSubdomain(scope, current.subdomain, clock());
  }
  const place = { ip, port, subdomain };
  const row = await db
    .updateTable('servers')
    .set({ ...place, ...formerDomain(current, place, appDomain), version: version + 1 })
    .where('owner_id', '=', owner)
    .where('id', '=', id)
    .where('version', '=', version)
    .returningAll()
    .executeTakeFirst()
    .catch(refuseClaimed);
  if (!row) throw await changedElsewhere(scope, id);
  const note = (place: string) =>
    noteSecurityEvent(db, {
      ...{ owner, subject: movedTo(row.name, place), from: { sessionId }, at: clock() },
      kind: 'server_moved',
    });
  if (ip !== current.ip || port !== current.port) await note(`${urlHost(ip)}:${port}`);
  if (subdomain !== current.subdomain)
    await note(appDomain === null ? subdomain : `${subdomain}.${appDomain}`);
  await notifyChange(db, owner, 'servers', id);
  return row;
}

/** A subdomain is given up only when no app of the server has a domain under it: nothing keeps the earlier one leading to the server. */
async function refuseLeftDomains(
  scope: OwnerRead,
  current: ServerRow,
  appDomain: string | null,
): Promise<void> {
  if (appDomain === null) return;
  const former = `${current.subdomain}.${appDomain}`;
  const [app] = await domainsUnder(scope, current.id, former);
  if (app)
    throw wrongField(
      'subdomain',
      `${app.name} has the domain ${app.domains[0]}, and DNS does not follow with ${former}. Remove the domains under ${former} from your apps first. Nothing was changed.`,
    );
}

/**
 * The event that the person reads and gets by mail. The end of a name says whose zone it is, so what is too long loses its beginning.
 */
function movedTo(name: string, place: string): string {
  const room = eventSubjectCharacters - `${name}, `.length;
  return `${name}, ${place.length > room ? `…${place.slice(1 - room)}` : place}`;
}

/**
 * A domain that resolves to the earlier address stays the global one of the machine until somebody replaces it. The record names it, so
 * that the server's page asks, as after linking.
 */
function formerDomain(
  current: ServerRow,
  place: { ip: string; subdomain: string },
  appDomain: string | null,
): { global_domains?: string[]; global_domains_kept?: false } {
  // A server with a name got no global domain.
  if (!hasOwnWildcard(current)) return {};
  const former = globalDomainOf(current, appDomain);
  const stays = former === globalDomainOf(place, appDomain);
  if (stays || current.metal || current.setup !== 'ready' || current.global_domains !== null) return {};
  return { global_domains: [former], global_domains_kept: false };
}
