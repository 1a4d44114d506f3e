import type { Target } from '@homeport/rules';
import { buildConnector, type Dispatcher, Pool } from 'undici';
import type { PlaneLimits } from '../limits.ts';
import { type Gate, isAddress, PrivateAddress } from './gate.ts';

type Entry = { pool: Pool; open: number; usedAt: number };

export type Pools = {
  /** The pool of a target's origin. Null when too many requests wait for that origin already. */
  take(target: Target): { dispatcher: Dispatcher; leave: () => void } | null;
  /** Closes the pools that nobody used for a while. */
  tidy(now: number): void;
  close(): Promise<void>;
};

/** One pool of connections for each origin, so that an upstream that hangs has its own connections only. */
export function createPools(gate: Gate, limits: PlaneLimits): Pools {
  const entries = new Map<string, Entry>();
  const most = limits.upstreamConnections + limits.upstreamQueue;
  return {
    take(target) {
      const key = `${target.protocol}//${target.host}`;
      const entry = entries.get(key) ?? { pool: openPool(target, gate, limits), open: 0, usedAt: 0 };
      entries.set(key, entry);
      if (entry.open >= most) return null;
      entry.open += 1;
      let left = false;
      return {
        dispatcher: entry.pool,
        leave: () => {
          if (left) return;
          left = true;
          entry.open -= 1;
          entry.usedAt = performance.now();
        },
      };
    },
    tidy(now) {
      for (const [key, { pool, open, usedAt }] of entries) {
        if (open > 0 || now - usedAt < limits.poolUnusedMs) continue;
        entries.delete(key);
        pool.destroy().catch(() => undefined);
      }
    },
    async close() {
      await Promise.all([...entries.values()].map(({ pool }) => pool.destroy()));
      entries.clear();
    },
  };
}

function openPool(target: Target, gate: Gate, limits: PlaneLimits): Pool {
  return new Pool(`${target.protocol}//${target.host}`, {
    connect: connectorOf(target, gate, limits),
    connections: limits.upstreamConnections,
    pipelining: 1,
    keepAliveTimeout: limits.upstreamKeepAliveMs,
    keepAliveMaxTimeout: limits.upstreamKeepAliveMs,
    maxHeaderSize: limits.upstreamHeadBytes,
    clientTtl: limits.upstreamAgeMs,
    // The plane's own sweep ends what stalls: it knows event streams, and uploads that are under way.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

function connectorOf(target: Target, gate: Gate, limits: PlaneLimits): buildConnector.connector {
  const { hostname, port } = target;
  const isLiteral = isAddress(hostname);
  const isRefused = isLiteral ? !gate.allows(hostname, port) : !gate.allowsName(hostname);
  const dial = buildConnector({
    host: hostname,
    port,
    timeout: limits.connectMs,
    lookup: gate.lookupFor(target.port),
    autoSelectFamily: true,
    keepAliveInitialDelay: 30_000,
  });
  return (options, done) => {
    if (isRefused) {
      queueMicrotask(() => done(new PrivateAddress(), null));
      return;
    }
    // undici would take the name for SNI from the Host header.
    const { servername: _, ...rest } = options;
    dial(isLiteral ? rest : { ...rest, servername: hostname }, done);
  };
}
