import type { Proposal } from '@homeport/contract/proposals/schema';

/** The open proposals that the page did not know of. `known` null: the page has just begun, and the badge alone says what waits. */
export function newOnes<P extends Pick<Proposal, 'id' | 'state'>>(
  proposals: readonly P[],
  known: ReadonlySet<string> | null,
): readonly P[] {
  if (known === null) return [];
  return proposals.filter(({ id, state }) => state === 'open' && !known.has(id));
}
