import type { CreateApp } from '@homeport/contract/apps/schema';
import type { Operation } from '@homeport/contract/operations/schema';

/** The clocks of the page and of the console may differ by this much. */
const clocksDifferMs = 60_000;

/** The creation that was sent and begun, although its answer never arrived; null when the console never had it. */
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
