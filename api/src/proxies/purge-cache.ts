import { normalisePath, problemText } from '@homeport/rules';
import { addPurge, type Owner } from '@homeport/store';
import { wrongField } from '../http/problem.ts';
import { findProxy } from '../records/proxy-record.ts';
import type { ProxyDeps } from './deps.ts';

/**
 * Drops the cached answers of a proxy’s domain, in their http and https forms, in every data plane.
 *
 * @param path the beginning of their path; undefined: all of them
 */
export async function purgeCache(
  { store, clock }: ProxyDeps,
  owner: Owner,
  id: string,
  path = '/',
): Promise<{ purged: string[] }> {
  const normal = normalisePath(path.trim() || '/');
  if (normal === null) throw wrongField('path', problemText('path_refused'));
  return store.transact(owner, async (scope) => {
    const { domain } = await findProxy(scope, id);
    const purged = ['http', 'https'].map((scheme) => `${scheme}://${domain}${normal.sent}`);
    for (const startsWith of purged) await addPurge(scope.db, startsWith, clock());
    return { purged };
  });
}
