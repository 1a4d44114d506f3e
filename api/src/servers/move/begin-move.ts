import type { Operation } from '@homeport/contract/operations/schema';
import type { RouteParsed } from '@homeport/contract/routes';
import { closedTexts } from '@homeport/contract/servers/closed';
import type { SessionIdentity } from '@homeport/contract/services';
import { ownerFromSession } from '@homeport/store';
import { wrongField } from '../../http/problem.ts';
import { type ServerRow, toServer } from '../../records/server-record.ts';
import { type ServerDeps, startOnServer } from '../reach-server.ts';
import { type MoveDeps, prepareMove } from './move-server.ts';

type Deps = MoveDeps & ServerDeps & { makesWildcards: boolean };

/**
 * Moves the server, and begins the operation that leads DNS there: both are kept, or neither. The operation is null where no record
 * follows.
 */
export async function beginMove(
  deps: Deps,
  session: SessionIdentity,
  id: string,
  { records, ...wanted }: RouteParsed<'PUT /api/servers/:id/address'>['body'],
  signal: AbortSignal,
): Promise<{ row: ServerRow; operation: Operation | null }> {
  const owner = ownerFromSession(session.userId);
  const { from, to, write } = await prepareMove(deps, session, id, wanted, signal);
  const isClosed = closedTexts(toServer(from)) !== null;
  if (isClosed && records.length > 0)
    throw wrongField(
      'records',
      'The console does no work on this server. Change the records on the pages of their domains.',
    );
  // An installation that failed may have made the record. It needs no login, so a read-only server's follows as well.
  const mayHaveWildcard = deps.makesWildcards && !from.simulated && !from.metal && from.setup !== 'new';
  const wildcard = mayHaveWildcard && isElsewhere(from, to);
  if (records.length === 0 && !wildcard)
    return { row: await deps.store.transact(owner, write), operation: null };
  const looked = await deps.addresses.of(owner, from, signal);
  const former = [...new Set([from.ip, ...(looked.kind === 'found' ? looked.addresses : [])])];
  const moved: ServerRow[] = [];
  const operation = await startOnServer(
    deps,
    session,
    from,
    'server.follow-address',
    { wildcard, records, former },
    {
      admit: async (scope) => {
        moved.push(await write(scope));
      },
    },
  );
  const [row = to] = moved;
  return { row, operation };
}

/** The record `*.{subdomain}.{suffix}` is another one, or leads elsewhere. */
const isElsewhere = (from: ServerRow, to: ServerRow) => from.ip !== to.ip || from.subdomain !== to.subdomain;
