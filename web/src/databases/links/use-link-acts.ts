import type { Database } from '@homeport/contract/databases/schema';
import type { Operation } from '@homeport/contract/operations/schema';
import { orSentence } from '../../data/problem-text.ts';
import { useAct } from '../../data/use-api.ts';
import { openOperation } from '../../operations/open-operation.ts';

const show = { onDone: (operation: Operation) => openOperation(operation.id) };

/** Unlinking and promoting. Each is an operation with a window. They reject with a sentence for the person. */
export function useLinkActs({ id }: Pick<Database, 'id'>) {
  const unlink = useAct('POST /api/databases/:id/unlink', show);
  const promote = useAct('POST /api/databases/:id/promote', show);
  const params = { id };
  return {
    unlink: (appLongname: string, restart: boolean) =>
      orSentence(unlink.mutateAsync({ params, body: { appLongname, restart } })),
    promote: (appLongname: string) => orSentence(promote.mutateAsync({ params, body: { appLongname } })),
  };
}
