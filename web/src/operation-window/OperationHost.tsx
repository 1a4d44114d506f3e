import type { Operation } from '@homeport/contract/operations/schema';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { activeOperationsQuery } from '../operations/active-operations.ts';
import { expectToasts, onExpected } from '../operations/expected-toasts.ts';
import { bringBack } from '../operations/left-result.ts';
import { closeOperation, takeLeftOperation, useOpenOperation } from '../operations/open-operation.ts';
import { GoingOperations } from './GoingOperations.tsx';

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
  const expected = useExpected(active);
  useLeftOperation();
  return (
    <>
      {active && <GoingOperations active={active} expected={expected} />}
      {id !== null && (
        <Suspense fallback={null}>
          <OperationWindow key={id} id={id} onClose={closeOperation} />
        </Suspense>
      )}
    </>
  );
}

function useLeftOperation() {
  const client = useQueryClient();
  useEffect(() => {
    const id = takeLeftOperation();
    if (id !== null) void bringBack(client, id);
  }, [client]);
}

/** Counts the operations whose toasts are expected: of those that this page starts, and of those that go on. */
function useExpected(active: readonly Operation[] | undefined): number {
  const [expected, setExpected] = useState(0);
  useEffect(() => onExpected(() => setExpected((count) => count + 1)), []);
  useEffect(() => {
    // An operation that ends meanwhile is read once more.
    for (const { id } of active ?? []) expectToasts(id);
  }, [active]);
  return expected;
}
