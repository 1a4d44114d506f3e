import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Resolved } from '@homeport/rules';
import { takeRest } from './armour/take-rest.ts';
import type { ServedSite } from './reload/site-table.ts';

/** One request of a visitor, after the armour has let it in and a rule was found. */
export type Visit = {
  req: IncomingMessage;
  res: ServerResponse;
  site: ServedSite;
  resolved: Resolved;
  /** Host that the visitor asked for, in its one form (`plainHost`), with port. */
  host: string;
  proto: 'http' | 'https';
  /** The visitor's address, as far as trusted peers tell it. */
  address: string;
  /** X-Forwarded-For for the upstream. */
  forwardedFor: string;
  isTrustedPeer: boolean;
  /** What is counted for the rule at the end. `headAt` is in milliseconds of the monotonic clock; null while no head was sent. */
  seen: { startedAt: number; headAt: number | null; bytes: number; isHit: boolean };
  /** Counts the visit now, and gives what is called when its connection ends: for a connection that outlives its request. */
  handOver(): () => void;
};

/** Scheme and host as the visitor sees them. */
export function originOf({ proto, host }: Pick<Visit, 'proto' | 'host'>): string {
  return `${proto}://${host}`;
}

/** Names that end an answer of our own: plain text, kept by nobody. `reason` is a short code, never an address or a stack. */
export function answerPlain(
  res: ServerResponse,
  status: number,
  text: string,
  more: { close?: boolean; headers?: readonly string[] } = {},
): void {
  if (res.headersSent || res.destroyed) {
    res.destroy();
    return;
  }
  const body = status === 204 ? '' : `${text}\n`;
  const length =
    status === 204
      ? []
      : ['content-type', 'text/plain; charset=utf-8', 'content-length', String(Buffer.byteLength(body))];
  const close = more.close || !res.req.complete ? ['connection', 'close'] : [];
  res.writeHead(status, [...length, 'cache-control', 'no-store', ...close, ...(more.headers ?? [])]);
  endWith(res, res.req.method === 'HEAD' ? '' : body);
}

/** Answers of our own that are written whole, and end when the rest of their request was taken. */
const written = new WeakSet<ServerResponse>();

export function isWrittenWhole(res: ServerResponse): boolean {
  return written.has(res);
}

/** Ends an answer of our own. Nobody wants what is left of the request's body, and the visitor reads the answer after having sent it. */
export function endWith(res: ServerResponse, text: string): void {
  if (res.req.complete) {
    res.end(text);
    return;
  }
  written.add(res);
  if (text === '') res.flushHeaders();
  else res.write(text);
  takeRest(res.req, () => res.end());
}
