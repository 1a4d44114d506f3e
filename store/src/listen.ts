import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import type { Channel, Payload } from './channels.ts';
import type { Database } from './database.ts';
import { lose } from './store-error.ts';

/** Sends a notification. If `db` is a transaction, the notification arrives when the transaction commits, and never otherwise. */
export async function notify<C extends Channel>(
  db: Kysely<Database>,
  channel: C,
  payload: Payload<C>,
): Promise<void> {
  await sql`select pg_notify(${channel}, ${JSON.stringify(payload)})`.execute(db);
}

export type Listener = {
  /** Calls `heard` for each message until the returned function is called. Resolves once the connection listens. */
  on<C extends Channel>(channel: C, heard: (payload: Payload<C>) => void): Promise<() => void>;
  /** Calls `back` after each reconnect. Messages may be lost before that, so read the state again. */
  onReconnect(back: () => void): () => void;
  close(): Promise<void>;
};

type Heard = (payload: never) => void;

const firstWaitMs = 50;
const longestWaitMs = 5_000;
const connectWithinMs = 10_000;

/**
 * One connection for all channels. It opens at the first use, and opens again when it is lost.
 * @param report gets the reason when a connection was lost or a message was no JSON.
 */
export function openListener(config: pg.ClientConfig, report: (error: Error) => void): Listener {
  const subscribers = new Map<Channel, Set<Heard>>();
  const reconnected = new Set<() => void>();
  let closed = false;
  let current: Promise<pg.Client> | undefined;
  let retry: NodeJS.Timeout | undefined;
  /** The channels that the current connection listens to, or will. */
  let listening = new Map<Channel, Promise<void>>();
  /** The last statement of the connection. The driver wants one statement at a time. */
  let lastListen: Promise<unknown> = Promise.resolve();

  function listenTo(client: pg.Client, channel: Channel): Promise<void> {
    const before = listening.get(channel);
    if (before) return before;
    const listens = lastListen.then(async () => {
      await client.query(`listen ${pg.escapeIdentifier(channel)}`);
    });
    listening.set(channel, listens);
    lastListen = listens.catch(() => undefined);
    return listens;
  }

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({
      ...config,
      application_name: 'homeport listener',
      keepAlive: true,
      connectionTimeoutMillis: connectWithinMs,
    });
    client.on('error', lose(report));
    client.on('notification', hear);
    await client.connect();
    listening = new Map();
    try {
      for (const channel of subscribers.keys()) await listenTo(client, channel);
    } catch (error) {
      // The next try has a connection of its own.
      await client.end().catch(() => {});
      throw error;
    }
    client.once('end', () => {
      current = undefined;
      if (!closed) reconnect(firstWaitMs);
    });
    return client;
  }

  function client(): Promise<pg.Client> {
    current ??= connect().catch((error: unknown) => {
      current = undefined;
      throw error;
    });
    return current;
  }

  function reconnect(waitMs: number): void {
    retry = setTimeout(() => {
      client().then(
        () => {
          for (const back of [...reconnected]) tellBack(back);
        },
        (error: Error) => {
          report(error);
          if (!closed) reconnect(Math.min(waitMs * 2, longestWaitMs));
        },
      );
    }, waitMs);
  }

  function tellBack(back: () => void): void {
    try {
      back();
    } catch (error) {
      report(error as Error);
    }
  }

  function hear({ channel, payload }: pg.Notification): void {
    const heards = subscribers.get(channel as Channel);
    if (!heards || payload === undefined) return;
    try {
      const message = JSON.parse(payload) as never;
      for (const heard of [...heards]) heard(message);
    } catch (error) {
      report(error as Error);
    }
  }

  return {
    async on(channel, heard) {
      const heards = subscribers.get(channel) ?? new Set<Heard>();
      subscribers.set(channel, heards.add(heard as Heard));
      const connection = await client();
      await listenTo(connection, channel);
      return () => heards.delete(heard as Heard);
    },
    onReconnect(back) {
      reconnected.add(back);
      return () => reconnected.delete(back);
    },
    async close() {
      closed = true;
      clearTimeout(retry);
      const open = await current?.catch(() => undefined);
      await open?.end();
    },
  };
}
