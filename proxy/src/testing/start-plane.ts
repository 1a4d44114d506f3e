import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ResolveAll } from '@homeport/egress';
import type { RuleDefinition } from '@homeport/rules';
import type { TrustedPeers } from '../armour/trusted-peers.ts';
import { type Cache, type cacheBounds, createCache } from '../cache/cache.ts';
import { type PlaneLimits, planeLimits } from '../limits.ts';
import { createUseCounter } from '../measure/use-counter.ts';
import { createPlane, type Plane } from '../plane.ts';
import { createSiteTable, type SiteTable } from '../reload/site-table.ts';
import { createGate } from '../upstream/gate.ts';

export type TestPlane = {
  port: number;
  plane: Plane;
  table: SiteTable;
  use: ReturnType<typeof createUseCounter>;
  failures: unknown[];
  cache: Cache;
  /** Puts a proxy into the table. Later calls for the domain replace it. */
  put(
    domain: string,
    source: string,
    records?: readonly Partial<RuleDefinition>[],
    owner?: string,
  ): string | null;
  close(): Promise<void>;
};

const plain: RuleDefinition = {
  ...{ id: 'r', path: '/', type: 'simple', target: '', xForwardedHost: '', proxyPathPrefix: '' },
  ...{ pathRewriteSrc: '', pathRewriteDest: '', injection: '' },
};

/** A plane on a free port of the loopback. Deadlines are short where the test gives them. */
export async function startPlane(
  limits: Partial<PlaneLimits> = {},
  more: {
    allowPrivate?: string[];
    trusted?: string[] | TrustedPeers;
    resolve?: ResolveAll;
    cacheBounds?: typeof cacheBounds;
  } = {},
): Promise<TestPlane> {
  const table = createSiteTable();
  const use = createUseCounter(Date.now);
  const cache = createCache(more.cacheBounds);
  const failures: unknown[] = [];
  const plane = createPlane({
    ...{ table, use, cache, id: 'homeport-test', proofKey: Buffer.alloc(32, 7) },
    gate: createGate(
      { allowPrivate: more.allowPrivate ?? ['127.0.0.0/8', '::1/128'], own: { ports: [], names: [] } },
      more.resolve,
    ),
    trusted: trustedOf(more.trusted ?? []),
    limits: { ...planeLimits, sweepMs: 20, drainMs: 500, ...limits },
    failed: (error) => failures.push(error),
  });
  const port = await listen(plane.server);
  let version = 0;
  return {
    ...{ port, plane, table, use, cache, failures },
    put(domain, source, records = [], owner = 'ada') {
      version += 1;
      const rules = records.map((rule, index) => ({ ...plain, id: `r${index}`, ...rule }));
      return table.put({
        id: domain,
        domain,
        owner,
        version,
        text: JSON.stringify({ source, records: rules }),
      });
    },
    close: () => plane.drain(),
  };
}

function trustedOf(trusted: string[] | TrustedPeers): TrustedPeers {
  return Array.isArray(trusted) ? { networks: trusted, cdnNetworks: [], secretHash: null } : trusted;
}

export type TestUpstream = {
  origin: string;
  port: number;
  server: Server;
  /** The requests that arrived, newest last. */
  seen: IncomingMessage[];
  close(): Promise<void>;
};

/** An upstream that answers as the handler says. */
export async function startUpstream(
  answer: (req: IncomingMessage, res: ServerResponse) => void,
): Promise<TestUpstream> {
  const seen: IncomingMessage[] = [];
  const server = createServer((req, res) => {
    seen.push(req);
    answer(req, res);
  });
  const port = await listen(server);
  return {
    ...{ origin: `http://127.0.0.1:${port}`, port, server, seen },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export async function listen(server: {
  listen(port: number, host: string, done: () => void): unknown;
  address(): unknown;
}): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return portOf(server.address());
}

function portOf(address: unknown): number {
  const isAddress = (value: unknown): value is AddressInfo =>
    typeof value === 'object' && value !== null && 'port' in value;
  if (!isAddress(address)) throw new Error('The server does not listen.');
  return address.port;
}
