import type { CreateApp } from '@homeport/contract/apps/schema';
import type { Operation } from '@homeport/contract/operations/schema';

/** The largest accepted difference between the page's clock and the console's clock. */
const clocksDifferMs = 60_000;

/**
 * Finds a creation that the console began although its answer never arrived. null when the console never
 * received the request.
 */
export function findUnanswered(
  operations: readonly Operation[],
  { since, body }: { since: number; body: CreateApp },
): Operation | null {
  return (
    operations.find(
      ({ kind, serverId, createdAt, title }) =>
        kind === 'app.create' &&
        serverId === body.serverId &&
        createdAt >= since - clocksDifferMs &&
        title.endsWith(body.name),
    ) ?? null
  );
}
