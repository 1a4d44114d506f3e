import type { Share, ShareHolder } from './share.ts';

/**
 * What connections, visitors, sites, accounts and websites may hold of one process of the proxy service. `proxy/` takes its numbers from
 * here. A process that may have few files open has fewer connections (`proxy/src/shares/open-files.ts`).
 */
export const planeShareNumbers = {
  openPerConnection: 32,
  openPerVisitor: 250,
  openPerSite: 1_000,
  open: 10_000,
  socketsPerVisitor: 500,
  socketsPerSite: 2_500,
  sockets: 10_000,
  connectionsPerVisitor: 2_000,
  connections: 20_000,
  upstreamConnections: 64,
  upstreamQueue: 1_000,
  upstreamOpen: 10_000,
  /** Milliseconds. */
  turnOfAccount: 2,
  /** Bytes of bodies that wait for such a turn. */
  waitingOfAccount: 16 * 1024 * 1024,
  /** Of the cache’s bytes and addresses. */
  cacheOfAccount: 0.25,
  /** Bytes of answers that the cache takes and that are not whole yet. */
  cacheUnderWay: 64 * 1024 * 1024,
  /** Old answers that the cache fetches anew while nobody waits for them. */
  cacheRenewals: 200,
  /** Addresses of which the cache remembers that an answer was not to be kept, and letters of them; again as many that were renewed. */
  cacheTimes: { addresses: 50_000, characters: 16 * 1024 * 1024 },
};

const busy = '503 with Retry-After';
const tooMany = '429 with Retry-After';
const numbers = planeShareNumbers;

export const planeShares: readonly Share[] = [
  {
    ...{ what: 'requests that wait for an answer', number: numbers.openPerConnection, of: 'connection' },
    ...{ heldIn: 'proxy/src/plane.ts', beyond: '503 behind their answers, then the connection ends' },
    test: 'proxy/src/attacks.test.ts',
  },
  ofRequests(numbers.openPerVisitor, 'visitor', tooMany),
  ofRequests(numbers.openPerSite, 'site', busy),
  ofRequests(numbers.open / 2, 'account', busy),
  ofRequests(numbers.open, 'process', busy),
  ofSockets(numbers.socketsPerVisitor, 'visitor', tooMany),
  ofSockets(numbers.socketsPerSite, 'site', busy),
  ofSockets(numbers.sockets / 2, 'account', busy),
  ofSockets(numbers.sockets, 'process', busy),
  {
    ...{ what: 'connections of visitors', number: numbers.connectionsPerVisitor, of: 'visitor' },
    ...{ heldIn: 'proxy/src/shares/visitor-connections.ts', beyond: tooMany },
    test: 'proxy/src/shares/shares.test.ts',
  },
  {
    ...{ what: 'connections of visitors', number: numbers.connections, of: 'process' },
    heldIn: 'proxy/src/shares/visitor-connections.ts',
    beyond: 'idle connections end, then new ones are turned away',
    test: 'proxy/src/attacks.test.ts',
  },
  {
    ...{ what: 'connections to a website behind it', number: numbers.upstreamConnections, of: 'site' },
    ...{ heldIn: 'proxy/src/upstream/pools.ts', beyond: 'requests wait' },
    test: 'proxy/src/shared-connections.test.ts',
  },
  {
    ...{ what: 'requests that wait for such a connection', number: numbers.upstreamQueue, of: 'site' },
    ...{ heldIn: 'proxy/src/upstream/pools.ts', beyond: busy, test: 'proxy/src/attacks.test.ts' },
  },
  {
    ...{ what: 'connections to websites', number: numbers.upstreamOpen / 2, of: 'account' },
    ...{ heldIn: 'proxy/src/upstream/pools.ts', beyond: 'requests wait' },
    test: 'proxy/src/shares/shares.test.ts',
  },
  {
    what: 'milliseconds of each turn of the loop, for the bodies of its websites; alone, four times as many',
    ...{ number: numbers.turnOfAccount, of: 'account', heldIn: 'proxy/src/shares/turns.ts' },
    beyond: 'what came waits for the next turn',
    test: 'proxy/src/shares/turns.test.ts',
  },
  {
    ...{ what: 'bodies that wait for such a turn', number: numbers.waitingOfAccount, unit: 'bytes' },
    ...{ of: 'account', heldIn: 'proxy/src/shares/turns.ts', beyond: 'its connections are read on later' },
    test: 'proxy/src/shares/turns.test.ts',
  },
  {
    ...{
      what: 'percent of the cache’s bytes and addresses',
      number: numbers.cacheOfAccount * 100,
      of: 'account',
    },
    heldIn: 'proxy/src/cache/entry-store.ts',
    beyond: 'its answers that were used longest ago go',
    test: 'proxy/src/cache/entry-store.test.ts',
  },
  {
    ...{ what: 'answers for the cache that are not whole yet', number: numbers.cacheUnderWay / 2 },
    ...{ unit: 'bytes', of: 'account', heldIn: 'proxy/src/cache/under-way.ts' },
    ...{ beyond: 'they pass and are not kept', test: 'proxy/src/cache/under-way.test.ts' },
  },
  {
    ...{ what: 'old answers that are fetched anew with nobody waiting', number: numbers.cacheRenewals / 2 },
    ...{ of: 'account', heldIn: 'proxy/src/cache/cache.ts', beyond: 'the old ones are given for longer' },
    test: 'proxy/src/cache/account-shares.test.ts',
  },
  {
    ...{
      what: 'addresses that the cache remembers without an answer',
      number: numbers.cacheTimes.addresses / 2,
    },
    ...{ of: 'account', heldIn: 'proxy/src/cache/address-times.ts', beyond: 'its oldest ones are forgotten' },
    test: 'proxy/src/cache/address-times.test.ts',
  },
  {
    ...{ what: 'letters of these addresses', number: numbers.cacheTimes.characters / 2, of: 'account' },
    ...{ heldIn: 'proxy/src/cache/address-times.ts', beyond: 'its oldest ones are forgotten' },
    test: 'proxy/src/cache/address-times.test.ts',
  },
];

function ofRequests(number: number, of: ShareHolder, beyond: string): Share {
  const test = of === 'site' ? 'proxy/src/attacks.test.ts' : 'proxy/src/shares/shares.test.ts';
  return { what: 'requests under way', number, of, heldIn: 'proxy/src/serve.ts', beyond, test };
}

function ofSockets(number: number, of: ShareHolder, beyond: string): Share {
  const test = 'proxy/src/web-sockets.test.ts';
  return { what: 'open WebSockets', number, of, heldIn: 'proxy/src/serve.ts', beyond, test };
}
