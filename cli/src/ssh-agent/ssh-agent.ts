import { type Bytes, concat, sameBytes } from '@homeport/signer/bytes';
import type { SignatureAlgorithm } from '@homeport/signer/key-types';
import { readWire, string, uint32, WireError } from '@homeport/signer/ssh-wire';
import { AgentGone, type AgentLine, mostFrameBytes, openAgentLine } from './agent-frames.ts';

/** draft-miller-ssh-agent, 5.1 */
const message = { success: 6, listKeys: 11, keys: 12, sign: 13, signature: 14, extension: 27 } as const;
/** draft-miller-ssh-agent, 5.3: which hash an RSA key takes. */
const flagsOf: Partial<Record<SignatureAlgorithm, number>> = { 'rsa-sha2-256': 2, 'rsa-sha2-512': 4 };

/** An agent that is there answers at once. One that has to be unlocked asks its person first. */
const answerWithinMs = 30_000;
/** As long as the console waits (`defaultTimeouts.prompt`): `ssh-add -c`, a touch, a fingerprint. */
const signWithinMs = 90_000;
/** Shorter than a frame could hold. */
const mostKeys = 1_000;

/** The public blobs of the keys that an agent has. Rejects with AgentGone. */
export async function listKeys(path: string, stop: AbortSignal): Promise<Bytes[]> {
  return talk(path, stop, async (line) => {
    const wire = readWire(await line.ask(Uint8Array.of(message.listKeys), answerWithinMs));
    if (wire.byte() !== message.keys) throw new AgentGone('The SSH agent lists no keys.');
    const count = wire.uint32();
    if (count > mostKeys) throw new AgentGone(`The SSH agent has more than ${mostKeys} keys.`);
    return Array.from({ length: count }, () => {
      const blob = wire.string();
      wire.string();
      return blob;
    });
  });
}

export interface SignWith {
  publicKey: Bytes;
  algorithm: SignatureAlgorithm;
  data: Bytes;
  /** The server, its session, and its signature over the session. */
  host: { hostKey: Bytes; sessionId: Bytes; kexSignature: Bytes };
}

/**
 * Has an agent sign for one server. The socket is bound to the server's session first (OpenSSH's PROTOCOL.agent, 1), so that an agent
 * refuses a key that may not be used for another server. Each signature has a socket of its own: an agent that knows bindings refuses a
 * second session on one. `signature` is the inner one; null where the agent refused. Rejects with AgentGone.
 */
export async function signByAgent(
  path: string,
  { publicKey, algorithm, data, host }: SignWith,
  stop: AbortSignal,
): Promise<{ signature: Bytes | null; bound: boolean }> {
  return talk(path, stop, async (line) => {
    const bound = await bind(line, host);
    const request = concat(
      Uint8Array.of(message.sign),
      string(publicKey),
      string(data),
      uint32(flagsOf[algorithm] ?? 0),
    );
    if (request.length > mostFrameBytes) throw new AgentGone('The data is longer than an SSH agent takes.');
    const answer = readWire(await line.ask(request, signWithinMs));
    if (answer.byte() !== message.signature) return { signature: null, bound };
    const signed = readWire(answer.string());
    const named = signed.text();
    const signature = signed.string();
    if (named !== algorithm || signed.remaining() > 0 || answer.remaining() > 0)
      throw new AgentGone(`The SSH agent signed with another algorithm than ${algorithm}.`);
    return { signature, bound };
  });
}

/** Whether the agent knows the extension and holds the binding to be true. */
async function bind(
  line: AgentLine,
  { hostKey, sessionId, kexSignature }: SignWith['host'],
): Promise<boolean> {
  const isForwarded = 0;
  const request = concat(
    Uint8Array.of(message.extension),
    string('session-bind@openssh.com'),
    string(hostKey),
    string(sessionId),
    string(kexSignature),
    Uint8Array.of(isForwarded),
  );
  return sameBytes(await line.ask(request, answerWithinMs), Uint8Array.of(message.success));
}

async function talk<T>(path: string, stop: AbortSignal, over: (line: AgentLine) => Promise<T>): Promise<T> {
  const line = await openAgentLine(path, stop);
  try {
    return await over(line);
  } catch (error) {
    throw error instanceof WireError
      ? new AgentGone('The SSH agent sent a message that ends too soon.')
      : error;
  } finally {
    line.close();
  }
}
