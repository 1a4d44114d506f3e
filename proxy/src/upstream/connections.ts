import { type Turn, wholeTurn } from '../shares/turns.ts';
import { type Asked, type Asker, Connection, type ConnectionLimits, LostConnection } from './connection.ts';
import type { Dial } from './dial.ts';

/** The connections to one origin. */
export type Connections = {
  /** Sends a request over a free connection, or when one is free. */
  ask(asked: Asked, asker: Asker): void;
  /** Ends the connections that were idle for too long or are too old, and forgets the requests that nobody waits for. */
  tidy(now: number): void;
  /** Ends all connections, and what waits for one fails. */
  destroy(): void;
};

/** Room for connections that several origins share. */
export type Room = { take(): boolean; leave(): void };
const endless: Room = { take: () => true, leave: () => undefined };

type Waiting = { asked: Asked; asker: Asker };

/**
 * Hands requests to free connections, the one that was used last first, and opens more up to a bound.
 *
 * @param most connections at once, but for those that were set aside; further requests wait in turn
 * @param turn the loop's time of whoever's connections these are
 * @param ageMs a connection of that age takes no more requests, so that a changed address is seen
 */
export function createConnections(
  dial: Dial,
  { most, ageMs, ...limits }: ConnectionLimits & { most: number; ageMs: number },
  { room = endless, turn = wholeTurn }: { room?: Room; turn?: Turn } = {},
): Connections {
  const all = new Set<Connection>();
  /** How many of them carry something that takes long, and are not counted. */
  let aside = 0;
  let free: Connection[] = [];
  const waiting = createQueue();
  let isDestroyed = false;

  const isUsable = (one: Connection, now: number) => one.isUsable(now) && now - one.openedAt <= ageMs;

  const keeper = {
    free(connection: Connection) {
      comeBack(connection);
      if (all.size - aside > most || !isUsable(connection, performance.now())) {
        connection.destroy(new LostConnection());
        return;
      }
      const next = waiting.take();
      if (next === undefined) free.push(connection);
      else connection.send(next.asked, next.asker);
    },
    aside(connection: Connection) {
      if (!all.has(connection) || connection.isAside) return;
      connection.isAside = true;
      aside += 1;
      if (waiting.hasMore()) queueMicrotask(sendWaiting);
    },
    gone(connection: Connection) {
      comeBack(connection);
      if (all.delete(connection)) room.leave();
      // There is room for another one.
      if (!isDestroyed && waiting.hasMore()) queueMicrotask(sendWaiting);
    },
  };

  function comeBack(connection: Connection): void {
    if (!connection.isAside) return;
    connection.isAside = false;
    aside -= 1;
  }

  /** A connection that takes a request now; null where all are busy. Throws where the origin may not be dialled. */
  function take(): Connection | null {
    const now = performance.now();
    for (let one = free.pop(); one !== undefined; one = free.pop()) {
      if (isUsable(one, now)) return one;
      one.destroy(new LostConnection());
    }
    if (all.size - aside >= most || !room.take()) return null;
    try {
      const opened = new Connection(dial, limits, keeper, turn);
      all.add(opened);
      return opened;
    } catch (error) {
      room.leave();
      throw error;
    }
  }

  function sendWaiting(): void {
    while (waiting.hasMore()) {
      const connection = take();
      if (connection === null) return;
      keeper.free(connection);
    }
  }

  return {
    ask(asked, asker) {
      try {
        checkAsked(asked);
        const connection = isDestroyed ? null : take();
        if (connection !== null) connection.send(asked, asker);
        else if (isDestroyed) throw new LostConnection();
        else waiting.push({ asked, asker });
      } catch (error) {
        failLater(asker, error);
      }
    },
    tidy(now) {
      waiting.tidy();
      // Room that other origins have left is reported to nobody.
      if (waiting.hasMore()) sendWaiting();
      if (!free.some((one) => !isUsable(one, now))) return;
      const old = free.filter((one) => !isUsable(one, now));
      free = free.filter((one) => isUsable(one, now));
      for (const one of old) one.destroy(new LostConnection());
    },
    destroy() {
      isDestroyed = true;
      for (const connection of [...all]) connection.destroy(new LostConnection());
      waiting.failAll();
      free.length = 0;
    },
  };
}

/** Whoever asks hears of it after the call, as of every other failure. */
function failLater(asker: Asker, error: unknown): void {
  queueMicrotask(() => asker.failed(error instanceof Error ? error : new LostConnection()));
}

/** The requests that wait for a connection, in their order. */
function createQueue() {
  let waiting: Waiting[] = [];
  /** Where the waiting begin: taking from the beginning of an array moves all others. */
  let first = 0;
  return {
    hasMore: () => first < waiting.length,
    push(one: Waiting): void {
      waiting.push(one);
    },
    /** The next request that is still wanted. */
    take(): Waiting | undefined {
      let next = waiting[first];
      while (next !== undefined) {
        first += 1;
        if (!next.asker.hasLeft()) break;
        next = waiting[first];
      }
      if (first < 1_024 && first < waiting.length) return next;
      waiting.splice(0, first);
      first = 0;
      return next;
    },
    failAll(): void {
      for (let next = this.take(); next !== undefined; next = this.take())
        next.asker.failed(new LostConnection());
    },
    /** Forgets those that are not wanted any more. */
    tidy(): void {
      if (waiting.length === 0) return;
      waiting = waiting.slice(first).filter(({ asker }) => !asker.hasLeft());
      first = 0;
    },
  };
}

const noValue = /[^\t\x20-\x7e\x80-\xff]/;

/**
 * Throws for what would end a line of the request. Everything that comes here was checked where it came in. A character beyond a byte
 * would lose its upper half on the way, and become another one.
 */
function checkAsked({ path, headers }: Asked): void {
  if (/[^\x21-\x7e]/.test(path) || headers.some((text) => noValue.test(text)))
    throw new Error('The request has a character that no request has.');
}
