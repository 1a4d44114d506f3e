import { type Bytes, fromHex } from '@homeport/signer/bytes';
import { malformed } from '@homeport/signer/key-error';
import type { Curve, PrivateJwk } from '@homeport/signer/key-types';
import { noEd25519, refused, useEd25519 } from '../key-refusals.ts';
import { contentOf, der, oidOf, readSequence, tags } from './der.ts';
import { exportJwk } from './export-jwk.ts';

const oids = {
  rsa: '2a864886f70d010101',
  ec: '2a8648ce3d0201',
  ed25519: '2b6570',
  dsa: '2a8648ce380401',
  curves: { '2a8648ce3d030107': 'P-256', '2b81040022': 'P-384', '2b81040023': 'P-521' },
} as const;

type Algorithm = { name: 'Ed25519' } | { name: 'ECDSA'; namedCurve: Curve } | { name: string; hash: string };

/** Reads PKCS#8 (RFC 5958) with WebCrypto. Throws KeyError. */
export async function readPkcs8(bytes: Uint8Array): Promise<PrivateJwk> {
  const algorithm = algorithmOf(bytes);
  let key: CryptoKey;
  try {
    key = await crypto.subtle.importKey('pkcs8', new Uint8Array(bytes), algorithm, true, ['sign']);
  } catch (error) {
    if (error instanceof Error && error.name === 'NotSupportedError' && algorithm.name === 'Ed25519') {
      throw noEd25519();
    }
    throw malformed('The numbers of the key do not make a key.');
  }
  return exportJwk(key);
}

/** PKCS#1 (RFC 8017) in its PKCS#8 envelope. */
export function wrapPkcs1(key: Uint8Array): Bytes {
  const algorithm = der(tags.sequence, oid(oids.rsa), Uint8Array.of(5, 0));
  return envelope(algorithm, key);
}

/** SEC1 (RFC 5915) in its PKCS#8 envelope. The field `[0]` names the curve. Throws KeyError. */
export function wrapSec1(key: Uint8Array): Bytes {
  const parameters = readSequence(key).find((node) => node.tag === tags.context0);
  if (!parameters) throw refused('This EC key does not name its curve.');
  return envelope(der(tags.sequence, oid(oids.ec), parameters.value), key);
}

function envelope(algorithm: Uint8Array, key: Uint8Array): Bytes {
  return der(tags.sequence, Uint8Array.of(tags.integer, 1, 0), algorithm, der(tags.octetString, key));
}

function oid(encoded: string): Bytes {
  return der(tags.oid, fromHex(encoded) ?? new Uint8Array(0));
}

function algorithmOf(bytes: Uint8Array): Algorithm {
  const [, identifier] = readSequence(bytes);
  const [name, parameters] = readSequence(der(tags.sequence, contentOf(identifier, tags.sequence)));
  switch (oidOf(name)) {
    case oids.rsa:
      return { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
    case oids.ed25519:
      return { name: 'Ed25519' };
    case oids.ec: {
      const curve = Object.entries(oids.curves).find(([encoded]) => encoded === oidOf(parameters))?.[1];
      if (!curve) throw refused('This EC key is not on one of the curves P-256, P-384 or P-521.', useEd25519);
      return { name: 'ECDSA', namedCurve: curve };
    }
    case oids.dsa:
      throw refused('DSA keys are refused by every current SSH server.', useEd25519);
    default:
      throw refused('Keys of this kind cannot be used for SSH here.', useEd25519);
  }
}
