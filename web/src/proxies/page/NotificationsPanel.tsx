import { notificationKinds } from '@homeport/contract/notifications/kinds';
import type { ProxyRecord } from '@homeport/contract/proxies/schema';
import { problemText } from '../../data/problem-text.ts';
import { useAct, useApi } from '../../data/use-api.ts';
import { ByEmail } from '../../notifications/ByEmail.tsx';
import { toast } from '../../ui/feedback/toasts.ts';
import { Panel } from '../../ui/layout/Panel.tsx';

/** Which news of a proxy is mailed, and the mails sent so far. */
export function NotificationsPanel({ proxy: { id, name } }: { proxy: ProxyRecord }) {
  const { data, error, refetch } = useApi('GET /api/proxies/:id/notifications', { params: { id } });
  const change = useAct('PUT /api/proxies/:id/notifications', {
    onFailed: (failure) => toast.bad(problemText(failure)),
  });
  return (
    <Panel title="Notifications" id="notifications" body="flush" line={false}>
      <ByEmail
        kinds={notificationKinds.proxy}
        notifications={data}
        problem={error && !data ? problemText(error) : null}
        onRetry={() => void refetch()}
        allLabel={`E-mail about ${name}`}
        wish={change.isPending ? change.variables.body : undefined}
        onChange={(body) => change.mutate({ params: { id }, body })}
      />
    </Panel>
  );
}
