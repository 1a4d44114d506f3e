import { keysOfName, pushNamesAtMost } from '@homeport/contract/apps/push-keys/facts';
import { expect, test } from 'vitest';
import { describeKeys } from './describe-keys.ts';
import type { KeysOnServer } from './read-on-server.ts';

const known = { own: [{ id: 'k', fingerprint: 'SHA256:mine' }], deploys: null, mayAdd: true };
const key = (name: string, fingerprint = `SHA256:${name}`) => ({ name, fingerprint });
const describe = (server: KeysOnServer) => describeKeys(server, known);
const short = (server: KeysOnServer) =>
  describe(server).keys.map(({ name, keyId, standing, listed }) => [name, keyId, standing, listed]);

test('a keypair is found by its fingerprint, under whatever name', () => {
  expect(short({ keys: [key('desk', 'SHA256:mine'), key('alice')], listed: ['alice'] })).toEqual([
    ['desk', 'k', 'named', false],
    ['alice', null, 'named', true],
  ]);
  expect(short({ keys: [key('k')], listed: ['k'] })).toEqual([
    [null, 'k', 'absent', false],
    ['k', null, 'named', true],
  ]);
});

test('a name of two keys has one row with both, also where both are the person’s', () => {
  const keys = [key('desk', 'SHA256:mine'), key('desk', 'SHA256:other')];
  const rows = describeKeys(
    { keys, listed: [] },
    { ...known, own: [...known.own, { id: 'k2', fingerprint: 'SHA256:other' }] },
  ).keys;
  expect(rows).toMatchObject([{ name: 'desk', keyId: 'k', fingerprints: ['SHA256:mine', 'SHA256:other'] }]);
});

test.each(["Ada's desk", '$(id)', '-rf', 'a/b', 'x'.repeat(65), ''])(
  'the name %j is passed on to no command',
  (name) => {
    const told = describe({ keys: [key(name, 'SHA256:mine'), key(`${name}"`)], listed: [name, 'alice'] });
    expect(told.keys.map(({ name: shown, standing }) => [shown, standing])).toEqual([
      [null, 'misnamed'],
      ['alice', 'keyless'],
    ]);
    expect(told.odd).toBe(1);
  },
);

test('as many names as a change may hold are shown and changed, and one more is counted', () => {
  const names = (count: number) => Array.from({ length: count }, (_, at) => `key-${at}`);
  const most = describe({ keys: [], listed: names(pushNamesAtMost) });
  expect([most.keys.length, most.more, most.isTooLong]).toEqual([pushNamesAtMost + 1, 0, false]);
  const tooMany = describe({ keys: [], listed: names(pushNamesAtMost + 1) });
  expect([tooMany.keys.length, tooMany.more, tooMany.isTooLong]).toEqual([pushNamesAtMost + 1, 1, true]);
});

test('names on the list come before the other keys of the server', () => {
  const keys = Array.from({ length: pushNamesAtMost + 1 }, (_, at) => key(`key-${at}`));
  const told = describe({ keys, listed: [`key-${pushNamesAtMost}`] });
  expect(told.keys[1]).toMatchObject({ name: `key-${pushNamesAtMost}`, listed: true });
  expect(told.more).toBe(1);
});

test('of a name with many keys as many are told as a change may name, and the others are counted', () => {
  const keys = Array.from({ length: keysOfName + 1 }, (_, at) => key('shared', `SHA256:${at}`));
  const rows = [keys.slice(1), keys].map((each) => describe({ keys: each, listed: [] }).keys[1]);
  expect(rows.map((row) => [row?.fingerprints.length, row?.moreOfName])).toEqual([
    [keysOfName, 0],
    [keysOfName, 1],
  ]);
});
