/// <reference types="node" />
import { afterAll, describe, expect, it } from 'vitest';
import { sha256Fingerprint } from './fingerprint.ts';
import { KeyError } from './key-error.ts';
import { keyFolder } from './key-folder-fixture.ts';
import { publicBlob } from './key-types.ts';
import { publicLine, readPublicKey } from './public-key.ts';

const files = keyFolder();
afterAll(files.remove);

describe('a public key line', () => {
  it.each([
    ['ed25519', '-b', '256'],
    ['ecdsa', '-b', '384'],
    ['rsa', '-b', '2048'],
  ])('of %s gives the bytes and the fingerprint of ssh-keygen', async (type, ...bits) => {
    files.run('ssh-keygen', '-q', '-t', type, ...bits, '-N', '', '-C', 'ines @ desk', '-f', type);
    const line = files.read(`${type}.pub`).trim();
    const key = readPublicKey(`  ${line}\n`);
    expect(key.comment).toBe('ines @ desk');
    expect(publicLine(key.blob, key.comment)).toBe(line);
    expect(publicBlob(key.jwk)).toEqual(key.blob);
    const [, fingerprint] = files.run('ssh-keygen', '-l', '-f', `${type}.pub`).split(' ');
    expect(await sha256Fingerprint(key.blob)).toBe(fingerprint);
  });

  it.each([
    ['nothing', ''],
    ['only a type', 'ssh-ed25519'],
    ['another start than AAAA', 'ssh-ed25519 BBBBC3NzaC1lZDI1NTE5'],
    ['a blob that is cut short', 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEXAMPLE'],
    [
      'a type that is not the one inside',
      'ssh-rsa AAAAC3NzaC1lZDI1NTE5AAAAIBERERERERERERERERERERERERERERERERERERERERER',
    ],
    [
      'bytes after the key',
      'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBERERERERERERERERERERERERERERERERERERERERERAAAA',
    ],
    [
      'two lines',
      'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBERERERERERERERERERERERERERERERERERERERERER\nssh-rsa AAAA',
    ],
    ['a security key', 'sk-ssh-ed25519@openssh.com AAAAGnNrLXNzaC1lZDI1NTE5QG9wZW5zc2guY29t'],
    ['a private key', '-----BEGIN OPENSSH PRIVATE KEY-----'],
  ])('with %s is the invalid key of the specification', (_what, line) => {
    expect(() => readPublicKey(line)).toThrow(expect.objectContaining({ message: 'invalid key' }));
    expect(() => readPublicKey(line)).toThrow(KeyError);
  });
});
