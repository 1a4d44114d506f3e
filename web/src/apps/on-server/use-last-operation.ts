import type { Operation } from '@homeport/contract/operations/schema';
import { useState } from 'react';
import { useApi } from '../../data/use-api.ts';

/** The app's newest operation that `counts`. `known`: the console has told, or cannot. */
export function useLastOperation(
  appId: string,
  counts: (operation: Operation) => boolean,
): { operation: Operation | null; known: boolean } {
  const operations = useApi('GET /api/operations', { query: { appId } });
  const newest = operations.data?.find(counts) ?? null;
  const [last, setLast] = useState(newest);
  // An operation that the console no longer lists has been all the same.
  if (newest && newest.id !== last?.id) setLast(newest);
  return { operation: newest ?? last, known: !operations.isPending };
}
