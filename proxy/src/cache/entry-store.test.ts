import { expect, it } from 'vitest';
import { type CachedAnswer, createEntryStore } from './entry-store.ts';

const answer: CachedAnswer = {
  ...{
    site: 's',
    owner: 'ada',
    domain: 'd.test',
    mark: 'm',
    status: 200,
    headers: [],
    body: Buffer.from('x'),
  },
  ...{ storedAt: 0, age: 0, freshUntil: 0, usableUntil: { renewing: 0, failed: 0 } },
  ...{ isPublic: true, vary: { names: [], values: [] }, validators: [] },
};

it('drops for one purge after the other, in parts, so that many at once hold nobody up', async () => {
  const store = createEntryStore({ bytes: 1e9, entries: 1_000, answersOfOneAddress: 1 });
  for (let index = 0; index < 20; index += 1) store.put(`key ${index}`, answer);
  const looked: string[] = [];
  let parts = 0;
  /** Takes so long that a part ends with each key. */
  const slowly = (name: string) => (key: string) => {
    const until = performance.now() + 6;
    while (performance.now() < until);
    looked.push(name);
    return key.endsWith(name);
  };
  const turn = setInterval(() => (parts += 1), 0);
  const [ones, twos] = await Promise.all([
    store.dropFitting('d.test', slowly('1')),
    store.dropFitting('d.test', slowly('2')),
  ]);
  clearInterval(turn);
  expect([ones, twos]).toEqual([2, 2]);
  expect(looked.join('')).toBe('1'.repeat(20) + '2'.repeat(18));
  expect(parts).toBeGreaterThan(20);
});

it('drops what was there, and not what comes while it does', async () => {
  const store = createEntryStore({ bytes: 1e9, entries: 1_000, answersOfOneAddress: 1 });
  for (let index = 0; index < 5; index += 1) store.put(`old ${index}`, answer);
  let looked = 0;
  const dropped = await store.dropFitting('d.test', (key) => {
    looked += 1;
    store.put(`new ${looked}`, answer);
    return key.startsWith('old');
  });
  expect([dropped, looked]).toEqual([5, 5]);
  expect(store.find('new 3')).toHaveLength(1);
  expect(store.find('old 3')).toHaveLength(0);
});

it('looks at what is kept of the purged domain alone, and once for all purges of it that wait', async () => {
  const store = createEntryStore({ bytes: 1e9, entries: 1_000, answersOfOneAddress: 1 });
  for (const domain of ['one.test', 'two.test'])
    for (let index = 0; index < 5; index += 1) store.put(`${domain}/${index}`, { ...answer, domain });
  const looked: string[] = [];
  const watch = (name: string, fits: (key: string) => boolean) => (key: string) => {
    looked.push(`${name} ${key}`);
    return fits(key);
  };
  const purges = [
    store.dropFitting(
      'one.test',
      watch('a', (key) => key.endsWith('0')),
    ),
    store.dropFitting(
      'one.test',
      watch('b', (key) => key.endsWith('1')),
    ),
    store.dropFitting(
      'two.test',
      watch('c', (key) => key.endsWith('1')),
    ),
    store.dropFitting(
      'one.test',
      watch('d', (key) => !key.endsWith('3')),
    ),
    store.dropFitting(
      'none.test',
      watch('e', () => true),
    ),
  ];
  expect(await Promise.all(purges)).toEqual([1, 1, 1, 3, 0]);
  const keys = (from: number, domain = 'one.test') =>
    Array.from({ length: 5 - from }, (_, index) => `${domain}/${from + index}`);
  expect(looked).toEqual([
    ...keys(0).map((key) => `a ${key}`),
    ...keys(1).flatMap((key) => [`b ${key}`, `d ${key}`]),
    ...keys(0, 'two.test').map((key) => `c ${key}`),
  ]);
  expect(store.find('one.test/3')).toHaveLength(1);
});

it('one account takes a quarter of the cache at most, with however many domains, and evicts nobody else’s answers', () => {
  const body = Buffer.alloc(10_000);
  for (const [bounds, other] of [
    [{ bytes: 1e9, entries: 400 }, answer],
    [
      { bytes: 4e6, entries: 1e9 },
      { ...answer, body },
    ],
  ] as const) {
    const store = createEntryStore({ ...bounds, answersOfOneAddress: 1 });
    for (let index = 0; index < 80; index += 1) store.put(`ada ${index}`, other);
    for (let index = 0; index < 2_000; index += 1)
      store.put(`eve ${index}`, { ...other, owner: 'eve', domain: `d${index % 50}.test` });
    const keptOf = (name: string, most: number) =>
      Array.from({ length: most }, (_, index) => store.find(`${name} ${index}`)).filter(
        ({ length }) => length > 0,
      );
    expect(keptOf('ada', 80)).toHaveLength(80);
    expect(keptOf('eve', 2_000).length).toBeLessThanOrEqual(100);
    expect(keptOf('eve', 2_000).length).toBeGreaterThan(80);
  }
});
