import type { NewsPage } from '@homeport/contract/notifications/news-page';
import { useQueryClient } from '@tanstack/react-query';
import { renewTopic } from '../../data/live/renew-topic.ts';
import { problemText } from '../../data/problem-text.ts';
import { useAct } from '../../data/use-api.ts';
import { toast } from '../../ui/feedback/toasts.ts';
import { formatDateTime } from '../../ui/text/format.ts';

export type Mutable = Pick<NewsPage['muted'][number], 'of' | 'id' | 'name'>;

/** Mutes for so many minutes; null ends that. */
export function useMute(): (subject: Mutable, minutes: number | null) => void {
  const client = useQueryClient();
  const onFailed = (error: Error) => toast.bad(problemText(error));
  const incident = useAct('PUT /api/notifications/:id/mute', { onFailed });
  const server = useAct('PUT /api/servers/:id/mute', { onFailed });
  const app = useAct('PUT /api/apps/:id/mute', { onFailed });
  return ({ of, id, name }, minutes) => {
    const act = { incident, server, app }[of];
    act.mutate(
      { params: { id }, body: { minutes } },
      {
        onSuccess: ({ mutedUntil }) => {
          void renewTopic(client, 'notifications');
          toast.ok(
            mutedUntil === null
              ? `${name} is no longer muted`
              : `News of ${name} is not sent until ${formatDateTime(mutedUntil)}`,
          );
        },
      },
    );
  };
}
