/// <reference types="node" />
import 'fake-indexeddb/auto';
import { utf8 } from '@homeport/signer/bytes';
import { readPublicKey } from '@homeport/signer/public-key';
import { sign } from '@homeport/signer/sign';
import { verify } from '@homeport/signer/verify';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type KeyJobResult, runKeyJob } from '../key-jobs.ts';
import { dropHeldKey, findHeldKey, holdKey, listHeldKeys } from './keystore.ts';
import { readLocalKeys } from './local-keys.ts';
import type { LockSecret } from './lock-key.ts';
import { forgetAfterMs, lock, unlock, usableKeys } from './unlocked-keys.ts';

const secret: LockSecret = { kind: 'passphrase', passphrase: 'north harbour' };
const pepper = 'pepper-of-the-profile';

beforeAll(() => {
  const items = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => items.set(name, value),
  });
});
afterAll(() => vi.unstubAllGlobals());

const generate = (locked: boolean): Promise<KeyJobResult> =>
  runKeyJob({
    job: 'generate',
    comment: 'desk',
    filePassphrase: '',
    lock: locked ? { secret, pepper } : null,
  });

it('keeps an open key that signs and cannot be exported, listed by public facts only', async () => {
  const made = await generate(false);
  await holdKey('ines', 'Desk', made, 5);
  const held = await findHeldKey('ines', made.id);
  const keys = held && usableKeys(held);
  if (!keys || keys.type === 'ssh-rsa') throw new Error('no key');
  await expect(crypto.subtle.exportKey('jwk', keys.key)).rejects.toThrow();
  const { jwk } = readPublicKey(made.publicKey);
  const data = utf8('data');
  expect(await verify(jwk, 'ssh-ed25519', await sign(keys, 'ssh-ed25519', data), data)).toBe(true);
  const line = { id: made.id, name: 'Desk', key: made.publicKey, fingerprint: made.md5 };
  expect(readLocalKeys('ines')).toEqual([{ ...line, user: 'ines', created_at: 5, local: true }]);
  expect(await listHeldKeys('somebody else')).toEqual([]);
  expect(readLocalKeys('somebody else')).toEqual([]);
  await dropHeldKey('ines', made.id);
  expect(await listHeldKeys('ines')).toEqual([]);
  expect(readLocalKeys('ines')).toEqual([]);
});

it('opens a locked key only with its passphrase and pepper, and locks it again when it was idle', async () => {
  const held = await holdKey('ines', 'Locked', await generate(true), 5);
  expect(usableKeys(held)).toBeUndefined();
  const wrong = { code: 'passphrase_wrong' };
  await expect(unlock(held, { ...secret, passphrase: 'south harbour' }, pepper)).rejects.toMatchObject(wrong);
  await expect(unlock(held, secret, 'another pepper')).rejects.toMatchObject(wrong);
  await unlock(held, secret, pepper, 0);
  expect(usableKeys(held, forgetAfterMs - 1)).toBeDefined();
  expect(usableKeys(held, 2 * forgetAfterMs - 2)).toBeDefined();
  expect(usableKeys(held, 4 * forgetAfterMs)).toBeUndefined();
  await unlock(held, secret, pepper);
  lock('ines', held.id);
  expect(usableKeys(held)).toBeUndefined();
});

it('exports a locked key again as its original file', async () => {
  const made = await generate(true);
  if (made.secret?.kind !== 'locked' || !made.file) throw new Error('not locked');
  const { type, blob } = made;
  const job = {
    job: 'export',
    locked: made.secret.locked,
    type,
    blob,
    secret,
    pepper,
    comment: 'desk',
  } as const;
  const { file } = await runKeyJob({ ...job, filePassphrase: '' });
  const again = { job: 'import', passphrase: '', publicKey: made.publicKey, lock: null } as const;
  expect((await runKeyJob({ ...again, text: file ?? '' })).id).toBe(made.id);
  const other = await generate(false);
  const mixed = runKeyJob({ ...again, text: file ?? '', publicKey: other.publicKey });
  await expect(mixed).rejects.toMatchObject({ code: 'mismatch' });
});
