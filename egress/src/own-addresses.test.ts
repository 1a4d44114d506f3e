import { networkInterfaces } from 'node:os';
import { expect, it } from 'vitest';
import { createOwnAddresses } from './own-addresses.ts';

it('knows each address of an interface, and reads the interfaces again after a second', () => {
  let now = 0;
  let addresses = ['203.0.113.5', '2001:db8:0:0::5', 'fe80::1%eth0'];
  const isOwn = createOwnAddresses(
    () => addresses,
    () => now,
  );
  expect(['203.0.113.5', '2001:db8::5', '127.3.4.5', '::1'].map(isOwn)).toEqual([true, true, true, true]);
  addresses = ['203.0.113.6'];
  expect(isOwn('203.0.113.6')).toBe(false);
  now = 1_001;
  expect(['203.0.113.5', '203.0.113.6'].map(isOwn)).toEqual([false, true]);
});

it('reads this machine’s interfaces', () => {
  const isOwn = createOwnAddresses();
  for (const cards of Object.values(networkInterfaces()))
    for (const { address, family } of cards ?? [])
      if (family === 'IPv4') expect(isOwn(address), address).toBe(true);
});
