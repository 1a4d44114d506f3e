import { appStates } from '@homeport/contract/apps/health';
import { z } from 'zod';
import { holds, moment, pageInput, pageOf, recordName } from '../records.ts';
import { readReports, stateOfApp } from '../states.ts';
import { defineTool } from '../tool.ts';

export const listApps = defineTool({
  name: 'list_apps',
  title: 'List apps',
  description:
    'Lists apps with server, state, address and last deploy. Without stats:read an app that should run counts as running.',
  scopes: ['apps:read'],
  input: z.strictObject({
    ...pageInput,
    server: recordName.optional().describe('Only apps of the server with this name.'),
    state: z.enum(appStates).optional().describe('Only apps in this state.'),
  }),
  async run(caller, { query, server, state, ...page }) {
    const [reports, all] = await Promise.all([readReports(caller, 'apps'), caller.read('GET /api/apps')]);
    const now = caller.now();
    const chosen = all.filter(
      (app) =>
        (holds(app.name, query) || holds(app.longname, query)) &&
        (server === undefined || app.serverName === server || app.serverKey === server) &&
        (state === undefined || stateOfApp(reports, app, now) === state),
    );
    const { items, ...rest } = pageOf(chosen, page, (app) => ({
      ...{ id: app.id, name: app.name, dokkuName: app.longname, server: app.serverName, url: app.url },
      state: stateOfApp(reports, app, now),
      lastDeploy: { status: app.deployment.status, at: moment(app.deployment.at) },
    }));
    return { apps: items, ...rest };
  },
});
