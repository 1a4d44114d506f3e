import { notificationKinds } from '@homeport/contract/notifications/kinds';
import { Link } from '@tanstack/react-router';
import { problemText } from '../../data/problem-text.ts';
import { useAct, useApi } from '../../data/use-api.ts';
import { ByEmail } from '../../notifications/ByEmail.tsx';
import { toast } from '../../ui/feedback/toasts.ts';
import type { AppPlace } from '../on-server/app-place.ts';

/** Which news of an app is mailed, and the mails sent so far. */
export function AppByEmail({ place: { app, server } }: { place: Pick<AppPlace, 'app' | 'server'> }) {
  const { id } = app;
  const { data, error, refetch } = useApi('GET /api/apps/:id/notifications', { params: { id } });
  const change = useAct('PUT /api/apps/:id/notifications', {
    onFailed: (failure) => toast.bad(problemText(failure)),
  });
  return (
    <ByEmail
      kinds={notificationKinds.app}
      notifications={data}
      problem={error && !data ? problemText(error) : null}
      onRetry={() => void refetch()}
      allLabel={`E-mail about ${app.name}`}
      silencedByServer={
        <>
          No e-mail is sent, because e-mail about{' '}
          <Link to="/server/$key" params={{ key: server.key }} hash="notifications">
            {server.name} and its apps
          </Link>{' '}
          is switched off.
        </>
      }
      wish={change.isPending ? change.variables.body : undefined}
      onChange={(body) => change.mutate({ params: { id }, body })}
    />
  );
}
