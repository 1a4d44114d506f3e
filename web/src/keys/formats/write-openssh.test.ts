/// <reference types="node" />

import { keyFolder } from '@homeport/signer/key-folder-fixture';
import { afterAll, expect, it } from 'vitest';
import { generateKey } from '../generate-key.ts';
import { type KeyName, makeFixtures, passphrase } from '../key-fixtures.ts';
import { readPrivateKey } from './read-private-key.ts';
import { writeOpenssh } from './write-openssh.ts';

const files = keyFolder();
afterAll(files.remove);

it.each<KeyName>(['ed25519', 'p256', 'p521', 'rsa2048'])(
  'a written %s file is read by ssh-keygen, plain and encrypted',
  async (keyName) => {
    const [fixture] = makeFixtures(keyName);
    if (!fixture) throw new Error('no fixture');
    const key = await readPrivateKey(fixture.text);
    files.write(`${keyName}.plain`, await writeOpenssh(key));
    files.write(`${keyName}.locked`, await writeOpenssh(key, passphrase));
    expect(files.run('ssh-keygen', '-y', '-P', '', '-f', `${keyName}.plain`).trim()).toBe(fixture.publicKey);
    expect(files.run('ssh-keygen', '-y', '-P', passphrase, '-f', `${keyName}.locked`).trim()).toBe(
      fixture.publicKey,
    );
    expect(() => files.run('ssh-keygen', '-y', '-P', 'another', '-f', `${keyName}.locked`)).toThrow();
  },
  60_000,
);

it('a generated key is Ed25519, and its file gives the same key again', async () => {
  const key = await generateKey('made@here');
  const text = await writeOpenssh(key, passphrase);
  expect(text.endsWith('-----END OPENSSH PRIVATE KEY-----\n')).toBe(true);
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(70);
  expect(await readPrivateKey(text, passphrase)).toEqual(key);
});
