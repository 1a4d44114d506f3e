import { notificationKinds } from '@homeport/contract/notifications/kinds';
import type { Server } from '@homeport/contract/servers/schema';
import { problemText } from '../../../data/problem-text.ts';
import { useAct, useApi } from '../../../data/use-api.ts';
import { ByEmail } from '../../../notifications/ByEmail.tsx';
import { toast } from '../../../ui/feedback/toasts.ts';

/** Which news of a server is mailed, and the mails sent so far. */
export function ServerByEmail({ server: { id, name } }: { server: Pick<Server, 'id' | 'name'> }) {
  const { data, error, refetch } = useApi('GET /api/servers/:id/notifications', { params: { id } });
  const change = useAct('PUT /api/servers/:id/notifications', {
    onFailed: (failure) => toast.bad(problemText(failure)),
  });
  return (
    <ByEmail
      kinds={notificationKinds.server}
      notifications={data}
      problem={error && !data ? problemText(error) : null}
      onRetry={() => void refetch()}
      allLabel={`E-mail about ${name} and its apps`}
      wish={change.isPending ? change.variables.body : undefined}
      onChange={(body) => change.mutate({ params: { id }, body })}
    />
  );
}
