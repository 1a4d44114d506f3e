import { problemText } from '../data/problem-text.ts';
import { useAct } from '../data/use-api.ts';
import { openOperation } from '../operations/open-operation.ts';
import { Button } from '../ui/button/Button.tsx';
import { toast } from '../ui/feedback/toasts.ts';

/** Removes what a creation left on its server, and shows that work. */
export function RemoveRemains({ creationId }: { creationId: string }) {
  const remove = useAct('POST /api/operations/:id/remove-remains', {
    onDone: ({ id }) => openOperation(id),
    onFailed: (error) => toast.bad(problemText(error)),
  });
  return (
    <Button
      size="sm"
      icon="trash"
      busy={remove.isPending}
      busyLabel="Removing"
      onClick={() => remove.mutate({ params: { id: creationId } })}
    >
      Remove the remains
    </Button>
  );
}
