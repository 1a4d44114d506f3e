import { isOver } from '@homeport/contract/operations/facts';
import type { Operation } from '@homeport/contract/operations/schema';
import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { isProblem } from '../data/api-problem.ts';
import { apiQuery } from '../data/api-query.ts';
import { consoleTime } from '../ui/text/console-time.ts';
import { closeOperation, openOperation } from './open-operation.ts';

/** A window that ended longer ago does not come back over what the person does now. */
const returnsForMs = 60_000;

let result: Operation | null = null;
const listeners = new Set<() => void>();

/** The ended operation whose window was left open. The header offers it. */
export function useLeftResult(): Operation | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => result,
  );
}

function keep(operation: Operation | null) {
  result = operation;
  for (const listener of listeners) listener();
}

/** Opens the window of a left result, which then leaves the header. */
export function openLeftResult(id: string): void {
  keep(null);
  openOperation(id);
}

/** Whether the window of this operation comes back by itself after a reload. */
export const returnsAsWindow = (
  { state, endedAt }: Pick<Operation, 'state' | 'endedAt'>,
  now: number,
): boolean => !isOver(state) || now - (endedAt ?? now) < returnsForMs;

/** Brings back what a reload closed: the window, or a line in the header for an operation that ended some time ago. */
export async function bringBack(client: QueryClient, id: string): Promise<void> {
  try {
    const query = apiQuery('GET /api/operations/:id', { params: { id } });
    const operation = await client.fetchQuery({ ...query, staleTime: 0 });
    if (returnsAsWindow(operation, consoleTime())) openOperation(id);
    else keep(operation);
  } catch (error) {
    // Without an answer the window says so itself, and tries again.
    if (isProblem(error, 'not_found')) closeOperation();
    else openOperation(id);
  }
}
