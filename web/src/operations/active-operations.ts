import type { Operation } from '@homeport/contract/operations/schema';
import { apiQuery } from '../data/api-query.ts';

/** Operations that go on, wait, or were interrupted by an end of the console; newest first. */
export const activeOperationsQuery = apiQuery('GET /api/operations', { query: { active: 'true' } });

const shownForMs = 24 * 3_600_000;

/** What the header names: interrupted work is offered for a day. */
export function worthShowing(operations: readonly Operation[], now: number): Operation[] {
  return operations.filter(
    ({ state, endedAt, createdAt }) => state !== 'interrupted' || now - (endedAt ?? createdAt) < shownForMs,
  );
}
