import type { Gate } from '@homeport/egress';
import type { Target } from '@homeport/rules';
import type { PlaneLimits } from '../limits.ts';
import type { Asked, Asker } from './connection.ts';
import { type Connections, createConnections } from './connections.ts';
import { createDial } from './dial.ts';

type Origin = Pick<Target, 'protocol' | 'hostname' | 'port' | 'host'>;

/** A place among the requests of an origin. */
export type Taken = {
  ask(asked: Asked, asker: Asker): void;
  /** Gives the place back. */
  leave(): void;
};

export type Pools = {
  /** A place at a target's origin. Null when too many requests wait for that origin already. */
  take(target: Origin): Taken | null;
  /** Ends the connections that are idle, and forgets the origins that nobody asked for a while. */
  tidy(now: number): void;
  close(): Promise<void>;
};

/** The connections of each origin, so that an upstream that hangs has its own connections only. */
export function createPools(gate: Gate, limits: PlaneLimits): Pools {
  const pools = new Map<string, Pool>();
  const most = limits.upstreamConnections + limits.upstreamQueue;
  return {
    take(target) {
      const key = `${target.protocol}//${target.host}`;
      let pool = pools.get(key);
      if (pool === undefined) {
        pool = new Pool(openConnections(target, gate, limits));
        pools.set(key, pool);
      }
      return pool.open >= most ? null : new Place(pool);
    },
    tidy(now) {
      for (const [key, pool] of pools) {
        pool.connections.tidy(now);
        if (pool.open > 0 || now - pool.usedAt < limits.poolUnusedMs) continue;
        pools.delete(key);
        pool.connections.destroy();
      }
    },
    async close() {
      for (const { connections } of pools.values()) connections.destroy();
      pools.clear();
    },
  };
}

class Pool {
  readonly connections: Connections;
  open = 0;
  usedAt = 0;
  constructor(connections: Connections) {
    this.connections = connections;
  }
}

class Place implements Taken {
  readonly #pool: Pool;
  #isLeft = false;
  constructor(pool: Pool) {
    this.#pool = pool;
    pool.open += 1;
  }
  ask(asked: Asked, asker: Asker): void {
    this.#pool.connections.ask(asked, asker);
  }
  leave(): void {
    if (this.#isLeft) return;
    this.#isLeft = true;
    this.#pool.open -= 1;
    this.#pool.usedAt = performance.now();
  }
}

function openConnections(target: Origin, gate: Gate, limits: PlaneLimits): Connections {
  return createConnections(createDial(target, gate), {
    most: limits.upstreamConnections,
    ageMs: limits.upstreamAgeMs,
    idleMs: limits.upstreamKeepAliveMs,
    connectMs: limits.connectMs,
    headBytes: limits.upstreamHeadBytes,
  });
}
