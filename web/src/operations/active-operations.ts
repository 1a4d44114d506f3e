import type { Operation } from '@homeport/contract/operations/schema';
import { apiQuery } from '../data/api-query.ts';

/** Operations that run, wait or were interrupted by the console's end. Newest first. */
export const activeOperationsQuery = apiQuery('GET /api/operations', { query: { active: 'true' } });

const shownForMs = 24 * 3_600_000;

/** The operations in the header. Interrupted ones are offered for a day. */
export function worthShowing(operations: readonly Operation[], now: number): Operation[] {
  return operations.filter(
    ({ state, endedAt, createdAt }) => state !== 'interrupted' || now - (endedAt ?? createdAt) < shownForMs,
  );
}
