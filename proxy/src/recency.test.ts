import { expect, it } from 'vitest';
import { type Place, Recency } from './recency.ts';

it('gives the value that was not used for the longest time, as a list that is sorted at each use does', () => {
  const recency = new Recency<number>();
  const places = new Map<number, Place<number>>();
  let order: number[] = [];
  let seed = 1;
  const below = (most: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % most;
  };
  for (let step = 0; step < 20_000; step += 1) {
    const value = below(12);
    const place = places.get(value);
    order = order.filter((one) => one !== value);
    if (place === undefined) {
      places.set(value, recency.add(value));
      order.push(value);
    } else if (below(3) === 0) {
      recency.remove(place);
      places.delete(value);
    } else {
      recency.use(place);
      order.push(value);
    }
    expect(recency.oldest).toBe(order[0]);
  }
});
