import { Client, Dispatcher } from 'undici';

/** Connections to one origin, one request on each at a time. */
export type Clients = {
  dispatcher: Dispatcher;
  /** Ends all connections, and what waits for one fails. */
  destroy(): Promise<void>;
};

/** undici's calls on a dispatcher, as `request`, need one of its own kind. */
class Giving extends Dispatcher {
  readonly #give: Dispatcher['dispatch'];
  constructor(give: Dispatcher['dispatch']) {
    super();
    this.#give = give;
  }
  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    return this.#give(options, handler);
  }
}

type Waiting = { options: Dispatcher.DispatchOptions; handler: Dispatcher.DispatchHandler };

/**
 * Hands requests to free connections, the one that was used last first, and opens more up to a bound. undici's own pool walks over
 * all of its connections twice for each request. A tenth of the processor time of a busy plane went there.
 *
 * @param most connections at once; further requests wait in turn
 * @param ageMs a connection of that age takes no more requests, so that a changed address is seen
 */
export function createClients(
  origin: string,
  options: Client.Options,
  { most, ageMs }: { most: number; ageMs: number },
): Clients {
  /** Each with the time when it was opened, in milliseconds of the monotonic clock. */
  const all = new Map<Client, number>();
  const free: Client[] = [];
  const waiting: Waiting[] = [];
  /** Where the waiting begin: taking from the beginning of an array moves all others. */
  let first = 0;
  let isDestroyed = false;

  function open(): Client {
    const client = new Client(origin, options);
    all.set(client, performance.now());
    client.on('drain', () => putBack(client));
    // Its requests have failed. The next one gets a new connection, and with it a new look at the addresses.
    client.on('connectionError', () => void all.delete(client));
    return client;
  }

  function retire(client: Client): void {
    all.delete(client);
    client.close().catch(() => undefined);
  }

  function isUsable(client: Client): boolean {
    const openedAt = all.get(client);
    if (openedAt === undefined) return false;
    if (performance.now() - openedAt <= ageMs) return true;
    retire(client);
    return false;
  }

  function takeFree(): Client | null {
    for (let client = free.pop(); client !== undefined; client = free.pop())
      if (isUsable(client)) return client;
    return all.size < most ? open() : null;
  }

  function send(client: Client, { options: asked, handler }: Waiting): void {
    // False: the connection is busy, and says `drain` when the answer is over.
    if (client.dispatch(asked, handler)) putBack(client);
  }

  function putBack(client: Client): void {
    if (!isUsable(client)) {
      sendWaiting();
      return;
    }
    const next = takeWaiting();
    if (next === undefined) free.push(client);
    else send(client, next);
  }

  function takeWaiting(): Waiting | undefined {
    const next = waiting[first];
    if (next === undefined) return undefined;
    first += 1;
    if (first < 1_024 && first < waiting.length) return next;
    waiting.splice(0, first);
    first = 0;
    return next;
  }

  /** A connection went, so there is room for another one. */
  function sendWaiting(): void {
    if (isDestroyed || first >= waiting.length) return;
    const client = takeFree();
    const next = client && takeWaiting();
    if (client && next) send(client, next);
  }

  return {
    dispatcher: new Giving((asked, handler) => {
      const client = takeFree();
      if (client === null) waiting.push({ options: asked, handler });
      else send(client, { options: asked, handler });
      return client !== null;
    }),
    async destroy() {
      isDestroyed = true;
      const last = open();
      const ending = [...all.keys()].map((client) => client.destroy());
      // A destroyed connection refuses what is given to it, and its sender hears of that.
      for (let next = takeWaiting(); next !== undefined; next = takeWaiting())
        last.dispatch(next.options, next.handler);
      all.clear();
      free.length = 0;
      await Promise.all(ending);
    },
  };
}
