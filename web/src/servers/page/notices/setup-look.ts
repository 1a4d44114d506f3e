import { canRunAgain, isOver } from '@homeport/contract/operations/facts';
import type { Operation } from '@homeport/contract/operations/schema';

/** What the page of a server that is not set up knows of its installation. Neither: nobody has begun one, or its record is gone. */
export interface SetupLook<Known> {
  underWay: Known | null;
  /** Ended early: the page offers to go on with it. */
  again: Known | null;
}

/** The operations are those of the server, newest first. */
export function setupLook<Known extends Pick<Operation, 'kind' | 'state'>>(
  operations: readonly Known[],
): SetupLook<Known> {
  const last = operations.find(({ kind }) => kind === 'server.install') ?? null;
  if (!last) return { underWay: null, again: null };
  return { underWay: isOver(last.state) ? null : last, again: canRunAgain(last.state) ? last : null };
}
