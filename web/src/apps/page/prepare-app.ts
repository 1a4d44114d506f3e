import type { QueryClient } from '@tanstack/react-query';
import { apiQuery, firstAnswers, firstRead } from '../../data/api-query.ts';

/**
 * For the loader of an app's page, once the list of apps is known: what its sections ask the console about this app, so that they are
 * drawn once.
 */
export async function prepareApp(
  client: QueryClient,
  { server, longname }: { server: string; longname: string },
): Promise<void> {
  const apps = client.getQueryData(apiQuery('GET /api/apps').queryKey);
  const app = apps?.find((each) => each.serverKey === server && each.longname === longname);
  if (!app) return;
  const params = { id: app.id };
  await firstAnswers(
    client,
    firstRead('GET /api/apps/:id/known', { params }),
    firstRead('GET /api/apps/:id/deploy-instructions', { params }),
    firstRead('GET /api/operations', { query: { appId: app.id } }),
    firstRead('GET /monitor/apps'),
    firstRead('GET /monitor/uptime/:monitorId', { params: { monitorId: app.monitorId } }),
  );
}
