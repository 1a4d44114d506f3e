import type { Operation } from '@homeport/contract/operations/schema';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { apiQuery } from '../data/api-query.ts';
import { activeOperationsQuery } from '../operations/active-operations.ts';
import { bringBack } from '../operations/left-result.ts';
import { markSeen } from '../operations/mark-seen.ts';
import { closeOperation, takeLeftOperation, useOpenOperation } from '../operations/open-operation.ts';
import { expectedIds, forgetToasts, onExpected, showNewToasts } from '../operations/operation-toasts.ts';
import { useKeepGoing } from '../operations/use-keep-going.ts';

const OperationWindow = lazy(async () => ({
  default: (await import('./OperationWindow.tsx')).OperationWindow,
}));

/**
 * Keeps the user's operations going, shows their toasts, and shows the open operation. Mounted once, in the
 * frame.
 */
export function OperationHost() {
  const active = useQuery(activeOperationsQuery).data;
  const id = useOpenOperation();
  useKeepGoing(active);
  useLeftOperation();
  useToasts(active);
  if (id === null) return null;
  return (
    <Suspense fallback={null}>
      <OperationWindow key={id} id={id} onClose={closeOperation} />
    </Suspense>
  );
}

function useLeftOperation() {
  const client = useQueryClient();
  useEffect(() => {
    const id = takeLeftOperation();
    if (id !== null) void bringBack(client, id);
  }, [client]);
}

/**
 * The last toasts of an operation arrive with its end. Therefore an operation that left the active list is
 * read once more.
 */
function useToasts(active: readonly Operation[] | undefined) {
  const client = useQueryClient();
  const [expected, setExpected] = useState(0);
  useEffect(() => onExpected(() => setExpected((count) => count + 1)), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another expected operation must be read too
  useEffect(() => {
    if (!active) return;
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
