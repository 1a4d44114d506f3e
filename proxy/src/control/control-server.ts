import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isLoopbackAddress } from '@homeport/contract/network/loopback';
import { hostOfHeader } from '@homeport/rules';
import { z } from 'zod';
import type { FollowerState } from '../reload/follow-store.ts';

export type ControlDeps = {
  /** The service token that changes have to carry. */
  token: string;
  allows(domain: string): boolean;
  state(): FollowerState;
  reload(): Promise<FollowerState>;
  /** Drops cached answers, here and on every other plane. Gives the number that this plane dropped, or null for a bad beginning. */
  purge(startsWith: string): Promise<number | null>;
};

type Answer = { status: number; body: Record<string, unknown> };

const bodyBytes = 4_096;
const purgeSchema = z.object({ startsWith: z.string().max(2_048) });

/**
 * The listener for whoever runs the plane. It is never the port of the traffic, where every path belongs to the sites.
 * `/system/tls/allowed` is for a front on the same machine; changes need the service token.
 */
export function createControlServer(deps: ControlDeps): Server {
  return createServer({ headersTimeout: 5_000, requestTimeout: 5_000 }, (req, res) => {
    answer(req, deps).then(
      ({ status, body }) => send(res, status, body),
      () => send(res, 503, { error: 'store_unavailable' }),
    );
  });
}

async function answer(req: IncomingMessage, deps: ControlDeps): Promise<Answer> {
  const url = new URL(req.url ?? '/', 'http://control');
  switch (`${req.method} ${url.pathname}`) {
    case 'GET /healthz':
      return { status: 200, body: { product: 'homeport proxy', status: 'ok' } };
    case 'GET /system/tls/allowed':
      return answerAllowed(req, url.searchParams.get('domain') ?? '', deps);
    case 'GET /system/state':
      return withToken(req, deps, async () => ({ status: 200, body: deps.state() }));
    case 'POST /system/reload':
      return withToken(req, deps, async () => ({ status: 200, body: await deps.reload() }));
    case 'POST /system/cache/purge':
      return withToken(req, deps, () => answerPurge(req, deps));
    default:
      return { status: 404, body: { error: 'not_found' } };
  }
}

/** Answers from memory: the front asks at each handshake of a name that it has no certificate for. */
function answerAllowed(req: IncomingMessage, domain: string, { allows }: ControlDeps): Answer {
  const peer = req.socket.remoteAddress;
  if (peer !== undefined && !isLoopbackAddress(peer))
    return { status: 403, body: { error: 'loopback_only' } };
  return allows(hostOfHeader(domain))
    ? { status: 200, body: { allowed: true } }
    : { status: 404, body: { error: 'not_allowed' } };
}

async function answerPurge(req: IncomingMessage, deps: ControlDeps): Promise<Answer> {
  const read = purgeSchema.safeParse(await readJson(req));
  const purged = read.success ? await deps.purge(read.data.startsWith) : null;
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
  let text = '';
  for await (const chunk of req.setEncoding('utf8')) {
    text += String(chunk);
    if (text.length > bodyBytes) return null;
  }
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function send(res: ServerResponse, status: number, body: Record<string, unknown>): void {
  if (res.destroyed) return;
  res.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  res.end(JSON.stringify(body));
}
