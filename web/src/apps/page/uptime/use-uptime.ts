import type { App } from '@homeport/contract/apps/schema';
import { useApi } from '../../../data/use-api.ts';

/** The outside checks of an app. undefined until they are known, null when the app is not checked. */
export function useUptime(app: Pick<App, 'monitorId'>) {
  const query = useApi('GET /monitor/uptime/:monitorId', { params: { monitorId: app.monitorId } });
  return { ...query, uptime: query.data?.uptime };
}
