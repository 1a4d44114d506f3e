import type { Operation } from '@homeport/contract/operations/schema';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { apiQuery } from '../data/api-query.ts';
import { expectedIds, forgetToasts } from '../operations/expected-toasts.ts';
import { markSeen } from '../operations/mark-seen.ts';
import { showNewToasts } from '../operations/operation-toasts.ts';
import { useKeepGoing } from '../operations/use-keep-going.ts';

interface GoingOperationsProps {
  active: readonly Operation[];
  /** Grows with each operation whose toasts are expected. */
  expected: number;
}

/**
 * Keeps the user's operations going, and shows their toasts. It is part of the frame: a file that is loaded later may not arrive after an
 * update of the console, and this page would let the operations wait in silence.
 */
export function GoingOperations({ active, expected }: GoingOperationsProps) {
  useKeepGoing(active);
  useToasts(active, expected);
  return null;
}

/**
 * The last toasts of an operation arrive with its end. Therefore an operation that left the active list is
 * read once more.
 */
function useToasts(active: readonly Operation[], expected: number) {
  const client = useQueryClient();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another expected operation must be read too
  useEffect(() => {
    for (const operation of active) showNewToasts(operation);
    const gone = expectedIds().filter((id) => !active.some((operation) => operation.id === id));
    for (const id of gone) {
      client.fetchQuery({ ...apiQuery('GET /api/operations/:id', { params: { id } }), staleTime: 0 }).then(
        (operation) => {
          showNewToasts(operation);
          markSeen(operation);
        },
        () => forgetToasts(id),
      );
    }
  }, [active, expected, client]);
}
