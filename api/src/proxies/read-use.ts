import type { Horizon } from '@homeport/contract/horizons';
import { chartPoints } from '@homeport/contract/limits';
import type { UsePoint } from '@homeport/contract/proxies/schema';
import { type Owner, readProxyUse } from '@homeport/store';
import { findProxyOutline } from '../records/proxy-record.ts';
import type { ProxyDeps } from './deps.ts';

const minuteMs = 60_000;
/** The length of one point. The longest month: a horizon never begins too late. */
const pointMs: Record<Horizon, number> = {
  all: minuteMs,
  hourly: 60 * minuteMs,
  daily: 24 * 60 * minuteMs,
  monthly: 31 * 24 * 60 * minuteMs,
};

/** What visitors did with each rule, over as many points as a chart shows. */
export function readUse(
  { store, clock }: ProxyDeps,
  owner: Owner,
  id: string,
  horizon: Horizon,
): Promise<UsePoint[]> {
  return store.read(owner, async (scope) => {
    const { id: proxyId } = await findProxyOutline(scope, id);
    const since = clock() - chartPoints * pointMs[horizon];
    return readProxyUse(scope.db, { proxyId, horizon, since });
  });
}
