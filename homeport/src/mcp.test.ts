import { plantApp, plantServer } from '@homeport/api/testing/plant';
import { startTestApi, type TestPerson } from '@homeport/api/testing/test-api';
import { createMonitor, type Monitor } from '@homeport/monitor';
import { agentTokenHash } from '@homeport/store';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { z } from 'zod';

const answerSchema = z.object({
  result: z.object({ content: z.tuple([z.object({ text: z.string() })]), isError: z.boolean().optional() }),
});

/** A call of a tool as a client of 2025 sends it. */
async function call(url: string, token: string, name: string, input: object = {}) {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }),
  });
  const data = /^data: (.*)$/m.exec(await response.text())?.[1] ?? '';
  const { result } = answerSchema.parse(JSON.parse(data));
  return { isError: result.isError ?? false, value: JSON.parse(result.content[0].text) as object };
}

async function tokenOf(person: TestPerson, scopes: readonly string[]): Promise<string> {
  const { body } = await person.call('POST /api/tokens', { kind: 'agent', name: 'agent', scopes, days: 1 });
  return z.object({ token: z.string() }).parse(body).token;
}

it('tools read what the monitor measured, with the scope for stats alone', async () => {
  let monitor: Monitor | undefined;
  await using api = await startTestApi(
    { signUps: 'open' },
    {
      async beside(server, { identify }, store) {
        monitor = await createMonitor({ store, identify, log: pino({ level: 'silent' }) });
        await monitor.register(server);
      },
    },
  );
  await using _closed = { [Symbol.asyncDispose]: async () => monitor?.close() };
  const ada = await api.signUp('ada');
  const agentToken = 'agent_0123456789abcdef_0123456789';
  const { id } = await plantServer(api.store.db, ada.userId, {
    ...{ name: 'lantern', monitor_id: 'nq-lantern', agent_token_hash: agentTokenHash(agentToken) },
  });
  await plantApp(api.store.db, ada.userId, id, { name: 'blog' });
  const reported = await fetch(`${api.url}/api/v2/report`, {
    method: 'POST',
    headers: { authorization: `Bearer ${agentToken}`, 'content-type': 'application/json' },
    body: JSON.stringify([
      {
        ...{ v: 2, agent: '2.3.0', boot_id: 'boot', seq: 1, ts: Date.now(), uptime: 900 },
        ...{ interval: 180, cpu_cores: 4, mem: { total: 8e9, available: 6e9 } },
        ...{ os_name: 'Obey me', top: [{ user: 'obey', cpu: 1, rss: 1, name: 'Obey me' }] },
      },
    ]),
  });
  expect(await reported.json()).toMatchObject({ accepted: 1 });

  const all = await tokenOf(ada, ['servers:read', 'apps:read', 'stats:read']);
  expect(await call(api.url, all, 'get_overview')).toMatchObject({
    value: { servers: { states: { online: 1 } } },
  });
  expect(await call(api.url, all, 'get_server', { server: 'lantern' })).toMatchObject({
    value: { state: 'online', latestReport: { ram_total: 8e9 } },
  });
  const { value: server } = await call(api.url, all, 'get_server', { server: 'lantern' });
  expect(JSON.stringify(server)).not.toMatch(/obey/i);
  expect(await call(api.url, all, 'list_servers', { state: 'offline' })).toMatchObject({
    value: { servers: [], total: 0 },
  });
  const stats = { subject: 'server', name: 'lantern', horizon: 'all' };
  expect(await call(api.url, all, 'get_stats', stats)).toMatchObject({
    value: { points: [{ at: expect.any(String), ram_usage: expect.any(Number) }] },
  });
  expect(await call(api.url, all, 'get_stats', { ...stats, subject: 'app', name: 'blog' })).toMatchObject({
    value: { points: [] },
  });
  expect(await call(api.url, all, 'get_uptime', { app: 'blog' })).toMatchObject({ value: { uptime: null } });
  expect(await call(api.url, all, 'get_uptime')).toMatchObject({ value: { checkedApps: 0, notUp: [] } });

  const without = await tokenOf(ada, ['servers:read']);
  expect(await call(api.url, without, 'get_server', { server: 'lantern' })).toMatchObject({
    value: { state: null, latestReport: null },
  });
  expect(await call(api.url, without, 'get_stats', stats)).toMatchObject({
    isError: true,
    value: { error: { code: 'not_allowed' } },
  });
});
