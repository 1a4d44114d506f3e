import { createPrivateKey, createPublicKey } from 'node:crypto';
import { blake2b } from '@noble/hashes/blake2.js';
import nacl from 'tweetnacl';
import { describe, expect, it } from 'vitest';
import { readPrivateKey } from '../../keys/formats/read-private-key.ts';
import { makeDeployPair } from './deploy-pair.ts';
import { sealSecret } from './seal-secret.ts';

describe('a secret that is sealed in the page', () => {
  it('is 48 bytes longer, and opens with the receiver’s key in another implementation', () => {
    const receiver = nacl.box.keyPair();
    for (const text of ['', 'ahoy', '-----BEGIN OPENSSH PRIVATE KEY-----\nñ\n']) {
      const sealed = sealSecret(receiver.publicKey, text);
      expect(sealed).toHaveLength(Buffer.byteLength(text) + 48);
      const sender = sealed.subarray(0, 32);
      const nonce = blake2b(Buffer.concat([sender, receiver.publicKey]), { dkLen: 24 });
      const opened = nacl.box.open(sealed.subarray(32), nonce, sender, receiver.secretKey);
      expect(opened && Buffer.from(opened).toString()).toBe(text);
    }
  });
  it('is another one each time', () => {
    const { publicKey } = nacl.box.keyPair();
    expect(sealSecret(publicKey, 'ahoy')).not.toEqual(sealSecret(publicKey, 'ahoy'));
  });
});

describe('the pair of an app', () => {
  it('is a line that the console takes, and a file that OpenSSH reads', async () => {
    const { publicKey, privateFile } = await makeDeployPair('homeport ledger');
    expect(publicKey).toMatch(/^ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI[A-Za-z0-9+/]{43}$/);
    expect(privateFile).toMatch(
      /^-----BEGIN OPENSSH PRIVATE KEY-----\n[\s\S]*\n-----END OPENSSH PRIVATE KEY-----\n$/,
    );
    expect(privateFile).not.toContain('\r');
    const { jwk } = await readPrivateKey(privateFile);
    const made = createPublicKey(createPrivateKey({ key: { ...jwk }, format: 'jwk' })).export({
      format: 'jwk',
    });
    expect(made.x).toBe('x' in jwk ? jwk.x : '');
    expect((await makeDeployPair('homeport ledger')).publicKey).not.toBe(publicKey);
  });
});
