import { proxyLimits } from '@homeport/contract/proxies/facts';
import { normalisePath, problemText } from '@homeport/rules';
import { addPurgeOf, lastPurgesOf, type Owner, type OwnerWrite } from '@homeport/store';
import { ProblemError, wrongField } from '../http/problem.ts';
import { holdProxyOutline } from '../records/proxy-record.ts';
import type { ProxyDeps } from './deps.ts';

const minuteMs = 60_000;

/**
 * Drops the cached answers of a proxy’s domain, in their http and https forms, in every data plane. Throws `conflict` for a proxy that
 * is not served: its domain may be somebody else’s. Throws `too_many` after a few purges of the proxy within a minute.
 *
 * @param path the beginning of their path; undefined: all of them
 */
export async function purgeCache(
  { store, clock }: Pick<ProxyDeps, 'store' | 'clock'>,
  owner: Owner,
  id: string,
  path = '/',
): Promise<{ purged: string[] }> {
  const normal = normalisePath(path.trim() || '/');
  if (normal === null) throw wrongField('path', problemText('path_refused'));
  return store.transact(owner, async (scope) => {
    // Purges of one proxy wait for each other here, so none passes its share.
    const { domain } = await holdProxyOutline(scope, id);
    await refuseFlood(scope, id, clock());
    const purged = await addPurgeOf(scope.db, { proxyId: id, path: normal.compared, now: clock() });
    if (purged.length > 0) return { purged };
    throw new ProblemError(
      'conflict',
      `The proxy service does not serve ${domain}, so nothing of it is kept.`,
      {
        recovery: 'The proxy’s page says what is missing.',
      },
    );
  });
}

async function refuseFlood({ db }: OwnerWrite, proxyId: string, now: number): Promise<void> {
  const { purgesPerMinute } = proxyLimits;
  const since = now - minuteMs;
  const times = await lastPurgesOf(db, { proxyId, since, atMost: purgesPerMinute });
  const oldest = times[purgesPerMinute - 1];
  if (oldest === undefined) return;
  throw new ProblemError('too_many', `A proxy’s cache is purged at most ${purgesPerMinute} times a minute.`, {
    retryAfterSeconds: Math.ceil((oldest + minuteMs - now) / 1000),
  });
}
