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

it('names the programs of PostgreSQL that the operator named, and the older data that are kept', async () => {
  const kept = [
    { folder: '/data/postgres.17', major: 17, bytes: 5, goesAt: 9 },
    { folder: '/data/postgres.1', major: 17, bytes: null, goesAt: null },
  ];
  const postgres = { programs: '/opt/pg/bin', kept: async () => kept };
  const own = await startTestApi({ signUps: 'open' }, { postgres });
  try {
    const ada = await own.signUp('ada');
    const { programs, kept: shown } = bodyOf<ConsoleFacts>(await ada.call('GET /api/console'), 200).postgres;
    expect({ programs, shown }).toEqual({ programs: '/opt/pg/bin', shown: kept });
  } finally {
    await own[Symbol.asyncDispose]();
  }
  const theirs = await startTestApi({ signUps: 'open', sole: false }, { postgres });
  try {
    const ada = await theirs.signUp('ada');
    const facts = bodyOf<ConsoleFacts>(await ada.call('GET /api/console'), 200);
    expect(facts.postgres).toMatchObject({ embedded: false, programs: null, kept: [] });
  } finally {
    await theirs[Symbol.asyncDispose]();
  }
});
