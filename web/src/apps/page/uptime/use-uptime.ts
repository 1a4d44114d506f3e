import type { App } from '@homeport/contract/apps/schema';
import { useApi } from '../../../data/use-api.ts';

/** The checks of an app: undefined until they are known, null where it is not checked. */
export function useUptime(app: Pick<App, 'monitorId'>) {
  const query = useApi('GET /monitor/uptime/:monitorId', { params: { monitorId: app.monitorId } });
  return { ...query, uptime: query.data?.uptime };
}
