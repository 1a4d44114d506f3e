import { nameLookups } from '@homeport/contract/servers/facts';
import { type Refusal, RefusedDestination } from '@homeport/egress';
import { ownerFromSession } from '@homeport/store';
import { beforeEach, expect, test } from 'vitest';
import { createServerAddresses, leadsTo, type ServerAddresses } from './server-addresses.ts';

const owner = ownerFromSession('ines');
const zone: Record<string, string[] | Error> = {
  'vps.example.com': ['203.0.113.7', '2001:db8:0:0::7'],
  'app.vps.example.com': ['203.0.113.7'],
  'both.example.com': ['203.0.113.7', '203.0.113.9'],
  'inside.example.com': refused({ kind: 'private', text: '10.0.0.5', port: 22 }),
  'silent.example.com': failed('ETIMEOUT'),
  'none.example.com': failed('ENOTFOUND'),
};
function refused(refusal: Refusal) {
  return new RefusedDestination(refusal);
}
function failed(code: string) {
  return Object.assign(new Error(code), { code });
}

/** Questions that nobody has answered yet. */
let held: { name: string; answer: () => void; signal: AbortSignal | undefined }[];
let holds: boolean;
let logged: object[];
let addresses: ServerAddresses;
beforeEach(() => {
  [held, holds, logged] = [[], false, []];
  addresses = createServerAddresses(
    {
      async addressesOf(name, _port, signal) {
        if (holds) await new Promise<void>((answer) => held.push({ name, answer, signal }));
        const found = zone[name] ?? ['203.0.113.1'];
        if (found instanceof Error) throw found;
        return found.map((address) => ({ address, family: 4 }));
      },
    },
    { info: (fields) => logged.push(fields) },
  );
});
const at = (ip: string) => ({ ip, port: 22 });
const of = (ip: string) => addresses.of(owner, at(ip));
const answerAll = () => {
  for (const { answer } of held.splice(0)) answer();
};

test('a name has its addresses in one spelling, and an address is its own without a question', async () => {
  expect(await of('vps.example.com')).toEqual({ kind: 'found', addresses: ['203.0.113.7', '2001:db8::7'] });
  holds = true;
  expect(await of('2001:db8::9')).toEqual({ kind: 'found', addresses: ['2001:db8::9'] });
});

test('a name that leads into the operator’s network is like one that does not exist, and only the log says more', async () => {
  expect(await of('none.example.com')).toEqual({ kind: 'none' });
  expect(logged).toEqual([]);
  expect(await of('inside.example.com')).toEqual({ kind: 'none' });
  expect(logged).toMatchObject([{ name: 'inside.example.com', address: '10.0.0.5' }]);
});

test('a name server that does not answer says nothing about the name', async () => {
  expect(await of('silent.example.com')).toEqual({ kind: 'unknown' });
});

test('the same name is asked for once at a time', async () => {
  holds = true;
  const asked = [of('vps.example.com'), of('vps.example.com')];
  await expect.poll(() => held.length).toBe(1);
  answerAll();
  expect(await Promise.all(asked)).toMatchObject([{ kind: 'found' }, { kind: 'found' }]);
  const again = of('vps.example.com');
  await expect.poll(() => held.length).toBe(1);
  answerAll();
  await again;
});

test('one person has a limited number of look-ups at once, and the next one waits for its turn', async () => {
  holds = true;
  const asked = Array.from({ length: nameLookups.perPerson + 1 }, (_, n) => of(`n${n}.example.com`));
  const other = addresses.of(ownerFromSession('otto'), at('vps.example.com'));
  await expect.poll(() => held.length).toBe(nameLookups.perPerson + 1);
  holds = false;
  answerAll();
  expect(await other).toMatchObject({ kind: 'found' });
  expect(new Set((await Promise.all(asked)).map(({ kind }) => kind))).toEqual(new Set(['found']));
});

test('a request that ends waits no longer, and the last one that wanted a name ends its look-up', async () => {
  holds = true;
  const [first, second] = [new AbortController(), new AbortController()];
  const asked = [first, second].map(({ signal }) => addresses.of(owner, at('vps.example.com'), signal));
  await expect.poll(() => held.length).toBe(1);
  first.abort();
  expect(await asked[0]).toEqual({ kind: 'unknown' });
  expect(held[0]?.signal?.aborted).toBe(false);
  second.abort();
  expect(await asked[1]).toEqual({ kind: 'unknown' });
  expect(held[0]?.signal?.aborted).toBe(true);
  // Who asks now gets an answer of their own.
  const later = of('vps.example.com');
  await expect.poll(() => held.length).toBe(2);
  answerAll();
  expect(await later).toMatchObject({ kind: 'found' });
  expect(await addresses.of(owner, at('vps.example.com'), first.signal)).toEqual({ kind: 'unknown' });
});

test('several are looked up a few at a time, and answered in their order', async () => {
  holds = true;
  const names = Array.from({ length: 6 }, (_, n) => at(`n${n}.example.com`));
  const asked = addresses.ofEach(owner, [at('203.0.113.8'), ...names, at('none.example.com')]);
  await expect.poll(() => held.length).toBe(nameLookups.together);
  holds = false;
  answerAll();
  const found = await asked;
  expect(found.map(({ kind }) => kind)).toEqual([...Array.from({ length: 7 }, () => 'found'), 'none']);
  expect(found[0]).toEqual({ kind: 'found', addresses: ['203.0.113.8'] });
});

test.each([
  ['app.vps.example.com', true],
  ['both.example.com', false],
  ['none.example.com', false],
  ['inside.example.com', false],
  ['silent.example.com', null],
])('%s leads to the server and to no other machine: %s', async (domain, leads) => {
  expect(await leadsTo(addresses, owner, domain, at('vps.example.com'))).toBe(leads);
  expect(await leadsTo(addresses, owner, 'app.vps.example.com', at('silent.example.com'))).toBeNull();
});
