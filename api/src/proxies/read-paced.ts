import type { Owner } from '@homeport/store';
import { findProxy, findProxyOutline, type ProxyRow } from '../records/proxy-record.ts';
import type { ProxyDeps } from './deps.ts';

/** How often the bytes of a proxy count for its account's pace. A change reads the proxy and writes it. */
const counts = { read: 1, change: 2 } as const;

/** Reads a proxy when its account's pace allows it. Throws `not_found`, or `too_many` where that would take too long. */
export async function readPaced(
  { store, pace }: Pick<ProxyDeps, 'store' | 'pace'>,
  owner: Owner,
  id: string,
  to: keyof typeof counts,
): Promise<ProxyRow> {
  const { bytes } = await store.read(owner, (scope) => findProxyOutline(scope, id));
  await pace.admit(owner, counts[to] * bytes);
  return store.read(owner, (scope) => findProxy(scope, id));
}
