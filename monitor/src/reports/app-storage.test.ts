import { expect, test } from 'vitest';
import { makeReport } from '../testing.ts';
import { storageOf } from './app-storage.ts';

const [web, worker] = ['a', 'b'].map((letter) => letter.repeat(64)) as [string, string];
const short = (id: string) => id.slice(0, 11);
const received = 1_000_000;
/** The agent's clock is 500 ms behind. */
const latest = (more: object) =>
  JSON.stringify({
    update_time: received,
    report: makeReport(received - 500, { storage_ts: 900_000, ...more }),
  });
const data = { path: '/data', bytes: 5 };
const read = (more: object, ...ids: string[]) => storageOf(latest(more), ids.map(short));

test('folders of the app’s own containers count, each once', () => {
  const apps = [
    { id: web, mounts: [data, { path: '/more', bytes: 2 }] },
    { id: worker, mounts: [data] },
    { id: 'c'.repeat(64), mounts: [{ path: '/other', bytes: 100 }] },
  ];
  expect(read({ apps }, web, worker)).toEqual({ bytes: 7, measuredAt: 900_500 });
  expect(read({ apps }, worker)).toEqual({ bytes: 5, measuredAt: 900_500 });
});

test('the sum is not known while the size of one folder is not, or the agent measures none', () => {
  const unread = { path: '/unread', bytes: null };
  expect(read({ apps: [{ id: web, mounts: [data, unread] }] }, web)).toBeNull();
  expect(read({ apps: [{ id: web }] }, web)).toBeNull();
  expect(read({ apps: [{ id: web, mounts: [data] }], storage_ts: null }, web)).toBeNull();
  expect(read({ apps: [] }, web)).toBeNull();
  expect(storageOf('{"update_time":1,"load":[]}', [short(web)])).toBeNull();
});
