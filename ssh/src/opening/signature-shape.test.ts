import { describe, expect, it } from 'vitest';
import { makeKey, signerFor, type TestKeyType } from '../../testing/index.ts';
import { isSignatureShaped } from './signature-shape.ts';

const string = (hex: string) => {
  const bytes = Buffer.from(hex, 'hex');
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
};
const ecdsa = (r: string, s: string) => Buffer.concat([string(r), string(s)]);
const request = { data: Buffer.from('x'), hostKey: Buffer.alloc(0), kexSignature: Buffer.alloc(0) };

describe('isSignatureShaped', () => {
  it.each(['ed25519', 'ecdsa-256', 'ecdsa-384', 'ecdsa-521', 'rsa-2048'] satisfies TestKeyType[])(
    'accepts every real signature of %s',
    async (type) => {
      const signer = signerFor(makeKey(type).privateKeyPem);
      for (let round = 0; round < 50; round += 1) {
        const signature = await signer.sign(request, new AbortController().signal);
        expect(isSignatureShaped(signature, signer.publicKeyBlob)).toBe(true);
      }
    },
  );

  const p256 = signerFor(makeKey('ecdsa-256').privateKeyPem).publicKeyBlob;
  const full = `7f${'11'.repeat(31)}`;

  it.each([
    ['both full length', ecdsa(full, full), true],
    ['top bit set, so one zero byte before', ecdsa(`00ff${'11'.repeat(31)}`, full), true],
    ['short r', ecdsa('01', full), true],
    ['negative r', ecdsa(`ff${'11'.repeat(31)}`, full), false],
    ['a needless zero byte', ecdsa(`00${full}`, full), false],
    ['zero', ecdsa('00', full), false],
    ['empty r', ecdsa('', full), false],
    ['longer than the curve', ecdsa(`${full}11`, full), false],
    ['one integer only', string(full), false],
    ['a byte too many', Buffer.concat([ecdsa(full, full), Buffer.of(0)]), false],
    ['a length past the end', Buffer.from('000000ff01', 'hex'), false],
  ])('knows the form of an ECDSA signature: %s', (_what, signature, expected) => {
    expect(isSignatureShaped(signature, p256)).toBe(expected);
  });

  it('refuses a value that is no buffer, and an unknown kind of key', () => {
    for (const value of [null, undefined, 'x', 7, new Uint8Array(64)]) {
      expect(isSignatureShaped(value, p256)).toBe(false);
    }
    expect(isSignatureShaped(Buffer.alloc(64), string(Buffer.from('ssh-dss').toString('hex')))).toBe(false);
  });
});
