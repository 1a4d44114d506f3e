import { setImmediate as pass } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { nextTurn } from './turns.ts';

it('lets one item of all streams through in one pass of the event loop', async () => {
  let done = 0;
  const streams = Array.from({ length: 20 }, async () => {
    await nextTurn('eve');
    done += 1;
  });
  const seen: number[] = [];
  while (done < streams.length) {
    await pass();
    seen.push(done);
  }
  expect(Math.max(...seen.map((count, index) => count - (seen[index - 1] ?? 0)))).toBe(1);
});

it('serves persons in turn, however many streams one of them has', async () => {
  const order: string[] = [];
  const take = async (person: string) => {
    await nextTurn(person);
    order.push(person);
  };
  const eve = Array.from({ length: 50 }, () => take('eve'));
  await Promise.all([take('ada'), take('ada'), ...eve]);
  expect(order.indexOf('ada')).toBeLessThan(2);
  expect(order.lastIndexOf('ada')).toBeLessThan(4);
});
