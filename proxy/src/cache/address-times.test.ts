import { expect, it } from 'vitest';
import { AddressTimes } from './address-times.ts';

const bounds = { addresses: 12, characters: 1_000 };
const addresses = (prefix: string, count: number) =>
  Array.from({ length: count }, (_none, index) => `${prefix}${String(index).padStart(2, '0')}`);
const known = (times: AddressTimes, names: readonly string[]) =>
  names.filter((name) => times.get(name) !== undefined);

it('keeps the last time of each address', () => {
  const times = new AddressTimes(bounds);
  times.set('ada', '/a', 1);
  times.set('ada', '/b', 2);
  times.set('ada', '/a', 3);
  expect([times.get('/a'), times.get('/b'), times.get('/c')]).toEqual([3, 2, undefined]);
  expect(times).toMatchObject({ addresses: 2, characters: 4 });
});

it('lets an account have as many addresses as stay free, and forgets its own oldest', () => {
  const times = new AddressTimes(bounds);
  times.set('ada', '/ada', 1);
  const ofEve = addresses('/eve-', 40);
  for (const address of ofEve) times.set('eve', address, 1);
  expect(known(times, ofEve)).toEqual(ofEve.slice(-5));
  // Whoever is named again is not the oldest any more.
  times.set('eve', ofEve[35] ?? '', 2);
  times.set('eve', '/eve-new', 2);
  expect(known(times, ofEve)).toEqual([...ofEve.slice(35, 36), ...ofEve.slice(-3)]);
  expect(times.get('/ada')).toBe(1);
  // And another account finds room beside it.
  const ofGrace = addresses('/grace-', 2);
  for (const address of ofGrace) times.set('grace', address, 1);
  expect(known(times, ofGrace)).toEqual(ofGrace);
});

it('counts letters, so that long addresses leave room for the short ones of others', () => {
  const times = new AddressTimes({ addresses: 1_000, characters: 1_000 });
  for (let index = 0; index < 100; index += 1) times.set('eve', `/${index}/`.padEnd(100, 'e'), 1);
  expect(times).toMatchObject({ addresses: 5, characters: 500 });
  times.set('ada', '/ada', 1);
  expect(times.get('/ada')).toBe(1);
  times.set('eve', '/longer-than-all'.padEnd(2_000, 'e'), 1);
  expect(times).toMatchObject({ addresses: 1, characters: 4 });
});

it('moves an address to the account that holds it now', () => {
  const times = new AddressTimes(bounds);
  times.set('eve', '/moved', 1);
  times.set('ada', '/moved', 2);
  for (const address of addresses('/eve-', 40)) times.set('eve', address, 3);
  expect(times.get('/moved')).toBe(2);
});
