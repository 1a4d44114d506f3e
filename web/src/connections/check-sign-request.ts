import type { SignRefusalCode } from '@homeport/contract/connections';
import { type Bytes, sameBytes } from '../credentials/keys/bytes.ts';
import { sha256Fingerprint } from '../credentials/keys/fingerprint.ts';
import { KeyError } from '../credentials/keys/key-error.ts';
import { algorithmsOf, type KeyType, type SignatureAlgorithm } from '../credentials/keys/key-types.ts';
import { readPublicBlob } from '../credentials/keys/public-key.ts';
import { readWire, WireError } from '../credentials/keys/ssh-wire.ts';
import { verify } from '../credentials/keys/verify.ts';

/** The one opening of this page that a signature may be asked for. */
export interface WaitingOpening {
  openId: string;
  user: string;
  keyType: KeyType;
  /** Public blob of the credential. */
  publicKey: Bytes;
  /** This page's own pin of the server: `SHA256:…`. */
  pin: string;
  /** One signature per opening. */
  answered: boolean;
}

export interface SignRequest {
  openId: string;
  /** What is to be signed, RFC 4252 section 7. */
  data: Bytes;
  /** Public blob that the server presented, and its signature over the session id (RFC 4253 section 8). */
  hostKey: Bytes;
  kexSignature: Bytes;
}

export type SignVerdict =
  | { ok: true; algorithm: SignatureAlgorithm; user: string }
  | { ok: false; code: SignRefusalCode };

/**
 * Decides whether this page signs. The checks run in this order and the first that fails is answered; nothing outside
 * the arguments has a say. `claimSession` must remember the session id (base64 or any other text form is its own affair)
 * and say false when it has been signed before: it is asked last, and only for a request that is right in all else.
 */
export async function checkSignRequest(
  waiting: WaitingOpening | null,
  request: SignRequest,
  claimSession: (sessionId: Bytes) => Promise<boolean>,
): Promise<SignVerdict> {
  if (!waiting || waiting.answered || waiting.openId !== request.openId) return refuse('not_waiting');
  const asked = readUserauth(request.data);
  if (!asked) return refuse('not_userauth');
  if (asked.leftOver > 0) return refuse('trailing_bytes');
  if (asked.user !== waiting.user) return refuse('wrong_user');
  if (!sameBytes(asked.publicKey, waiting.publicKey)) return refuse('unknown_key');
  const algorithm = algorithmsOf[waiting.keyType].find((name) => name === asked.algorithm);
  if (!algorithm) return refuse('algorithm');
  if ((await sha256Fingerprint(request.hostKey)) !== waiting.pin) return refuse('host_key_mismatch');
  if (!(await provesHost(request, asked.sessionId))) return refuse('host_binding');
  if (!(await claimSession(asked.sessionId))) return refuse('replayed');
  return { ok: true, algorithm, user: asked.user };
}

function refuse(code: SignRefusalCode): SignVerdict {
  return { ok: false, code };
}

const userauthRequest = 50;
/** Session ids are hashes: SHA-256, SHA-384 or SHA-512. One of 20 bytes would come from a SHA-1 key exchange. */
const sessionIdLengths = [32, 48, 64];

/** Exactly RFC 4252 section 7; undefined for anything else, `publickey-hostbound-v00@openssh.com` included. */
function readUserauth(data: Bytes) {
  try {
    const wire = readWire(data);
    const sessionId = wire.string();
    if (!sessionIdLengths.includes(sessionId.length) || wire.byte() !== userauthRequest) return undefined;
    const user = wire.text();
    if (wire.text() !== 'ssh-connection' || wire.text() !== 'publickey' || wire.byte() !== 1)
      return undefined;
    const [algorithm, publicKey] = [wire.text(), wire.string()];
    return { sessionId, user, algorithm, publicKey, leftOver: wire.remaining() };
  } catch (error) {
    if (error instanceof WireError) return undefined;
    throw error;
  }
}

/** The server that holds `hostKey` signed this very session id: a live session, and not somebody else's. */
async function provesHost({ hostKey, kexSignature }: SignRequest, sessionId: Bytes): Promise<boolean> {
  try {
    const { type, jwk } = readPublicBlob(hostKey);
    const wire = readWire(kexSignature);
    const name = wire.text();
    const algorithm = algorithmsOf[type].find((allowed) => allowed === name);
    const signature = wire.string();
    if (!algorithm || wire.remaining() > 0) return false;
    return await verify(jwk, algorithm, signature, sessionId);
  } catch (error) {
    if (error instanceof WireError || error instanceof KeyError) return false;
    throw error;
  }
}
