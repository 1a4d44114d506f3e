import type { Gate } from '@homeport/egress';
import type { Target } from '@homeport/rules';
import type { PlaneLimits } from '../limits.ts';
import { Share } from '../shares/share.ts';
import { type Turn, Turns } from '../shares/turns.ts';
import type { Asked, Asker } from './connection.ts';
import { type Connections, createConnections, type Room } from './connections.ts';
import { createDial } from './dial.ts';

type Origin = Pick<Target, 'protocol' | 'hostname' | 'port' | 'host'>;

/** A place among the requests of an origin. */
export type Taken = {
  ask(asked: Asked, asker: Asker): void;
  /** The loop's time of the site's account. */
  readonly turn: Turn;
  /** Gives the place back. */
  leave(): void;
};

/** Whose request it is. */
export type Asking = { id: string; owner: string };

export type Pools = {
  /** A place at a target's origin. Null when too many requests of this site wait for that origin already. */
  take(site: Asking, target: Origin): Taken | null;
  /** Ends the connections that are idle, and forgets the origins that nobody asked for a while. */
  tidy(now: number): void;
  close(): Promise<void>;
};

/**
 * The connections of each site to each origin. An upstream that hangs has its own connections only, and whoever names another site's
 * origin takes none of that site's.
 */
export function createPools(gate: Gate, limits: PlaneLimits): Pools {
  const pools = new Map<string, Pool>();
  const turns = new Turns(limits.turnMs, limits.turnBytes);
  const most = limits.upstreamConnections + limits.upstreamQueue;
  const share = new Share({
    ...{ most: limits.upstreamOpen, perSite: Number.POSITIVE_INFINITY, perVisitor: Number.POSITIVE_INFINITY },
  });
  return {
    take(site, target) {
      const key = `${site.id} ${target.protocol}//${target.host}`;
      let pool = pools.get(key);
      if (pool === undefined) {
        const turn = turns.of(site.owner);
        const parts = { room: roomOf(share, site), turn };
        pool = new Pool(site.owner, turn, openConnections(target, gate, limits, parts));
        pools.set(key, pool);
      }
      return pool.open >= most ? null : new Place(pool);
    },
    tidy(now) {
      share.tidy();
      for (const [key, pool] of pools) {
        pool.connections.tidy(now);
        if (pool.open > 0 || now - pool.usedAt < limits.poolUnusedMs) continue;
        pools.delete(key);
        pool.connections.destroy();
      }
      turns.keepOnly(new Set([...pools.values()].map(({ owner }) => owner)));
    },
    async close() {
      for (const { connections } of pools.values()) connections.destroy();
      pools.clear();
    },
  };
}

class Pool {
  readonly owner: string;
  readonly turn: Turn;
  readonly connections: Connections;
  open = 0;
  usedAt = 0;
  constructor(owner: string, turn: Turn, connections: Connections) {
    this.owner = owner;
    this.turn = turn;
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
  get turn(): Turn {
    return this.#pool.turn;
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

function openConnections(
  target: Origin,
  gate: Gate,
  limits: PlaneLimits,
  parts: { room: Room; turn: Turn },
): Connections {
  return createConnections(
    createDial(target, gate),
    {
      most: limits.upstreamConnections,
      ageMs: limits.upstreamAgeMs,
      idleMs: limits.upstreamKeepAliveMs,
      connectMs: limits.connectMs,
      headBytes: limits.upstreamHeadBytes,
    },
    parts,
  );
}

/** Holds on to nothing of the site's rules. */
function roomOf(share: Share, { id, owner }: Asking): Room {
  const site = { id, owner };
  return { take: () => share.enter(site, null) === null, leave: () => share.leave(site, null) };
}
