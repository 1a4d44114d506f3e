/// <reference types="node" />
import { keyFolder } from '@homeport/signer/key-folder-fixture';
import { readPublicKey } from '@homeport/signer/public-key';
import { afterAll, expect, it } from 'vitest';
import { keyId, md5Fingerprint } from './key-id.ts';

const files = keyFolder();
afterAll(files.remove);

it.each([
  ['ed25519', '-b', '256'],
  ['ecdsa', '-b', '384'],
  ['rsa', '-b', '2048'],
])('the MD5 fingerprint of a key of type %s is that of ssh-keygen', (type, ...bits) => {
  files.run('ssh-keygen', '-q', '-t', type, ...bits, '-N', '', '-f', type);
  const { blob } = readPublicKey(files.read(`${type}.pub`));
  const [, fingerprint] = files.run('ssh-keygen', '-l', '-E', 'md5', '-f', `${type}.pub`).split(' ');
  expect(`MD5:${md5Fingerprint(blob)}`).toBe(fingerprint);
  expect(keyId(blob)).toBe(md5Fingerprint(blob).replaceAll(':', ''));
});
