import { type IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { hostOfHeader, redirectsBareBase, resolvePath } from '@homeport/rules';
import { checkRequest } from './armour/check-request.ts';
import { nonceOf, proveArrival } from './armour/domain-proof.ts';
import { plainHost } from './armour/plain-host.ts';
import type { Visitor } from './armour/trusted-peers.ts';
import type { UseCounter } from './measure/use-counter.ts';
import type { ServedSite } from './reload/site-table.ts';
import { refuse } from './shares/refusals.ts';
import type { Share } from './shares/share.ts';
import type { PassingParts } from './upstream/pass-on.ts';
import { hasBody } from './upstream/request-body.ts';
import { countLoops } from './upstream/request-headers.ts';
import { type OpenSocket, passWebSocket } from './upstream/web-socket.ts';
import { answerPlain, endWith, type Visit } from './visit.ts';

export type ServingParts = PassingParts & {
  find(domain: string): ServedSite | null;
  readVisitor(req: IncomingMessage): Visitor;
  proofKey: Buffer;
  use: UseCounter;
  /** The requests and the WebSockets under way. */
  shares: { requests: Share; sockets: Share };
  sockets: OpenSockets;
  /** Answers from the cache, or passes on. */
  answer(visit: Visit): void;
  failed(error: unknown): void;
  isDraining(): boolean;
};

/** The open WebSockets of each site. */
export type OpenSockets = { add(site: string, pipe: OpenSocket): () => void };

/**
 * Answers one request. An error in the code of one request ends that request only.
 *
 * @param admitted called when a rule takes the request, before anything is asked of the upstream
 */
export function serve(
  req: IncomingMessage,
  res: ServerResponse,
  parts: ServingParts,
  admitted?: () => void,
): void {
  guarded(res, parts, () => {
    if (parts.isDraining()) res.shouldKeepAlive = false;
    const visit = admit(req, res, parts, 'requests');
    if (visit === null) return;
    admitted?.();
    parts.answer(visit);
  });
}

/** Takes a request that asks for another protocol. Only WebSocket is one; every other request is answered as if it had not asked. */
export function serveUpgrade(req: IncomingMessage, socket: Duplex, head: Buffer, parts: ServingParts): void {
  const res = new ServerResponse(req);
  if (!(socket instanceof Socket)) return void socket.destroy();
  res.assignSocket(socket);
  res.shouldKeepAlive = false;
  res.once('finish', () => socket.destroySoon());
  guarded(res, parts, () => {
    const isWebSocket = req.method === 'GET' && /^\s*websocket\s*$/i.test(req.headers.upgrade ?? '');
    // Node has let the body go with the parser. After a handshake its bytes would be taken for frames.
    if (hasBody(req)) return answerPlain(res, 501, 'This upgrade is not supported.', { close: true });
    const visit = admit(req, res, parts, isWebSocket ? 'sockets' : 'requests');
    if (visit === null) return;
    if (!isWebSocket) {
      // Node has let go of this connection, so no sweep of its answers knows it.
      socket.setTimeout(parts.limits.answerStallMs, () => {
        if (socket.writableLength > 0) socket.destroy();
      });
      return parts.answer(visit);
    }
    passWebSocket(
      visit,
      { socket, head },
      { ...parts, opened: (pipe) => parts.sockets.add(visit.site.id, pipe) },
    );
  });
}

function guarded(res: ServerResponse, parts: ServingParts, work: () => void): void {
  try {
    work();
  } catch (error) {
    parts.failed(error);
    answerPlain(res, 500, 'failed', { close: true });
  }
}

/** Everything before the upstream. Null when the request was answered here. */
function admit(
  req: IncomingMessage,
  res: ServerResponse,
  parts: ServingParts,
  kind: keyof ServingParts['shares'],
): Visit | null {
  const asked = checkRequest(req, parts.limits);
  if ('status' in asked) return answered(res, asked.status, asked.text, asked);
  const nonce = nonceOf(asked.url);
  if (nonce !== null && (req.method === 'GET' || req.method === 'HEAD'))
    return answered(res, 200, proveArrival(parts.proofKey, nonce));
  const site = parts.find(hostOfHeader(asked.host));
  if (site === null) return answered(res, 421, 'This domain is not handled by this proxy');
  const resolved = resolvePath(site, asked.url);
  if (resolved === null) return answered(res, 400, 'This address is not valid.', { close: true });
  if (resolved.isBareBase && redirectsBareBase(req.method ?? '', req.headers.accept)) {
    res.writeHead(302, [
      'location',
      `${resolved.rule.base}/${resolved.query}`,
      'cache-control',
      'no-store',
      'content-length',
      '0',
      ...(req.complete ? [] : ['connection', 'close']),
    ]);
    endWith(res, '');
    return null;
  }
  if (countLoops(req, parts.id) > parts.limits.loops) return answered(res, 508, 'loop');
  const { bodyBytes } = parts.limits;
  if (bodyBytes !== null && Number(req.headers['content-length'] ?? 0) > bodyBytes)
    return answered(res, 413, 'The body is too large.', { close: true });
  const { address, proto, forwardedFor, isTrustedPeer, network } = parts.readVisitor(req);
  const share = parts.shares[kind];
  const full = share.enter(site, network);
  if (full !== null) {
    refuse(res, full, kind === 'sockets' ? 'WebSockets' : 'requests');
    return null;
  }
  const seen = { startedAt: performance.now(), headAt: null, bytes: 0, isHit: false };
  const visit: Visit = {
    req,
    res,
    site,
    resolved,
    host: plainHost(asked.host, proto),
    proto,
    address,
    forwardedFor,
    isTrustedPeer,
    seen,
    handOver() {
      res.off('close', ended);
      parts.use.count(visit);
      return leaving(share, { id: site.id, owner: site.owner }, network);
    },
  };
  const ended = () => {
    share.leave(site, network);
    parts.use.count(visit);
  };
  res.on('close', ended);
  return visit;
}

/** A function of its own, so that it holds on to nothing of the request. */
function leaving(share: Share, site: Pick<ServedSite, 'id' | 'owner'>, network: string | null): () => void {
  return () => share.leave(site, network);
}

function answered(
  res: ServerResponse,
  status: number,
  text: string,
  more: Parameters<typeof answerPlain>[3] = {},
): null {
  answerPlain(res, status, text, more);
  return null;
}
