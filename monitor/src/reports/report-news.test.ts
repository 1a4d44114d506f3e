import { testDatabase } from '@homeport/store/testing';
import { expect, test } from 'vitest';
import { createReportNews } from './report-news.ts';

async function listening() {
  const database = await testDatabase();
  const { listener, pool } = database.store;
  const heard: (readonly string[])[] = [];
  await listener.on('reports', ({ monitorIds }) => heard.push(monitorIds));
  const failed: unknown[] = [];
  return {
    ...{ heard, failed, pool, news: createReportNews(pool, (error) => failed.push(error)) },
    [Symbol.asyncDispose]: () => database.close(),
  };
}

test('one notification stands for a batch, and the next one for all that came while it was sent', async () => {
  await using there = await listening();
  const { news, heard } = there;
  news.tell(['a', 'b']);
  news.tell(['c']);
  news.tell([]);
  news.tell(['a', 'c', 'd']);
  await news.close();
  await expect
    .poll(() => heard)
    .toEqual([
      ['a', 'b'],
      ['c', 'a', 'd'],
    ]);
  news.tell(['e']);
  await news.close();
  await expect.poll(() => heard.slice(2)).toEqual([['e']]);
});

test('more monitor ids than a notification holds are sent in several', async () => {
  await using there = await listening();
  const ids = Array.from({ length: 501 }, (_, n) => `nq-${'x'.repeat(50)}-${n}`);
  there.news.tell(ids);
  await there.news.close();
  await expect.poll(() => there.heard.flat()).toEqual(ids);
  expect(there.heard.length).toBeGreaterThan(1);
});

test('a notification that fails is said, and the next one is sent', async () => {
  await using there = await listening();
  const news = createReportNews(
    {
      query: (async (...asked: Parameters<typeof there.pool.query>) => {
        if (there.failed.length === 0) throw new Error('gone');
        return there.pool.query(...asked);
      }) as typeof there.pool.query,
    },
    (error) => there.failed.push(error),
  );
  news.tell(['lost']);
  await news.close();
  expect(there.failed).toMatchObject([{ message: 'gone' }]);
  news.tell(['sent']);
  await news.close();
  await expect.poll(() => there.heard).toEqual([['sent']]);
});
