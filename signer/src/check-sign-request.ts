import type { SignRefusalCode } from '@homeport/contract/connections/facts';
import { type Bytes, sameBytes } from './bytes.ts';
import { sha256Fingerprint } from './fingerprint.ts';
import { KeyError } from './key-error.ts';
import { algorithmsOf, type KeyType, type SignatureAlgorithm } from './key-types.ts';
import { readPublicBlob } from './public-key.ts';
import { readWire, WireError } from './ssh-wire.ts';
import { verify } from './verify.ts';

/** The only opening of this page, or of this terminal, that a signature may serve. */
export interface WaitingOpening {
  openId: string;
  user: string;
  keyType: KeyType;
  /** The credential's public blob. */
  publicKey: Bytes;
  /** The signer's own pin of the server: `SHA256:…`. */
  pin: string;
  /** The user agreed, for this pin, to signatures that are not bound to the server's host key. */
  plainAllowed: boolean;
  /** Each opening gets one signature only. */
  answered: boolean;
}

export interface SignRequest {
  openId: string;
  /** The data to sign: RFC 4252 section 7, or host-bound as in OpenSSH's PROTOCOL section 3.2. */
  data: Bytes;
  /**
   * The public blob that the server presented, and the server's signature over the session id (RFC 4253
   * section 8).
   */
  hostKey: Bytes;
  kexSignature: Bytes;
}

export type SignVerdict =
  | { ok: true; algorithm: SignatureAlgorithm; user: string; hostBound: boolean }
  | { ok: false; code: SignRefusalCode };

/**
 * Decides whether the page or the terminal signs. The checks run in this order, and the first failure decides. Only the
 * arguments count. `claimSession` must remember the session id and return false for a session that was signed
 * before. It runs last, and only for a request that passed every other check.
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
  // The server's proof covers the session only. A holder of the pinned server's private host key could prove
  // another server's session in this way. That other server refuses a signature that names the pinned host
  // key.
  const isBound = asked.boundTo ? sameBytes(asked.boundTo, request.hostKey) : waiting.plainAllowed;
  if (!isBound) return refuse('not_host_bound');
  if (!(await claimSession(asked.sessionId))) return refuse('replayed');
  return { ok: true, algorithm, user: asked.user, hostBound: asked.boundTo !== null };
}

function refuse(code: SignRefusalCode): SignVerdict {
  return { ok: false, code };
}

const userauthRequest = 50;
/**
 * Session ids are hashes: SHA-256, SHA-384 or SHA-512. A session id of 20 bytes comes from a SHA-1 key
 * exchange and is refused.
 */
const sessionIdLengths = [32, 48, 64];

/**
 * `boundTo` is the host key that a host-bound request names. null in the plain form. The result is undefined
 * for any other data.
 */
function readUserauth(data: Bytes) {
  try {
    const wire = readWire(data);
    const sessionId = wire.string();
    if (!sessionIdLengths.includes(sessionId.length) || wire.byte() !== userauthRequest) return undefined;
    const user = wire.text();
    const [service, method] = [wire.text(), wire.text()];
    const isHostBound = method === 'publickey-hostbound-v00@openssh.com';
    if (service !== 'ssh-connection' || !(isHostBound || method === 'publickey')) return undefined;
    if (wire.byte() !== 1) return undefined;
    const [algorithm, publicKey] = [wire.text(), wire.string()];
    const boundTo = isHostBound ? wire.string() : null;
    return { sessionId, user, algorithm, publicKey, boundTo, leftOver: wire.remaining() };
  } catch (error) {
    if (error instanceof WireError) return undefined;
    throw error;
  }
}

/** Proves that the holder of `hostKey` signed this session id, so the session belongs to that server. */
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
