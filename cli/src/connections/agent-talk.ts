import {
  agentMessageBytes,
  agentSubprotocol,
  type OpeningFailureCode,
  type SignRefusalCode,
} from '@homeport/contract/connections/facts';
import { fingerprintSchema, type PageMessage } from '@homeport/contract/connections/schema';
import { type Bytes, fromBase64, toBase64 } from '@homeport/signer/bytes';
import { checkSignRequest, type WaitingOpening } from '@homeport/signer/check-sign-request';
import { sha256Fingerprint } from '@homeport/signer/fingerprint';
import type { KeyType, SignatureAlgorithm } from '@homeport/signer/key-types';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { CommandProblem } from '../command-problem.ts';
import { asProblem, type Console, socketOf } from '../console/ask-console.ts';
import { problemOf } from '../console/problem-of.ts';
import { exitCodes } from '../exit-codes.ts';
import { AgentGone } from '../ssh-agent/agent-frames.ts';

/** What this program relies on of the contract's `consoleMessageSchema`. A newer console may have more codes. */
const messageShape = z.discriminatedUnion('type', [
  z.object({ type: z.literal('host'), hostKey: z.string(), algorithm: z.string() }),
  z.object({
    type: z.literal('sign'),
    ...{ openId: z.string(), requestId: z.string(), data: z.string() },
    ...{ hostKey: z.string(), kexSignature: z.string() },
  }),
  z.object({ type: z.literal('ready') }),
  z.object({
    type: z.literal('failed'),
    ...{ code: z.string(), message: z.string() },
    fingerprints: z.object({ pinned: fingerprintSchema, presented: fingerprintSchema }).optional(),
  }),
]);
type Message = z.output<typeof messageShape>;
type SignMessage = Extract<Message, { type: 'sign' }>;

/** A host key that a server proved to hold. */
export type ShownHost = { hostKey: Bytes; fingerprint: string; algorithm: string };

export type TalkOutcome =
  | { kind: 'ready' }
  | { kind: 'host'; host: ShownHost }
  | { kind: 'failed'; code: OpeningFailureCode | string; message: string; refusal: SignRefusalCode | null };

export interface Talk {
  console: Console;
  serverId: string;
  user: string;
  key: { type: KeyType; blob: Bytes };
  /** This terminal's own pin. null: the server only shows its host key, and nobody logs in. */
  pin: string | null;
  /** Notes a session for good. False for one that was signed before. */
  claimSession(sessionId: Bytes): Promise<boolean>;
  /** The inner signature, after every check. null: the agent refused. */
  sign(asked: AskedSignature): Promise<Bytes | null>;
}

export interface AskedSignature {
  algorithm: SignatureAlgorithm;
  data: Bytes;
  hostKey: Bytes;
  kexSignature: Bytes;
}

/** The console ends an opening with a person earlier. */
const silentAtMostMs = 120_000;

/**
 * One opening on one socket, with this terminal as the SSH agent. The console asks; it gets at most one signature, and only one that
 * passes the checks that a page has.
 *
 * @throws CommandProblem where the console does not answer, or says what makes no sense
 */
export async function talk(options: Talk): Promise<TalkOutcome> {
  const { console, serverId } = options;
  const { url, headers } = socketOf(console, `/api/servers/${encodeURIComponent(serverId)}/connection`);
  const socket = new WebSocket(url, agentSubprotocol, {
    headers,
    maxPayload: agentMessageBytes * 2,
    perMessageDeflate: false,
    followRedirects: false,
    handshakeTimeout: 30_000,
  });
  const { interrupted } = console.terminal;
  try {
    return await new Promise((resolve, reject) => {
      const answer = answerer(options, (message) => socket.send(JSON.stringify(message)));
      const stop = () => reject(asProblem(console, interrupted.reason));
      const timer = setTimeout(() => reject(brokeOff('The console fell silent.')), silentAtMostMs);
      interrupted.addEventListener('abort', stop, { once: true });
      const settled = () => {
        clearTimeout(timer);
        interrupted.removeEventListener('abort', stop);
      };
      socket.on('open', () => socket.send(JSON.stringify(answer.open)));
      socket.on('message', (data, isBinary) => {
        const message = isBinary ? null : readMessage(String(data));
        if (!message) return reject(noMessage());
        // The console closes right after its last message, and that is heard of while the message is still read.
        if (message.type !== 'sign') socket.removeAllListeners('close').on('close', settled);
        answer.to(message).then((outcome) => outcome && resolve(outcome), reject);
      });
      socket.on('close', () => {
        settled();
        reject(brokeOff('The console closed the connection before the server answered.'));
      });
      socket.on('error', (error) => reject(asProblem(console, new Error(error.message, { cause: error }))));
      socket.on('unexpected-response', (_request, response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => {
          text = (text + part).slice(0, agentMessageBytes);
        });
        response.on('end', () => reject(problemOf(response.statusCode ?? 0, text)));
        response.on('error', () => reject(problemOf(response.statusCode ?? 0, text)));
      });
      if (interrupted.aborted) stop();
    });
  } finally {
    socket.terminate();
  }
}

function answerer(
  { serverId, user, key, pin, claimSession, sign }: Talk,
  send: (message: PageMessage) => void,
) {
  const openId = crypto.randomUUID();
  const open: PageMessage = {
    ...{ type: 'open', openId, serverId, user, pin, method: 'agent' },
    publicKey: toBase64(key.blob),
    // A terminal agrees to no signature that is not bound to its server.
    plainAllowed: false,
    asksPerson: true,
  };
  const waiting: WaitingOpening | null =
    pin === null
      ? null
      : {
          ...{ openId, user, pin },
          keyType: key.type,
          publicKey: key.blob,
          plainAllowed: false,
          answered: false,
        };
  let refusal: SignRefusalCode | null = null;

  async function answerSign(message: SignMessage): Promise<void> {
    const { requestId } = message;
    const request = {
      openId: message.openId,
      data: bytesOf(message.data),
      hostKey: bytesOf(message.hostKey),
      kexSignature: bytesOf(message.kexSignature),
    };
    // Read before the first await, so that a second request on this socket finds the opening used up.
    const asked = waiting && { ...waiting };
    if (waiting && message.openId === openId) waiting.answered = true;
    const verdict = await checkSignRequest(asked, request, claimSession);
    if (!verdict.ok) {
      refusal = verdict.code;
      return send({ type: 'refused', requestId, code: verdict.code });
    }
    const signature = await sign({ ...request, algorithm: verdict.algorithm });
    if (!signature)
      throw new CommandProblem(exitCodes.declined, 'Your SSH agent refused to sign.', {
        recovery:
          'It asks you first, it guards the key for other servers (`ssh-add -h`), or it is locked. Nothing was opened.',
      });
    send({ type: 'signed', requestId, signature: toBase64(signature) });
  }

  async function to(message: Message): Promise<TalkOutcome | null> {
    if (message.type === 'sign') {
      await answerSign(message).catch((error: unknown) => {
        throw error instanceof AgentGone ? noAgent(error) : error;
      });
      return null;
    }
    if (message.type === 'ready') return { kind: 'ready' };
    if (message.type === 'failed')
      return { kind: 'failed', code: message.code, message: message.message, refusal };
    const hostKey = bytesOf(message.hostKey);
    // What is shown is computed from the key itself.
    const fingerprint = await sha256Fingerprint(hostKey);
    return { kind: 'host', host: { hostKey, fingerprint, algorithm: message.algorithm } };
  }

  return { open, to };
}

const bytesOf = (base64: string): Bytes => fromBase64(base64) ?? new Uint8Array(0);

function readMessage(text: string): Message | null {
  try {
    return messageShape.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

export const noAgent = (error: AgentGone) =>
  new CommandProblem(exitCodes.notAllowed, error.message, {
    recovery: 'Check with `ssh-add -l` that your SSH agent is running and holds the key.',
  });

const brokeOff = (message: string) =>
  new CommandProblem(exitCodes.failed, message, { recovery: 'Try again in a moment.', passes: true });

const noMessage = () =>
  new CommandProblem(exitCodes.failed, 'The console said something that this program does not know.', {
    recovery: 'Nothing was signed for it. Update this program, or the console.',
  });
