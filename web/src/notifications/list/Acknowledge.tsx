import type { NewsPiece } from '@homeport/contract/notifications/news-page';
import { problemText } from '../../data/problem-text.ts';
import { useAct } from '../../data/use-api.ts';
import { Button } from '../../ui/button/Button.tsx';
import { toast } from '../../ui/feedback/toasts.ts';
import layout from '../../ui/layout/layout.module.css';

/** Says of an incident that goes on that somebody looks into it, or takes that back. One button for both, so that the keyboard stays where it is. */
export function Acknowledge({
  piece: { incident, text, acknowledged },
}: {
  piece: Pick<NewsPiece, 'incident' | 'text' | 'acknowledged'>;
}) {
  const isSaid = acknowledged !== null;
  const say = useAct('PUT /api/notifications/:id/acknowledgement', {
    onFailed: (error) => toast.bad(problemText(error)),
  });
  return (
    <Button
      size="sm"
      busy={say.isPending}
      busyLabel="Saving"
      onClick={() => say.mutate({ params: { id: incident }, body: { acknowledged: !isSaid } })}
    >
      {isSaid ? 'Not mine after all' : 'Acknowledge'}
      <span className={layout.visuallyHidden}>: {text}</span>
    </Button>
  );
}
