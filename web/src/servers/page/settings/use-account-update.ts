import { problemText } from '../../../data/problem-text.ts';
import { useAct } from '../../../data/use-api.ts';
import { openOperation } from '../../../operations/open-operation.ts';
import { toast } from '../../../ui/feedback/toasts.ts';

/** Makes the console's own account on a server accept the credential's key, and shows the operation. */
export function useAccountUpdate(serverId: string) {
  const update = useAct('POST /api/servers/:id/account', {
    onDone: (operation) => openOperation(operation.id),
    onFailed: (error) => toast.bad(problemText(error)),
  });
  return { start: () => update.mutate({ params: { id: serverId } }), isPending: update.isPending };
}
