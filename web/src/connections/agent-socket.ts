import { agentSubprotocol, type SignRefusalCode } from '@homeport/contract/connections/facts';
import type { ConsoleMessage, PageMessage } from '@homeport/contract/connections/schema';
import { type Bytes, fromBase64, toBase64 } from '@homeport/signer/bytes';
import { checkSignRequest, type WaitingOpening } from '@homeport/signer/check-sign-request';
import { sha256Fingerprint } from '@homeport/signer/fingerprint';
import type { SignatureAlgorithm, SigningKeys } from '@homeport/signer/key-types';
import { sign } from '@homeport/signer/sign';
import { declined, type FailedState, failed, type ReadyState, type ServerPrompt } from './opening-state.ts';
import { readConsoleMessage } from './read-console-message.ts';
import { noteHostBound } from './server-trust.ts';
import { claimSession, recordPassword } from './signing-record.ts';

export type Credential = { method: 'agent'; keys: SigningKeys; publicKey: Bytes } | { method: 'password' };

export interface AgentTalk {
  serverId: string;
  user: string;
  credential: Credential;
  /** This page's own pin. null means a probe, which authenticates nobody. */
  pin: string | null;
  /** The user agreed, for this pin, to signatures that are not bound to the server's host key. */
  plainAllowed: boolean;
  connect: (serverId: string) => WebSocket;
  askPassword: () => Promise<Bytes | null>;
  askAnswers: (prompts: ServerPrompt[]) => Promise<string[] | null>;
  signal: AbortSignal | undefined;
}

export type TalkOutcome =
  | ReadyState
  | FailedState
  | { status: 'host'; fingerprint: string; algorithm: string; address: string | null };

/** One socket to the page's own origin. */
export function connectSocket(serverId: string): WebSocket {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  const path = `/api/servers/${encodeURIComponent(serverId)}/connection`;
  return new WebSocket(`${scheme}://${location.host}${path}`, agentSubprotocol);
}

/**
 * Runs one opening on one socket: states the wish, answers the console's requests and resolves at the end.
 * Never rejects.
 *
 * Browsers delay the timers of hidden tabs. Therefore no timer stands between a message and its answer.
 */
export function talk(options: AgentTalk): Promise<TalkOutcome> {
  return new Promise((resolve) => {
    const socket = options.connect(options.serverId);
    const answer = answerer(options, (message) => socket.send(message));
    const end = (outcome: TalkOutcome) => {
      options.signal?.removeEventListener('abort', abort);
      resolve(outcome);
      socket.onopen = socket.onmessage = socket.onclose = null;
      socket.close();
    };
    const abort = () => end(declined());
    options.signal?.addEventListener('abort', abort);
    socket.onopen = () => socket.send(JSON.stringify(answer.open));
    socket.onmessage = ({ data }: MessageEvent<unknown>) => {
      const message = typeof data === 'string' ? readConsoleMessage(data) : undefined;
      if (!message)
        return end(failed('protocol', 'The console sent something that this page does not understand.'));
      // The console closes right after its last message, and the page may hear of that while it still reads the message.
      if (message.type !== 'sign' && message.type !== 'prompt') socket.onclose = null;
      answer.to(message).then(
        (outcome) => outcome && end(outcome),
        () => end(failed('protocol', 'This page could not answer the console.')),
      );
    };
    socket.onclose = () =>
      end(failed('interrupted', 'The console closed the connection before the server answered.'));
    if (options.signal?.aborted) abort();
  });
}

function answerer(options: AgentTalk, send: (message: string | Bytes) => void) {
  const { serverId, user, credential, pin, plainAllowed } = options;
  const openId = crypto.randomUUID();
  const { method } = credential;
  const open: PageMessage = { type: 'open', openId, serverId, user, method, pin, plainAllowed };
  if (credential.method === 'agent') open.publicKey = toBase64(credential.publicKey);
  const waiting: WaitingOpening | null =
    credential.method === 'agent' && pin !== null
      ? {
          openId,
          user,
          keyType: credential.keys.type,
          publicKey: credential.publicKey,
          pin,
          plainAllowed,
          answered: false,
        }
      : null;
  let refusal: SignRefusalCode | undefined;
  const reply = (message: PageMessage) => send(JSON.stringify(message));

  async function answerSign(message: Extract<ConsoleMessage, { type: 'sign' }>): Promise<void> {
    const { requestId } = message;
    const [data, hostKey, kexSignature] = [message.data, message.hostKey, message.kexSignature].map(
      (text) => fromBase64(text) ?? new Uint8Array(0),
    ) as [Bytes, Bytes, Bytes];
    const request = { openId: message.openId, data, hostKey, kexSignature };
    // Read before the first await, so that a second request on this socket finds the opening used up.
    const asked = waiting && { ...waiting };
    if (waiting && message.openId === openId) waiting.answered = true;
    const at = Date.now();
    const verdict = await checkSignRequest(asked, request, (session) =>
      claimSession({ at, serverId, user }, session),
    );
    if (!verdict.ok) {
      refusal = verdict.code;
      return reply({ type: 'refused', requestId, code: verdict.code });
    }
    // Stored before the signature leaves. Otherwise a console that hangs up could later claim that the server
    // is an older one.
    if (verdict.hostBound && asked) await noteHostBound(serverId, asked.pin);
    reply({
      type: 'signed',
      requestId,
      signature: toBase64(await signWith(credential, verdict.algorithm, data)),
    });
  }

  async function answerPrompt(
    message: Extract<ConsoleMessage, { type: 'prompt' }>,
  ): Promise<FailedState | undefined> {
    // A key credential answers no prompt, and no credential answers one before the host key is known.
    if (credential.method !== 'password' || pin === null) {
      return failed('protocol', 'The console asked for a password that this opening does not give.');
    }
    const { requestId } = message;
    if (message.kind === 'interactive') {
      const answers = await options.askAnswers(message.prompts);
      if (!answers) return declined();
      await recordPassword({ at: Date.now(), serverId, user });
      reply({ type: 'answers', requestId, answers });
      return undefined;
    }
    const password = await options.askPassword();
    if (!password) return declined();
    try {
      await recordPassword({ at: Date.now(), serverId, user });
      send(password);
    } finally {
      password.fill(0);
    }
    return undefined;
  }

  async function to(message: ConsoleMessage): Promise<TalkOutcome | undefined> {
    switch (message.type) {
      case 'host': {
        // The page computes the shown fingerprint itself, from the key.
        const fingerprint = await sha256Fingerprint(fromBase64(message.hostKey) ?? new Uint8Array(0));
        const { algorithm, address = null } = message;
        return { status: 'host', fingerprint, algorithm, address };
      }
      case 'sign':
        await answerSign(message);
        return undefined;
      case 'prompt':
        return answerPrompt(message);
      case 'ready': {
        const { connectionId, expiresAt, bootId } = message;
        return { status: 'ready', connectionId, expiresAt, bootId };
      }
      case 'failed': {
        const { code, message: text, methodsLeft, fingerprints, address } = message;
        const reasons = {
          ...(methodsLeft && { methodsLeft }),
          ...(fingerprints && { fingerprints, address }),
        };
        return { ...failed(code, text), ...reasons, ...(refusal && { refusal }) };
      }
    }
  }

  return { open, to };
}

function signWith(credential: Credential, algorithm: SignatureAlgorithm, data: Bytes): Promise<Bytes> {
  if (credential.method !== 'agent') throw new Error('A password credential does not sign.');
  return sign(credential.keys, algorithm, data);
}
