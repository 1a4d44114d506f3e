import { expect, it } from 'vitest';
import { createReaper, type Watched } from './reaper.ts';

it('looks at all that is under way, also when some of it ends at a look, and at nothing that has ended', async () => {
  const sweep = createReaper(1, () => undefined);
  const looked: number[] = [];
  const watched = Array.from(
    { length: 5 },
    (_, index): Watched => ({
      sweepPlace: -1,
      look() {
        looked.push(index);
        // One that ends may end others.
        if (index === 0) for (const at of [0, 3]) sweep.delete(watched[at] ?? this);
      },
    }),
  );
  for (const one of watched) sweep.add(one);
  sweep.add(watched[1] ?? { sweepPlace: -1, look: () => undefined });
  sweep.delete(watched[4] ?? { sweepPlace: -1, look: () => undefined });
  expect(sweep.size).toBe(4);
  await expect.poll(() => looked.length).toBeGreaterThanOrEqual(5);
  sweep.stop();
  expect(looked.slice(0, 3)).toEqual([0, 1, 2]);
  expect(new Set(looked)).toEqual(new Set([0, 1, 2]));
  expect(sweep.size).toBe(2);
  for (const one of watched) sweep.delete(one);
  expect(sweep.size).toBe(0);
});

it('looks at the others when one throws, and tells of that one once', async () => {
  const failures: unknown[] = [];
  const sweep = createReaper(1, (error) => failures.push(error));
  const wrong = new Error('a look that fails');
  let looks = 0;
  const throwing: Watched = {
    sweepPlace: -1,
    look() {
      throw wrong;
    },
  };
  sweep.add(throwing);
  sweep.add({ sweepPlace: -1, look: () => (looks += 1) });
  await expect.poll(() => looks).toBeGreaterThanOrEqual(3);
  sweep.stop();
  expect(failures).toEqual([wrong]);
  sweep.delete(throwing);
  expect(sweep.size).toBe(1);
});
