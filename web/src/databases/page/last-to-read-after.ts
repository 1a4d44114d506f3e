import { isOver } from '@homeport/contract/operations/facts';
import type { Operation } from '@homeport/contract/operations/schema';

/**
 * The newest operation on a database after whose end its server has something new to say; null: none. A deletion leaves nothing to
 * read, and with the database its operations leave the list.
 */
export function lastToReadAfter(
  operations: readonly Pick<Operation, 'id' | 'kind' | 'state'>[],
): string | null {
  const last = operations.find(
    ({ kind, state }) => isOver(state) && !(kind === 'database.delete' && state === 'succeeded'),
  );
  return last?.id ?? null;
}
