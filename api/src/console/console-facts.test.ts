import type { ConsoleFacts } from '@homeport/contract/console/schema';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bodyOf, startTestApi, type TestApi } from '../http/testing.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ version: '1.2.3', commit: 'c0ffee', signUps: 'open' });
});
afterAll(() => api[Symbol.asyncDispose]());

it('tells the owner alone what runs here', async () => {
  const ada = await api.signUp('ada');
  const bob = await api.signUp('bob');
  expect((await bob.call('GET /api/console')).status).toBe(403);
  const facts = bodyOf<ConsoleFacts>(await ada.call('GET /api/console'), 200);
  const { rows } = await api.store.pool.query<{ version: string; schema: number }>(
    "select current_setting('server_version_num') as version, max(number) as schema from migration",
  );
  expect(facts).toMatchObject({
    ...{ version: '1.2.3', commit: 'c0ffee', node: process.versions.node },
    data: { schema: rows[0]?.schema },
  });
  const [major] = facts.postgres.version.split('.');
  expect(rows[0]?.version.startsWith(major ?? '-')).toBe(true);
  expect(facts.postgres.startedAt).toBeLessThanOrEqual(Date.now());
  expect(facts.data.bytes).toBeGreaterThan(1e6);
  expect(facts.data.schemaAt).toBeGreaterThan(facts.postgres.startedAt - 86_400_000 * 365);
});
