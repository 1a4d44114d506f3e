import { createServer, type Server, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Gate } from '@homeport/egress';
import { answerClientError } from './armour/client-error.ts';
import { keepOpenAnswers, type OpenAnswers } from './armour/open-answers.ts';
import { createReaper } from './armour/reaper.ts';
import { createVisitorReader, type TrustedPeers } from './armour/trusted-peers.ts';
import type { Cache } from './cache/cache.ts';
import type { PlaneLimits } from './limits.ts';
import type { UseCounter } from './measure/use-counter.ts';
import type { SiteTable } from './reload/site-table.ts';
import { type OpenSockets, type ServingParts, serve, serveUpgrade } from './serve.ts';
import { Share } from './shares/share.ts';
import { boundConnections } from './shares/visitor-connections.ts';
import { createPools, type Pools } from './upstream/pools.ts';
import type { OpenSocket } from './upstream/web-socket.ts';
import { answerPlain } from './visit.ts';

export type PlaneDeps = {
  table: SiteTable;
  gate: Gate;
  cache: Cache;
  trusted: TrustedPeers;
  limits: PlaneLimits;
  use: UseCounter;
  /** Names this plane in Via and CDN-Loop: `homeport-3f2a`. */
  id: string;
  proofKey: Buffer;
  failed(error: unknown): void;
};

export type Plane = {
  server: Server;
  /** The connections to upstreams, behind the gate. */
  pools: Pools;
  /** Takes no new connections, lets what is under way end for a while, and ends the rest. */
  drain(): Promise<void>;
};

/** The data plane: a server that answers for every domain of its table. It listens when the caller says so. */
export function createPlane(deps: PlaneDeps): Plane {
  const { table, limits, use, id, proofKey, failed, cache } = deps;
  const shares = {
    requests: new Share({
      most: limits.open,
      perSite: limits.openPerSite,
      perVisitor: limits.openPerVisitor,
    }),
    sockets: new Share({
      ...{ most: limits.sockets, perSite: limits.socketsPerSite, perVisitor: limits.socketsPerVisitor },
    }),
  };
  const pools = createPools(deps.gate, limits);
  const sweep = createReaper(limits.sweepMs, failed);
  const tidying = {
    look(now: number) {
      pools.tidy(now);
      shares.requests.tidy();
      shares.sockets.tidy();
    },
    sweepPlace: -1,
  };
  sweep.add(tidying);
  const sockets = keepSockets();
  table.onGone((site) => sockets.endAll(site));
  let isDraining = false;

  const passing = { pools, sweep, limits, id };
  const parts: ServingParts = {
    ...passing,
    find: (domain) => table.find(domain),
    readVisitor: createVisitorReader(deps.trusted),
    shares,
    answer: (visit) => cache.answer(visit, passing),
    isDraining: () => isDraining,
    ...{ proofKey, use, sockets, failed },
  };

  const answers = keepOpenAnswers(limits.openPerConnection, limits.answerStallMs);
  sweep.add(answers);
  const server = openServer(deps, parts, answers);
  return {
    server,
    pools,
    async drain() {
      isDraining = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      answers.beLast();
      const late = setTimeout(() => {
        sockets.endAll();
        server.closeAllConnections();
      }, limits.drainMs);
      if (sockets.size() === 0) await closed;
      else await Promise.all([closed, sockets.empty()]);
      clearTimeout(late);
      sweep.stop();
      await pools.close();
    },
  };
}

function openServer({ limits, trusted }: PlaneDeps, parts: ServingParts, answers: OpenAnswers): Server {
  /** The answer under way on each connection. */
  const current = new WeakMap<Socket, ServerResponse>();
  const server = createServer({
    maxHeaderSize: limits.headBytes,
    headersTimeout: limits.headMs,
    // Its default ends a slow upload whatever its progress. The sweep ends one that stalls.
    requestTimeout: 0,
    connectionsCheckingInterval: Math.min(1_000, limits.headMs / 2),
    keepAliveTimeout: limits.keepAliveMs,
    requireHostHeader: false,
    insecureHTTPParser: false,
    noDelay: true,
    // Finds out that a visitor is gone who waits for a stream in which nothing comes.
    keepAlive: true,
    keepAliveInitialDelay: 30_000,
  });
  // Node would drop the headers beyond its own count without a word. `checkRequest` counts.
  server.maxHeadersCount = 0;
  boundConnections(server, trusted, limits);
  server.on('request', (req, res) => {
    if (!answers.admit(req.socket, res)) return;
    current.set(req.socket, res);
    serve(req, res, parts);
  });
  server.on('checkContinue', (req, res) => {
    if (!answers.admit(req.socket, res)) return;
    current.set(req.socket, res);
    // Nobody is asked to send a body that no rule takes.
    inItsTurn(res, () => serve(req, res, parts, () => res.writeContinue()));
  });
  server.on('checkExpectation', (req, res) => {
    if (!answers.admit(req.socket, res)) return;
    current.set(req.socket, res);
    answerPlain(res, 417, 'This expectation is not supported.', { close: true });
  });
  /**
   * Node hands a connection over although requests before on it wait for their answers. Those go first, and the connection ends with
   * them: an answer in between would be taken for theirs. Nobody who speaks another protocol begins like that.
   */
  const handedOver = (socket: Duplex, take: () => void) => {
    socket.on('error', () => socket.destroy());
    if (!(socket instanceof Socket)) socket.destroy();
    else if (answers.count(socket) > 0) current.get(socket)?.once('close', () => socket.destroySoon());
    else take();
  };
  server.on('connect', (_req, socket) =>
    handedOver(socket, () => {
      socket.end('HTTP/1.1 405 Method Not Allowed\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      // A visitor who does not end its own half would hold the place for ever.
      socket.once('finish', () => socket.destroy());
    }),
  );
  server.on('upgrade', (req, socket, head) =>
    handedOver(socket, () => serveUpgrade(req, socket, head, parts)),
  );
  // Without a listener Node ends the connection, also where an upstream is what takes long.
  server.on('timeout', answers.timedOut);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
    answerClientError(error, socket, current.get(socket), answers.count(socket)),
  );
  return server;
}

/**
 * Node sends an answer when those before it on the connection have ended, and the word that asks for a body at once: in the middle of
 * another answer. So a visitor who waits for that word is served in his turn. Served earlier, he would be blamed for a body that he was
 * not asked for yet, or answered without the word, which ends the connection.
 */
function inItsTurn(res: ServerResponse, work: () => void): void {
  if (res.socket !== null) work();
  else res.once('socket', work);
}

function keepSockets(): OpenSockets & {
  endAll(site?: string): void;
  size(): number;
  empty(): Promise<void>;
} {
  const open = new Map<OpenSocket, string>();
  let emptied: (() => void) | undefined;
  return {
    add(site, pipe) {
      open.set(pipe, site);
      return () => {
        open.delete(pipe);
        if (open.size === 0) emptied?.();
      };
    },
    endAll(site) {
      for (const [pipe, of] of [...open]) if (site === undefined || of === site) pipe.end();
    },
    size: () => open.size,
    empty: () => (open.size === 0 ? Promise.resolve() : new Promise((resolve) => (emptied = resolve))),
  };
}
