import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { hostnameCharacters } from '@homeport/contract/fields/facts';
import { isLoopbackAddress } from '@homeport/contract/network/loopback';
import { hostOfHeader } from '@homeport/rules';
import { z } from 'zod';
import { takeRest } from '../armour/take-rest.ts';
import { purgedBy } from '../cache/purge-beginning.ts';
import type { FollowerState } from '../reload/follow-store.ts';
import { readBody } from './read-body.ts';

export type ControlDeps = {
  /** The service token that changes have to carry. */
  token: string;
  allows(domain: string): boolean;
  /** Epoch milliseconds. */
  clock?: () => number;
  state(): PlaneState;
  /** Another service asks for the ports. True: this one ends now. */
  release(): boolean;
  reload(): Promise<PlaneState>;
  /** Drops cached answers, here and on every other plane. Gives the number that this plane dropped, or null for a bad beginning. */
  purge(startsWith: string): Promise<number | null>;
};

/** `processes` is how many processes answer visitors now. */
export type PlaneState = FollowerState & { processes: number };

type Answer = { status: number; body: Record<string, unknown> };

const bodyBytes = 4_096;
/** Of names that are not served, within one minute. Further ones are refused for the rest of it. */
const unknownNames = 600;
const minuteMs = 60_000;
const purgeSchema = z.object({ startsWith: z.string().max(2_048) });

/**
 * The listener for whoever runs the plane. It is never the port of the traffic, where every path belongs to the sites.
 * `/system/tls/allowed` is for a front on the same machine; changes need the service token.
 */
export function createControlServer(deps: ControlDeps): Server {
  const unknown = createUnknownNames(deps.clock ?? Date.now);
  return createServer({ headersTimeout: 5_000, requestTimeout: 5_000 }, (req, res) => {
    answer(req, deps, unknown).then(
      ({ status, body }) => send(res, status, body),
      () => send(res, 503, { error: 'store_unavailable' }),
    );
  });
}

async function answer(req: IncomingMessage, deps: ControlDeps, unknown: UnknownNames): Promise<Answer> {
  if (isOfWebPage(req)) return { status: 403, body: { error: 'not_for_web_pages' } };
  const url = new URL(req.url ?? '/', 'http://control');
  switch (`${req.method} ${url.pathname}`) {
    case 'GET /healthz':
      return { status: 200, body: { product: 'homeport proxy', status: 'ok' } };
    case 'GET /system/tls/allowed':
      return answerAllowed(req, url.searchParams.get('domain') ?? '', deps, unknown);
    case 'GET /system/state':
      return withToken(req, deps, async () => ({ status: 200, body: deps.state() }));
    case 'POST /system/reload':
      return withToken(req, deps, async () => ({ status: 200, body: await deps.reload() }));
    case 'POST /system/release':
      return withToken(req, deps, async () => answerRelease(deps));
    case 'POST /system/cache/purge':
      return withToken(req, deps, () => answerPurge(req, deps));
    default:
      return { status: 404, body: { error: 'not_found' } };
  }
}

/**
 * A web page can make its visitor's browser ask a port of the visitor's own machine, under a name that it lets point there. A browser
 * then sends that name as Host, or says where the request comes from.
 */
function isOfWebPage({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  if (headers.origin !== undefined || (site !== undefined && site !== 'none')) return true;
  const name = hostOfHeader(headers.host ?? '').replace(/^\[(.*)\]$/, '$1');
  return name !== 'localhost' && !isLoopbackAddress(name);
}

/** Answers from memory: the front asks at each handshake of a name that it has no certificate for. */
function answerAllowed(
  req: IncomingMessage,
  domain: string,
  { allows }: ControlDeps,
  unknown: UnknownNames,
): Answer {
  const peer = req.socket.remoteAddress;
  if (peer !== undefined && !isLoopbackAddress(peer))
    return { status: 403, body: { error: 'loopback_only' } };
  if (domain.length <= hostnameCharacters && allows(hostOfHeader(domain)))
    return { status: 200, body: { allowed: true } };
  return unknown.admit()
    ? { status: 404, body: { error: 'not_allowed' } }
    : { status: 429, body: { error: 'too_many_unknown_names' } };
}

type UnknownNames = { admit(): boolean };

/** Counts names that are not served, by the minute. One number stands for all of them, so that no caller fills the memory. */
function createUnknownNames(clock: () => number): UnknownNames {
  let minute = 0;
  let count = 0;
  return {
    admit() {
      const now = Math.floor(clock() / minuteMs);
      if (now !== minute) count = 0;
      minute = now;
      count += 1;
      return count <= unknownNames;
    },
  };
}

function answerRelease({ release }: ControlDeps): Answer {
  return release()
    ? { status: 200, body: { released: true } }
    : { status: 409, body: { error: 'console_runs' } };
}

async function answerPurge(req: IncomingMessage, deps: ControlDeps): Promise<Answer> {
  const read = purgeSchema.safeParse(await readJson(req));
  const named = read.success ? purgedBy(read.data.startsWith) : null;
  if (named !== null && !deps.allows(named.domain)) return { status: 404, body: { error: 'not_served' } };
  const purged = read.success && named !== null ? await deps.purge(read.data.startsWith) : null;
  return purged === null
    ? { status: 400, body: { error: 'bad_request' } }
    : { status: 200, body: { purged } };
}

async function withToken(
  req: IncomingMessage,
  { token }: ControlDeps,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const sent = Buffer.from(req.headers.authorization ?? '');
  const wanted = Buffer.from(`Bearer ${token}`);
  if (sent.length !== wanted.length || !timingSafeEqual(sent, wanted))
    return { status: 401, body: { error: 'unauthenticated' } };
  return work();
}

async function readJson(req: IncomingMessage): Promise<unknown> {
  const body = await readBody(req, bodyBytes);
  try {
    return body === null ? null : JSON.parse(body.toString());
  } catch {
    return null;
  }
}

/** The answer goes out whole before the rest of a body is taken: its sender may wait for the answer first. */
function send(res: ServerResponse, status: number, body: Record<string, unknown>): void {
  if (res.destroyed) return;
  const text = JSON.stringify(body);
  res.writeHead(status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'content-length': Buffer.byteLength(text),
    ...(res.req.complete ? {} : { connection: 'close' }),
  });
  if (res.req.complete) res.end(text);
  else {
    res.write(text);
    takeRest(res.req, () => res.end());
  }
}
