import { randomUUID } from 'node:crypto';
import { mostInteger } from '@homeport/contract/fields/facts';
import { logTail } from '@homeport/contract/operations/facts';
import { type Owner, ownerFromSession } from '@homeport/store';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApi, type TestApi, type TestPerson } from '../http/testing.ts';
import { streamOperation } from './stream.ts';

const lines = 600;
let api: TestApi;
let ada: TestPerson;
let owner: Owner;
let id: string;
beforeAll(async () => {
  api = await startTestApi({ signUps: 'open' });
  ada = await api.signUp('ada');
  owner = ownerFromSession(ada.userId);
  const planted = await api.store.db
    .insertInto('operations')
    .values({
      ...{ owner_id: ada.userId, session_id: randomUUID(), kind: 'app.rebuild', title: 'Rebuild' },
      ...{ lane: randomUUID(), state: 'failed', steps: '[]', input: '{}', created_at: 1, ended_at: 2 },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  id = planted.id;
  const rows = Array.from({ length: lines }, (_, at) => ({
    ...{ operation_id: id, seq: at + 1, at: 1, step: at % 2 === 0 ? 'even' : 'odd', text: `line ${at}` },
    stream: 'out' as const,
  }));
  await api.store.db.insertInto('operation_lines').values(rows).execute();
});
afterAll(() => api?.[Symbol.asyncDispose]());

const follow = (after: number, signal = new AbortController().signal) =>
  streamOperation(api.store.db, owner, id, after, () => () => {}, signal);

it('reads the last lines of a log, of one step or of all, the oldest of them first', async () => {
  const read = async (query: string) =>
    ((await ada.call(`GET /api/operations/${id}/log${query}`)).body as { text: string }[]).map(
      ({ text }) => text,
    );
  expect(await read('?lines=2')).toEqual([`line ${lines - 2}`, `line ${lines - 1}`]);
  expect(await read('?lines=2&step=even')).toEqual([`line ${lines - 4}`, `line ${lines - 2}`]);
  expect((await read('')).length).toBe(logTail.usual);
  expect((await ada.call(`GET /api/operations/${id}/log?lines=${logTail.most + 1}`)).status).toBe(400);
});

it('reads no line for who asks for states alone', async () => {
  const types: string[] = [];
  for await (const { data } of follow(mostInteger)) types.push(data.type);
  expect(types).toEqual(['state']);
});

it('reads no further lines once its reader is gone', async () => {
  const stop = new AbortController();
  let read = 0;
  for await (const { data } of follow(0, stop.signal)) {
    if (data.type === 'lines') read += data.lines.length;
    stop.abort();
  }
  expect(read).toBeLessThan(lines);
});
