import { planeShareNumbers } from '@homeport/contract/shares/plane';

/** Bounds and deadlines of the data plane. Times are in milliseconds. Tests make them short. */
export const planeLimits = {
  urlBytes: 8_192,
  headBytes: 32 * 1024,
  headers: 200,
  /** From the first byte of a connection, or the end of the last answer, to the end of a request's head. */
  headMs: 15_000,
  /** Without a byte of a request's body. */
  requestStallMs: 30_000,
  /** In which the visitor took no byte of the answer. */
  answerStallMs: 60_000,
  /** Longer than Caddy's 120 s, so that the front closes a connection first. */
  keepAliveMs: 130_000,
  /** Requests that one connection may send before it gets their answers. No browser and no front sends several. */
  openPerConnection: planeShareNumbers.openPerConnection,
  /**
   * Connections of visitors at once, those of WebSockets among them. Those that wait for nothing give way to new ones; beyond a tenth
   * more, new ones are turned away. Lower where the process may have few files open (`open-files.ts`), like `sockets` and
   * `upstreamOpen`.
   */
  connections: planeShareNumbers.connections,
  /** An address is an IPv4 address or the /64 of an IPv6 address. */
  connectionsPerVisitor: planeShareNumbers.connectionsPerVisitor,
  /** Requests under way. An account may have as many as stay free, so one alone at most half (`share.ts`). */
  open: planeShareNumbers.open,
  openPerSite: planeShareNumbers.openPerSite,
  openPerVisitor: planeShareNumbers.openPerVisitor,
  /** WebSockets, likewise. */
  sockets: planeShareNumbers.sockets,
  socketsPerSite: planeShareNumbers.socketsPerSite,
  socketsPerVisitor: planeShareNumbers.socketsPerVisitor,
  /** After one side of a WebSocket has ended, the other side has so long to end too. */
  socketCloseMs: 10_000,
  /** A visitor of a WebSocket that is silent for so long is pinged. */
  socketPingMs: 60_000,
  /** One that answers a ping with nothing for so long is gone. */
  socketPongMs: 120_000,
  /** Of a connection that carries something else than WebSocket frames, so that it cannot be pinged. */
  socketIdleMs: 600_000,
  /** Null: no bound. */
  bodyBytes: null as number | null,
  connectMs: 5_000,
  upstreamHeadMs: 60_000,
  upstreamIdleMs: 60_000,
  upstreamHeadBytes: 16 * 1024,
  /** For each site and website behind it. Answers that take long have connections beside these. */
  upstreamConnections: planeShareNumbers.upstreamConnections,
  /** Connections that carry requests to websites, or wait for the next one. Of an account: as of `open`. */
  upstreamOpen: planeShareNumbers.upstreamOpen,
  /** An answer that is under way for so long takes long. */
  upstreamLongMs: 5_000,
  upstreamKeepAliveMs: 10_000,
  /** A connection to an upstream is renewed after this time, so that a changed address is seen. */
  upstreamAgeMs: 300_000,
  upstreamQueue: planeShareNumbers.upstreamQueue,
  poolUnusedMs: 300_000,
  /**
   * Of the loop, for passing and changing the bodies of an account's websites, in each turn (`shares/turns.ts`). A piece that is begun is
   * done whole: 64 KiB that pass, or 8 KiB that are changed, which take some 0.5 ms.
   */
  turnMs: planeShareNumbers.turnOfAccount,
  /** Of an account's bodies, how much waits in memory for a turn. Beyond that its connections are not read on. */
  turnBytes: planeShareNumbers.waitingOfAccount,
  /** How often this plane's own mark may stand in CDN-Loop: the domains of users may lead to each other. */
  loops: 3,
  /** How often stalled requests are looked for. */
  sweepMs: 1_000,
  drainMs: 30_000,
};
export type PlaneLimits = typeof planeLimits;
