import { Decrypter, Encrypter, identityToRecipient } from 'age-encryption';
import { expect, it } from 'vitest';
import { keyFile, keySheet, makeKey } from './make-key.ts';

it('makes a pair of which the private half opens what is encrypted for the other', async () => {
  const key = await makeKey();
  expect(await identityToRecipient(key.privateKey)).toBe(key.recipient);
  expect(key.recipient).toMatch(/^age1[02-9ac-hj-np-z]{58}$/);
  const encrypter = new Encrypter();
  encrypter.addRecipient(key.recipient);
  const decrypter = new Decrypter();
  decrypter.addIdentity(keyFile(key).split('\n')[1] ?? '');
  expect(await decrypter.decrypt(await encrypter.encrypt('ahoy'), 'text')).toBe('ahoy');
});

it('never makes the same pair twice, and prints both halves', async () => {
  const [one, other] = [await makeKey(), await makeKey()];
  expect(one.privateKey).not.toBe(other.privateKey);
  const sheet = keySheet(one, 'console.example.com');
  for (const text of [one.privateKey, one.recipient, 'console.example.com']) expect(sheet).toContain(text);
});
