import type { Operation } from '@homeport/contract/operations/schema';
import type { RouteParsed } from '@homeport/contract/routes';
import type { SessionIdentity } from '@homeport/contract/services';
import { type Owner, ownerFromSession } from '@homeport/store';
import { wrongField } from '../http/problem.ts';
import type { ServerRow } from '../records/server-record.ts';
import { type ServerDeps, startOnServer } from './reach-server.ts';
import { forgetServer, refuseWhileBusy } from './remove-server.ts';

/** What a server's removal needs to know of the deploy keys of its apps. */
export type ServerKeys = {
  hasDeployKeys(owner: Owner, serverId: string): Promise<boolean>;
  /** Removes them from GitHub alone, as far as GitHub answers. */
  disconnectGithub(session: SessionIdentity, serverId: string): Promise<unknown>;
};

type Deps = ServerDeps & ServerKeys & { closeConnections(serverId: string): void };

/** Begins the operation that cleans the machine, or forgets the server at once: then the operation is null. */
export async function beginRemoval(
  deps: Deps,
  session: SessionIdentity,
  server: ServerRow,
  { uninstall, records, plugin }: RouteParsed<'POST /api/servers/:id/remove'>['body'],
): Promise<{ operation: Operation | null }> {
  const owner = ownerFromSession(session.userId);
  const { db } = deps.store;
  await refuseWhileBusy(db, owner, server.id);
  if (uninstall && !server.simulated) {
    const keys = await deps.hasDeployKeys(owner, server.id);
    return {
      operation: await startOnServer(deps, session, server, 'server.remove', {
        records,
        keys,
        removePlugin: plugin !== null,
      }),
    };
  }
  if (records.length > 0)
    throw wrongField('records', 'They go with the removal of the agent only. Remove them by themselves.');
  if (plugin)
    throw wrongField('plugin', 'It goes with the removal of the agent only. Without that, it stays.');
  await deps.disconnectGithub(session, server.id);
  await forgetServer({ db, closeConnections: deps.closeConnections }, owner, server.id);
  return { operation: null };
}
