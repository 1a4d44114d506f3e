/// <reference types="node" />
import { createPublicKey, verify as nodeVerify } from 'node:crypto';
import { utf8 } from '@homeport/signer/bytes';
import { algorithmsOf, curves, typeOf } from '@homeport/signer/key-types';
import { readPublicKey } from '@homeport/signer/public-key';
import { sign } from '@homeport/signer/sign';
import { readWire } from '@homeport/signer/ssh-wire';
import { verify } from '@homeport/signer/verify';
import { expect, it } from 'vitest';
import { readPrivateKey } from '../formats/read-private-key.ts';
import { makeFixtures } from '../key-fixtures.ts';
import { toSigningKeys } from './signing-keys.ts';

it.each(['ed25519', 'p256', 'p384', 'p521', 'rsa2048'] as const)(
  'signatures of %s are valid and in SSH’s form',
  async (keyName) => {
    const [fixture] = makeFixtures(keyName);
    if (!fixture) throw new Error('no fixture');
    const key = await readPrivateKey(fixture.text);
    const keys = await toSigningKeys(key);
    const { jwk } = readPublicKey(fixture.publicKey);
    const shortNumbers = new Set<number>();
    for (const algorithm of algorithmsOf[typeOf(jwk)]) {
      for (let round = 0; round < (jwk.kty === 'EC' ? 300 : 2); round++) {
        const data = utf8(`round ${round}`);
        const signature = await sign(keys, algorithm, data);
        expect(await verify(jwk, algorithm, signature, data)).toBe(true);
        expect(await verify(jwk, algorithm, signature, utf8('something else'))).toBe(false);
        if (jwk.kty === 'EC') {
          const wire = readWire(signature);
          for (const number of [wire.string(), wire.string()]) {
            // An mpint is never negative and never starts with a needless zero.
            expect(number[0] ?? 0).toBeLessThan(0x80);
            if (number[0] === 0) expect(number[1] ?? 0).toBeGreaterThanOrEqual(0x80);
            shortNumbers.add(number.length - curves[jwk.crv].bytes);
          }
          expect(wire.remaining()).toBe(0);
        } else {
          const hash = algorithm === 'ssh-ed25519' ? null : `sha${algorithm.slice(-3)}`;
          const publicKey = createPublicKey({ key: { ...jwk }, format: 'jwk' });
          expect(nodeVerify(hash, data, publicKey, signature)).toBe(true);
        }
      }
    }
    // Among 600 random numbers some have the top bit set and so one byte more (P-521's top byte holds one bit), and some are shorter.
    if (jwk.kty === 'EC') expect(shortNumbers).toContain(jwk.crv === 'P-521' ? -1 : 1);
  },
  60_000,
);
