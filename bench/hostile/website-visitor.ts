import { type Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const answerWithinMs = 30_000;

/** Visitors come through a front on this machine, which says for whom it asks. */
export type Visit = { port: number; domain: string; path: string; from: string };

/** Asks for a page and reads the whole answer. */
export function visit(
  { port, domain, path, from }: Visit,
  agent: Agent,
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const headers = { host: domain, 'x-forwarded-for': from };
    const asked = request({ host: '127.0.0.1', port, path, headers, agent, timeout: answerWithinMs });
    asked.once('error', reject);
    asked.once('timeout', () => asked.destroy(new Error(`${domain}${path} was not answered in time.`)));
    asked.once('response', (answer) => {
      let body = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk;
      });
      answer.once('error', reject);
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, body }));
    });
    asked.end();
  });
}

/** What visitors have open. They leave without a word at `leave`. */
export type OpenVisits = { add(socket: Socket): void; leave(): void };

export function keepOpenVisits(): OpenVisits {
  const open = new Set<Socket>();
  return {
    add(socket) {
      open.add(socket);
      socket.once('close', () => open.delete(socket));
    },
    leave() {
      for (const socket of open) socket.destroy();
    },
  };
}

/**
 * Sends these lines, and reads nothing after the first bytes of an answer. Resolves with the answer's status, with `closed`, or with
 * `silent` where no answer came within so long.
 */
export async function beginVisit(
  port: number,
  lines: readonly string[],
  { open, withinMs, signal }: { open: OpenVisits; withinMs: number; signal: AbortSignal },
): Promise<{ status: number | 'closed' | 'silent'; socket: Socket }> {
  const socket = connect({ port, host: '127.0.0.1' });
  open.add(socket);
  const said = new Promise<number | 'closed'>((resolve) => {
    socket.once('data', (chunk: Buffer) => {
      socket.pause();
      resolve(Number(chunk.toString('latin1', 0, 16).split(' ')[1]));
    });
    socket.once('close', () => resolve('closed'));
  });
  socket.on('error', () => socket.destroy());
  socket.write(lines.map((line) => `${line}\r\n`).join(''));
  const silence = pause(withinMs, 'silent' as const, { signal }).catch(() => 'silent' as const);
  return { status: await Promise.race([said, silence]), socket };
}

/** The lines of a request with this head. */
export const headOf = ({ domain, path, from }: Omit<Visit, 'port'>, more: readonly string[] = []) => [
  `GET ${path} HTTP/1.1`,
  `Host: ${domain}`,
  `X-Forwarded-For: ${from}`,
  ...more,
  '',
];

export const asksForSocket = [
  ...['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'],
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];
