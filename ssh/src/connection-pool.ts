import type { LiveConnection } from '@homeport/contract/connections/schema';
import type { Connection } from './connection.ts';
import { CommandError, OpeningError } from './failures.ts';

/**
 * A connection belongs to one signed-in session of one person (`owner`) and to one server. No other session uses it, not even
 * a session of the same person. `user` is the account on the server. An opening names the account; a caller without `user` gets
 * the connection that was opened last. `endsWith`: what ends the connection in place of the session, where that is another id.
 */
export type ConnectionKey = {
  owner: string;
  sessionId: string;
  serverId: string;
  user?: string;
  endsWith?: string;
};

/** Opens the connection. `signal` fires when the session ends or the server is removed meanwhile. */
export type Opener = (signal: AbortSignal) => Promise<Connection>;

/** The live connections of this process. */
export class ConnectionPool {
  /** Includes connections past their age that finish a last command, because they have to end with their session too. */
  readonly #live = new Set<{ key: ConnectionKey; connection: Connection }>();
  readonly #opening = new Map<
    string,
    { key: ConnectionKey; stop: AbortController; opened: Promise<Connection> }
  >();
  /** Sessions that are over, whose connections live on for a moment. */
  readonly #left = new Set<string>();
  readonly #listeners = new Set<(key: ConnectionKey) => void>();
  readonly #onOpened = new Set<(key: ConnectionKey, connection: Connection) => void>();

  /** Returns the live connection, else joins a running opening of the same key, else opens. Rejects as the opener does. */
  open(key: ConnectionKey, opener: Opener): Promise<Connection> {
    const live = this.get(key);
    if (live) return Promise.resolve(live);
    const running = this.#opening.get(idOf(key));
    if (running) return running.opened;
    const stop = new AbortController();
    const opened = this.#open(key, opener, stop.signal);
    this.#opening.set(idOf(key), { key, stop, opened });
    return opened;
  }

  /** True while an opening of this key runs. Another `open` would join that opening. */
  isOpening(key: ConnectionKey): boolean {
    return this.#opening.has(idOf(key));
  }

  /** How many connections of this person are live or being opened. */
  heldBy(owner: string): number {
    const opening = [...this.#opening.values()];
    return [...this.#live, ...opening].filter(({ key }) => key.owner === owner).length;
  }

  get(key: ConnectionKey): Connection | null {
    const fitting = [...this.#live].filter(
      ({ key: of, connection }) =>
        of.owner === key.owner &&
        of.sessionId === key.sessionId &&
        of.serverId === key.serverId &&
        (key.user === undefined || key.user === of.user) &&
        !this.#left.has(endOf(of)) &&
        connection.usable,
    );
    return fitting.at(-1)?.connection ?? null;
  }

  /** @throws CommandError `connection_required` */
  require(key: ConnectionKey): Connection {
    const connection = this.get(key);
    if (!connection) throw new CommandError({ code: 'connection_required' });
    return connection;
  }

  /** The connections of this session, as its pages may see them. */
  list(sessionId: string): LiveConnection[] {
    return [...this.#live]
      .filter(
        ({ key, connection }) =>
          key.sessionId === sessionId && connection.usable && !this.#left.has(endOf(key)),
      )
      .map(({ key, connection }) => ({
        connectionId: connection.id,
        serverId: key.serverId,
        user: connection.facts.username,
        method: connection.facts.method,
        openedAt: connection.openedAt,
        lastUsedAt: connection.lastUsedAt,
        expiresAt: connection.expiresAt,
      }));
  }

  /** The sessions, and what stands for them (`endsWith`), that have a connection or open one. */
  sessionIds(): string[] {
    const held = [...this.#live, ...this.#opening.values()];
    return [...new Set(held.map(({ key }) => endOf(key)))];
  }

  /** Called at sign-out, before `closeSession`: nobody finds the session's connections from now on, and running openings reject. */
  leaveSession(sessionId: string): void {
    this.#stopOpening((key) => endOf(key) === sessionId);
    const keys = [...this.#live].map(({ key }) => key).filter((key) => endOf(key) === sessionId);
    if (keys.length > 0) this.#left.add(sessionId);
    for (const key of keys) this.#tell(key);
  }

  /** Called when what the session had to end on its servers has ended. */
  closeSession(sessionId: string): void {
    this.#close((key) => endOf(key) === sessionId);
    this.#left.delete(sessionId);
  }

  /** Called when a server is removed, or when its address, account or host key changes. */
  closeServer(serverId: string): void {
    this.#close((key) => key.serverId === serverId);
  }

  /** Calls `listener` whenever a connection opened or closed. Returns a function that stops listening. */
  onChange(listener: (key: ConnectionKey) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls `listener` with each connection that was opened. Returns a function that stops listening. */
  onOpened(listener: (key: ConnectionKey, connection: Connection) => void): () => void {
    this.#onOpened.add(listener);
    return () => this.#onOpened.delete(listener);
  }

  /** Closes every connection. Running openings reject. */
  dispose(): void {
    this.#close(() => true);
    this.#listeners.clear();
    this.#onOpened.clear();
  }

  async #open(key: ConnectionKey, opener: Opener, signal: AbortSignal): Promise<Connection> {
    try {
      const connection = await opener(signal);
      if (signal.aborted) {
        connection.close();
        throw signal.reason;
      }
      const entry = { key, connection };
      this.#live.add(entry);
      connection.onClose(() => {
        this.#live.delete(entry);
        this.#tell(key);
      });
      this.#tell(key);
      for (const listener of this.#onOpened) listener(key, connection);
      return connection;
    } finally {
      this.#opening.delete(idOf(key));
    }
  }

  #close(matches: (key: ConnectionKey) => boolean): void {
    this.#stopOpening(matches);
    for (const { key, connection } of [...this.#live]) if (matches(key)) connection.close();
  }

  #stopOpening(matches: (key: ConnectionKey) => boolean): void {
    for (const { key, stop } of [...this.#opening.values()]) {
      if (matches(key))
        stop.abort(new OpeningError({ code: 'not_signed_in', message: 'The session has ended.' }));
    }
  }

  #tell(key: ConnectionKey): void {
    for (const listener of this.#listeners) listener(key);
  }
}

const endOf = ({ sessionId, endsWith = sessionId }: ConnectionKey): string => endsWith;

const idOf = ({ owner, sessionId, serverId, user = '' }: ConnectionKey) =>
  JSON.stringify([owner, sessionId, serverId, user]);
