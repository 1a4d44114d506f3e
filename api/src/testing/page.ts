import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { agentSubprotocol } from '@homeport/contract/connections/facts';
import { type ConsoleMessage, consoleMessageSchema } from '@homeport/contract/connections/schema';
import { liveSubprotocol } from '@homeport/contract/live/facts';
import {
  type LiveConsoleMessage,
  type LivePageMessage,
  liveConsoleMessageSchema,
} from '@homeport/contract/live/schema';
import type { Operation, OperationEvent, OperationLine } from '@homeport/contract/operations/schema';
import type { ExchangeKey, StreamKey } from '@homeport/contract/routes';
import type { Signer } from '@homeport/ssh';
import { WebSocket } from 'ws';
import { bodyOf, type TestVisitor } from '../http/testing.ts';

/** An opening logs in by a key that this process holds, or by a password. */
type Proof = Signer | { password: string };

/** Opens a connection like the page. Resolves with the last message. */
export async function openAsPage(
  consoleUrl: string,
  visitor: TestVisitor,
  server: { id: string; user: string },
  proof: Proof,
  pin: string | null,
): Promise<ConsoleMessage> {
  const socket = new WebSocket(
    `${consoleUrl.replace('http', 'ws')}/api/servers/${server.id}/connection`,
    [agentSubprotocol],
    { headers: { cookie: visitor.cookie(), origin: consoleUrl } },
  );
  const ended = new Promise<ConsoleMessage>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('The console closed the socket without a word.')));
    socket.on('message', (data) => {
      const message = consoleMessageSchema.parse(JSON.parse(String(data)));
      if (message.type === 'sign' && 'sign' in proof)
        sign(message, proof).then((signed) => socket.send(JSON.stringify(signed)), reject);
      else if (message.type === 'prompt' && 'password' in proof) socket.send(Buffer.from(proof.password));
      else resolve(message);
    });
  });
  ended.catch(() => {});
  await once(socket, 'open');
  const method =
    'sign' in proof
      ? { method: 'agent', publicKey: proof.publicKeyBlob.toString('base64') }
      : { method: 'password' };
  const opening = { type: 'open', openId: randomUUID(), serverId: server.id, user: server.user, pin };
  socket.send(JSON.stringify({ ...opening, ...method }));
  return ended.finally(() => socket.close());
}

async function sign(message: Extract<ConsoleMessage, { type: 'sign' }>, signer: Signer) {
  const part = (text: string) => Buffer.from(text, 'base64');
  const request = {
    data: part(message.data),
    hostKey: part(message.hostKey),
    kexSignature: part(message.kexSignature),
  };
  const signature = await signer.sign(request, AbortSignal.timeout(60_000));
  return { type: 'signed', requestId: message.requestId, signature: signature.toString('base64') };
}

export type Ended = { operation: Operation; lines: OperationLine[] };

/** Starts an operation. Resolves with the new operation. */
export async function begin(visitor: TestVisitor, key: string, body: unknown = {}): Promise<Operation> {
  return bodyOf<Operation>(await visitor.call(key, body), 202);
}

/** Starts an operation and follows it to its end, whatever the result. */
export async function runToEnd(visitor: TestVisitor, key: string, body?: unknown): Promise<Ended> {
  return followToEnd(visitor, (await begin(visitor, key, body)).id);
}

/** The operation, which has to succeed. Throws its log if it did not. */
export function succeeded({ operation, lines }: Ended): Operation {
  if (operation.state !== 'succeeded') throw new Error(JSON.stringify({ operation, lines }, null, 1));
  return operation;
}

/** Follows an operation’s stream to its end, as the page does. */
export async function followToEnd(visitor: TestVisitor, id: string): Promise<Ended> {
  const lines: OperationLine[] = [];
  let last: Operation | null = null;
  for await (const event of eventsOf<OperationEvent>(visitor, `GET /api/operations/${id}/events`)) {
    if (event.type === 'lines') lines.push(...event.lines);
    else last = event.operation;
  }
  if (!last) throw new Error('The stream ended before it told the operation’s state.');
  return { operation: last, lines };
}

/** The data of a stream's events, until the stream ends or the reader stops. */
export async function* eventsOf<T>(visitor: TestVisitor, key: string): AsyncGenerator<T> {
  const leave = new AbortController();
  const response = await visitor.open(key, {
    signal: AbortSignal.any([leave.signal, AbortSignal.timeout(120_000)]),
  });
  if (!response.ok || !response.body)
    throw new Error(`The stream was answered ${response.status}: ${await response.text()}`);
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for await (const chunk of response.body) {
      const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = parts.pop() ?? '';
      for (const part of parts) if (part.startsWith('data:')) yield JSON.parse(part.slice(5)) as T;
    }
  } finally {
    leave.abort();
  }
}

export type LivePage = {
  heard: LiveConsoleMessage[];
  /** Follows a stream. Returns the subscription's id. */
  subscribe(
    route: StreamKey | ExchangeKey,
    asked?: { params?: Record<string, string>; query?: Record<string, string>; after?: string },
  ): number;
  /** Sends a message to an exchange. */
  send(id: number, data: unknown): void;
  unsubscribe(id: number): void;
  /** The code and the reason with which the socket ended. */
  closed: Promise<{ code: number; reason: string }>;
  close(): void;
};

/** Opens a page's live socket. */
export async function openLivePage(consoleUrl: string, visitor: TestVisitor): Promise<LivePage> {
  const socket = new WebSocket(`${consoleUrl.replace('http', 'ws')}/api/live`, liveSubprotocol, {
    headers: { cookie: visitor.cookie(), origin: consoleUrl },
  });
  const heard: LiveConsoleMessage[] = [];
  socket.on('message', (data) => heard.push(liveConsoleMessageSchema.parse(JSON.parse(String(data)))));
  const closed = once(socket, 'close').then(([code, reason]) => ({ code, reason: String(reason) }));
  await once(socket, 'open');
  let last = 0;
  const say = (message: LivePageMessage) => socket.send(JSON.stringify(message));
  return {
    heard,
    closed,
    subscribe(route, { params = {}, query = {}, after } = {}) {
      last += 1;
      say({ type: 'subscribe', id: last, route, params, query, after: after ?? null });
      return last;
    },
    send: (id, data) => say({ type: 'send', id, data }),
    unsubscribe: (id) => say({ type: 'unsubscribe', id }),
    close: () => socket.terminate(),
  };
}
