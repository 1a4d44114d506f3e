import { afterAll, expect, it } from 'vitest';
import { answerJson, someToken, startLyingConsole } from '../testing/lying-console.ts';
import { testHome } from '../testing/terminal.ts';

const home = testHome();
afterAll(() => home[Symbol.dispose]());

const id = (last: number) => `6f0c6b0e-1c0b-4c7e-9d4e-2f1f3a0a0a0${last}`;
const server = { id: id(1), name: 'lantern', ip: '192.0.2.1', port: 22, metal: false, monitorId: 'nq1' };
const app = {
  ...{ id: id(2), name: 'blog', longname: 'blog', serverName: 'lantern', monitorId: 'app1', domains: [] },
  ...{ url: null, stopped: false, crash: null, startedAt: null, unread: false, missingSince: null },
  deployment: { status: 'succeeded', at: 1 },
};
const database = {
  ...{ id: id(3), name: 'orders', serverId: id(1), serverName: 'lantern', type: 'postgres' },
  ...{ imageVersion: '18.4', stopped: false, state: 'running' },
};

/** What the commands say where the last reports of the server and of the app came at `reportedAt`. */
async function statesWith(reportedAt: number) {
  const answers: Record<string, unknown> = {
    '/api/servers': [{ ...server, dokkuVersion: '0.37.2' }],
    '/api/apps': [app],
    '/api/databases': [database],
    '/monitor/dumps': [{ key: 'nq1', status: 'active', update_time: reportedAt }],
    '/monitor/apps': [{ key: 'app1', measuredAt: reportedAt }],
  };
  await using console = await startLyingConsole(({ url = '' }, response) =>
    answerJson(response, answers[url]),
  );
  const env = { HOMEPORT_URL: console.url, HOMEPORT_TOKEN: someToken };
  const stateIn = async (command: string, field: number) =>
    (await home.run([command], { env })).out.trimEnd().split('\t')[field];
  return [await stateIn('servers', 2), await stateIn('apps', 2), await stateIn('databases', 3)];
}

it('a state follows from the reports, as on the pages', async () => {
  expect(await statesWith(Date.now())).toEqual(['Online', 'Running', 'Online']);
  const [lantern, blog, orders] = await statesWith(1_000);
  expect(lantern).toBe('Offline');
  expect(blog).toMatch(/^Running, no report for \d+ days$/);
  expect(orders).toBe('Server offline');
});
