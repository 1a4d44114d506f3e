import type { Operation } from '@homeport/contract/operations/schema';
import { call } from '../data/call.ts';

/** The failures that this tab has reported as seen. */
const marked = new Set<string>();

/** Tells the console that this page shows a failure to the user, so that no other notification is needed. */
export function markSeen({ id, state, endedAt }: Pick<Operation, 'id' | 'state' | 'endedAt'>): void {
  // A repeated operation can fail again, so the end time is part of the key.
  const failure = `${id} ${endedAt}`;
  if (state !== 'failed' || document.visibilityState !== 'visible' || marked.has(failure)) return;
  marked.add(failure);
  call('POST /api/operations/:id/seen', { params: { id } }).catch(() => marked.delete(failure));
}
