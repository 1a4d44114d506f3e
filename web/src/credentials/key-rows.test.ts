import type { Key } from '@homeport/contract/credentials/schema';
import { describe, expect, it } from 'vitest';
import type { LocalKey } from '../keys/keystore/local-keys.ts';
import { keyRows, keyTypeWord } from './key-rows.ts';

const stored: Key = {
  id: 'a'.repeat(32),
  name: 'ines-laptop',
  publicKey: 'ssh-ed25519 AAAA',
  fingerprint: 'SHA256:aa',
  algorithm: 'ssh-ed25519',
  addedAt: 5,
  usedBy: [],
};
const local = (id: string): LocalKey => ({
  id,
  name: 'kept here',
  key: 'ssh-rsa AAAA',
  fingerprint: 'bb:bb',
  user: 'ines',
  created_at: 7,
  local: true,
});

describe('the list of keys', () => {
  it('shows for each stored key whether this browser can sign with it', () => {
    const of = (held: 'open' | 'locked' | null) =>
      keyRows([stored], [local(stored.id)], new Map(held ? [[stored.id, held]] : []));
    expect(of('open')).toMatchObject([
      {
        name: 'ines-laptop',
        privatePart: 'open',
        stored: true,
        fingerprint: Array(16).fill('aa').join(':'),
        sha256: 'SHA256:aa',
      },
    ]);
    expect(of('locked')).toMatchObject([{ privatePart: 'locked' }]);
    expect(of(null), 'the local list alone proves nothing').toMatchObject([{ privatePart: 'absent' }]);
  });

  it('adds keys that only this browser knows, marked as such', () => {
    const rows = keyRows([stored], [local('b'.repeat(32))], new Map([['b'.repeat(32), 'open']]));
    expect(rows).toMatchObject([
      { stored: true },
      { stored: false, name: 'kept here', publicKey: 'ssh-rsa AAAA', addedAt: 7, privatePart: 'open' },
    ]);
  });

  it('leaves out a key of which neither half exists', () => {
    expect(keyRows([], [local('b'.repeat(32))], new Map())).toEqual([]);
  });

  it('shows no state while the browser’s storage has not answered', () => {
    expect(keyRows([stored], [], undefined)).toMatchObject([{ privatePart: 'unknown' }]);
  });
});

describe('the word for a type of key', () => {
  it.each([
    ['ssh-ed25519 AAAA', 'ED25519'],
    ['ssh-rsa AAAA me@here', 'RSA'],
    ['ecdsa-sha2-nistp521 AAAA', 'ECDSA P-521'],
  ])('of %s is %s', (line, word) => {
    expect(keyTypeWord(line)).toBe(word);
  });
});
