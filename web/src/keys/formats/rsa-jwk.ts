import { fromBigInt, toBase64url, toBigInt } from '@homeport/signer/bytes';
import { malformed } from '@homeport/signer/key-error';
import type { PrivateJwk } from '@homeport/signer/key-types';

type RsaNumbers = Record<'n' | 'e' | 'd' | 'p' | 'q' | 'iqmp', Uint8Array>;

/** Makes a JWK from the numbers in SSH files. SSH files leave out two exponents: d mod p-1 and d mod q-1. */
export function rsaJwk({ n, e, d, p, q, iqmp }: RsaNumbers): PrivateJwk {
  const [bigD, bigP, bigQ] = [toBigInt(d), toBigInt(p), toBigInt(q)];
  if (bigP < 3n || bigQ < 3n || bigP * bigQ !== toBigInt(n))
    throw malformed('The RSA numbers do not fit together.');
  return {
    kty: 'RSA',
    n: toBase64url(n),
    e: toBase64url(e),
    d: toBase64url(d),
    p: toBase64url(p),
    q: toBase64url(q),
    dp: toBase64url(fromBigInt(bigD % (bigP - 1n))),
    dq: toBase64url(fromBigInt(bigD % (bigQ - 1n))),
    qi: toBase64url(iqmp),
  };
}
