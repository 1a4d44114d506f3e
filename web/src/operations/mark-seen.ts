import type { Operation } from '@homeport/contract/operations';
import { call } from '../data/call.ts';

/** Which failures this tab has said that it showed. */
const marked = new Set<string>();

/** Says that this page shows a failure to somebody, who then need not be told of it in another way. */
export function markSeen({ id, state, endedAt }: Pick<Operation, 'id' | 'state' | 'endedAt'>): void {
  // Run again it can fail again.
  const failure = `${id} ${endedAt}`;
  if (state !== 'failed' || document.visibilityState !== 'visible' || marked.has(failure)) return;
  marked.add(failure);
  call('POST /api/operations/:id/seen', { params: { id } }).catch(() => marked.delete(failure));
}
