import type { Owner } from '@homeport/store';
import { ProblemError } from '../http/problem.ts';
import { findProxy, findProxyOutline, type ProxyRow } from '../records/proxy-record.ts';
import type { ProxyDeps } from './deps.ts';

/** A proxy that grew while its reader waited is weighed again. Whoever lets it grow each time is refused. */
const weighings = 3;

/** Reads a proxy when its account's pace allows it. Throws `not_found`, or `too_many` where that would take too long. */
export async function readPaced(
  { store, pace }: Pick<ProxyDeps, 'store' | 'pace'>,
  owner: Owner,
  id: string,
): Promise<ProxyRow> {
  let counted = 0;
  for (let weighed = 0; weighed < weighings; weighed += 1) {
    const found = await store.read(owner, async (scope) => {
      const { bytes } = await findProxyOutline(scope, id);
      return bytes > counted ? { bytes } : { row: await findProxy(scope, id) };
    });
    if ('row' in found) return found.row;
    await pace.admit(owner, found.bytes - counted);
    counted = found.bytes;
  }
  throw new ProblemError('too_many', 'The proxy is being changed faster than it can be read.', {
    retryAfterSeconds: 1,
  });
}
