import type { Share } from './share.ts';

/** What connections, sites and websites may hold of one process of the proxy service. `proxy/` takes its numbers from here. */
export const planeShareNumbers = {
  openPerConnection: 32,
  openPerSite: 1_000,
  open: 10_000,
  connections: 20_000,
  upstreamConnections: 64,
  upstreamQueue: 1_000,
};

const heldIn = 'proxy/src/plane.ts';

export const planeShares: readonly Share[] = [
  {
    ...{ what: 'requests that wait for an answer', number: planeShareNumbers.openPerConnection },
    ...{ of: 'connection', heldIn: 'proxy/src/plane.ts', beyond: 'the connection ends' },
    test: 'proxy/src/attacks.test.ts',
  },
  {
    ...{ what: 'requests under way', number: planeShareNumbers.openPerSite, of: 'site', heldIn },
    ...{ beyond: '503 with Retry-After', test: 'proxy/src/attacks.test.ts' },
  },
  {
    ...{ what: 'requests under way', number: planeShareNumbers.open, of: 'process', heldIn },
    ...{ beyond: '503 with Retry-After', test: 'proxy/src/attacks.test.ts' },
  },
  {
    ...{ what: 'connections of visitors', number: planeShareNumbers.connections, of: 'process', heldIn },
    beyond: 'idle connections end, then new ones are turned away',
    test: 'proxy/src/attacks.test.ts',
  },
  {
    ...{ what: 'connections to it', number: planeShareNumbers.upstreamConnections, of: 'website' },
    ...{ heldIn: 'proxy/src/upstream/pools.ts', beyond: 'requests wait' },
    test: 'proxy/src/shared-connections.test.ts',
  },
  {
    ...{
      what: 'requests that wait for a connection',
      number: planeShareNumbers.upstreamQueue,
      of: 'website',
    },
    ...{ heldIn: 'proxy/src/upstream/pools.ts', beyond: '503 with Retry-After' },
    test: 'proxy/src/shared-connections.test.ts',
  },
];
