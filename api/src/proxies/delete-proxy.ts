import type { Owner } from '@homeport/store';
import { notifyChange } from '../live/notify-change.ts';
import { findProxyOutline } from '../records/proxy-record.ts';
import type { ProxyDeps } from './deps.ts';

/** Deletes a proxy. The store frees its name for its owner, and keeps the name from others for a time. */
export async function deleteProxy(
  { store }: ProxyDeps,
  owner: Owner,
  id: string,
): Promise<{ removed: true }> {
  await store.transact(owner, async (scope) => {
    await findProxyOutline(scope, id);
    await scope.db.deleteFrom('proxies').where('owner_id', '=', owner).where('id', '=', id).execute();
    await notifyChange(scope.db, owner, 'proxies', id);
  });
  return { removed: true };
}
