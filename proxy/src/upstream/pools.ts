import type { Target } from '@homeport/rules';
import { buildConnector, type Dispatcher } from 'undici';
import type { PlaneLimits } from '../limits.ts';
import { type Clients, createClients } from './clients.ts';
import { type Gate, isAddress, PrivateAddress } from './gate.ts';

type Entry = { clients: Clients; open: number; usedAt: number };

export type Taken = { dispatcher: Dispatcher; leave: () => void };

export type Pools = {
  /** The pool of a target's origin. Null when too many requests wait for that origin already. */
  take(target: Target): Taken | null;
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
      const entry = entries.get(key) ?? { clients: openClients(target, gate, limits), open: 0, usedAt: 0 };
      entries.set(key, entry);
      if (entry.open >= most) return null;
      entry.open += 1;
      let left = false;
      return {
        dispatcher: entry.clients.dispatcher,
        leave: () => {
          if (left) return;
          left = true;
          entry.open -= 1;
          entry.usedAt = performance.now();
        },
      };
    },
    tidy(now) {
      for (const [key, { clients, open, usedAt }] of entries) {
        if (open > 0 || now - usedAt < limits.poolUnusedMs) continue;
        entries.delete(key);
        clients.destroy().catch(() => undefined);
      }
    },
    async close() {
      await Promise.all([...entries.values()].map(({ clients }) => clients.destroy()));
      entries.clear();
    },
  };
}

function openClients(target: Target, gate: Gate, limits: PlaneLimits): Clients {
  const options = {
    connect: connectorOf(target, gate, limits),
    pipelining: 1,
    keepAliveTimeout: limits.upstreamKeepAliveMs,
    keepAliveMaxTimeout: limits.upstreamKeepAliveMs,
    maxHeaderSize: limits.upstreamHeadBytes,
    // The plane's own sweep ends what stalls: it knows event streams, and uploads that are under way.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  return createClients(`${target.protocol}//${target.host}`, options, {
    most: limits.upstreamConnections,
    ageMs: limits.upstreamAgeMs,
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
