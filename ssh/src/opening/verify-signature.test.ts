import { expect, it } from 'vitest';
import { makeKey, signerFor, type TestKeyType } from '../../testing/index.ts';
import { isSignatureShaped } from './signature-shape.ts';
import { isSignatureOf } from './verify-signature.ts';
import { wireString } from './wire.ts';

/** What a login signs, with the algorithm that it names. */
const loginOf = (algorithm: string) =>
  Buffer.concat([
    ...[wireString(Buffer.alloc(32, 7)), Buffer.of(50), wireString('homeport')],
    ...[wireString('ssh-connection'), wireString('publickey'), Buffer.of(1), wireString(algorithm)],
  ]);
const kinds: [TestKeyType, string][] = [
  ['ed25519', 'ssh-ed25519'],
  ['ecdsa-256', 'ecdsa-sha2-nistp256'],
  ['ecdsa-384', 'ecdsa-sha2-nistp384'],
  ['ecdsa-521', 'ecdsa-sha2-nistp521'],
  ['rsa-2048', 'rsa-sha2-256'],
  ['rsa-2048', 'rsa-sha2-512'],
];

it.each(kinds)('%s signs by %s, and nobody else does', async (type, algorithm) => {
  const [signer, other] = [signerFor(makeKey(type).privateKeyPem), signerFor(makeKey(type).privateKeyPem)];
  const data = loginOf(algorithm);
  // Among fifty are numbers that are shorter than the curve.
  for (let round = 0; round < 50; round += 1) {
    const request = { data, hostKey: Buffer.alloc(0), kexSignature: Buffer.alloc(0) };
    const signature = await signer.sign(request, new AbortController().signal);
    expect(isSignatureOf(signature, data, signer.publicKeyBlob)).toBe(true);
    expect(isSignatureOf(signature, data, other.publicKeyBlob)).toBe(false);
    expect(isSignatureOf(signature, Buffer.concat([data, Buffer.of(0)]), signer.publicKeyBlob)).toBe(false);
  }
});

it('takes no signature that only has the form', () => {
  const { publicKeyBlob } = signerFor(makeKey('ed25519').privateKeyPem);
  const invented = Buffer.alloc(64, 1);
  expect(isSignatureShaped(invented, publicKeyBlob)).toBe(true);
  expect(isSignatureOf(invented, loginOf('ssh-ed25519'), publicKeyBlob)).toBe(false);
});
