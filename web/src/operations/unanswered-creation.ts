import type { OperationKind } from '@homeport/contract/operations/facts';
import type { Operation } from '@homeport/contract/operations/schema';

/** The largest accepted difference between the page's clock and the console's clock. */
const clocksDifferMs = 60_000;

/** A creation that the page sent. */
export interface SentCreation {
  kind: OperationKind;
  /** When the page sent it. */
  since: number;
  serverId: string;
  /** The name of the new thing, with which the operation's title ends. */
  name: string;
}

/**
 * Finds a creation that the console began although its answer never arrived. null when the console never
 * received the request.
 */
export function findUnanswered(operations: readonly Operation[], sent: SentCreation): Operation | null {
  return (
    operations.find(
      ({ kind, serverId, createdAt, title }) =>
        kind === sent.kind &&
        serverId === sent.serverId &&
        createdAt >= sent.since - clocksDifferMs &&
        title.endsWith(sent.name),
    ) ?? null
  );
}
