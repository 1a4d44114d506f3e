import { useServerCall } from '../../connections/call-on-server.ts';
import { problemText } from '../../data/problem-text.ts';
import { toast } from '../../ui/feedback/toasts.ts';

/** Reads the database from its server again. Asks for whatever a connection needs. */
export function useDatabaseRefresh(id: string) {
  const refresh = useServerCall('POST /api/databases/:id/refresh', {
    onFailed: (error) => toast.bad(problemText(error)),
  });
  return { busy: refresh.isPending, run: () => refresh.mutate({ params: { id } }) };
}
