import { packetPace } from '@homeport/contract/limits';

/**
 * The pace at which this process reads packets. Each one costs some microseconds of the loop, also where it carries a single byte, and
 * whoever sends chooses the size. At sshd's 32 KiB for a packet of a busy channel, the pace is half a gigabyte a second.
 *
 * Connections may share a pace: those of one account do, so that many servers take no more of the loop than one. The packet that uses it
 * up stops all of them, so that only the rest of one read comes too early. Afterwards they go on in turn, each once the packets of the one
 * before it are counted.
 */
export class PacketPace {
  readonly #now: () => number;
  #left: number = packetPace.atOnce;
  #at: number;
  #holders = 0;
  /** The connections of which packets were counted: those that are read, and those that wait for their turn. */
  readonly #reading = new Set<Paced>();
  readonly #waiting = new Set<Paced>();
  /** True from a stop until the last connection in turn has gone on: the next step is planned. */
  #goesOn = false;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#at = now();
  }

  /** True while nobody holds this pace and it is not used up in part: a new one would be the same. */
  get isAtRest(): boolean {
    this.#refill();
    return this.#holders === 0 && this.#left >= packetPace.atOnce;
  }

  /** Keeps this pace from its rest. The returned function ends that. */
  hold(): () => void {
    this.#holders += 1;
    let isHeld = true;
    return () => {
      if (isHeld) this.#holders -= 1;
      isHeld = false;
    };
  }

  /** Counts one packet. Returns false where the sender has to wait. */
  take(): boolean {
    this.#left -= 1;
    if (this.#left >= 0) return true;
    this.#refill();
    return this.#left >= 0;
  }

  /** How long it takes until the next packet may be read. */
  waitMs(): number {
    this.#refill();
    return Math.max(0, Math.ceil((-this.#left / packetPace.perSecond) * 1_000));
  }

  /** Counts one packet of this connection. Where that was one too many, no connection of this pace is read on until its turn. */
  count(connection: Paced): void {
    const isLate = !this.take();
    // The rest of the read that was under way when the connection was stopped.
    if (this.#waiting.has(connection)) return;
    this.#reading.add(connection);
    if (isLate) this.#stopAll(connection);
  }

  /** For a connection that has closed. */
  forget(connection: Paced): void {
    this.#reading.delete(connection);
    this.#waiting.delete(connection);
  }

  #stopAll(last: Paced): void {
    this.#reading.delete(last);
    for (const connection of [...this.#reading, last]) {
      connection.pause();
      this.#waiting.add(connection);
    }
    this.#reading.clear();
    if (!this.#goesOn) this.#planNext();
    this.#goesOn = true;
  }

  #planNext(): void {
    setTimeout(() => this.#next(), this.waitMs()).unref();
  }

  #next(): void {
    const [connection] = this.#waiting;
    this.#goesOn = connection !== undefined;
    if (!connection) return;
    if (this.waitMs() > 0) {
      this.#planNext();
      return;
    }
    this.#waiting.delete(connection);
    this.#reading.add(connection);
    if (!connection.destroyed) connection.resume();
    // Before the next check phase the loop polls once. What the connection had ready is then counted; a silent one delays nobody.
    setImmediate(() => this.#next());
  }

  #refill(): void {
    const now = this.#now();
    this.#left = Math.min(packetPace.atOnce, this.#left + ((now - this.#at) / 1_000) * packetPace.perSecond);
    this.#at = now;
  }
}

/** A connection whose bytes can stay where they are for a while. */
type Paced = {
  pause(): unknown;
  resume(): unknown;
  readonly destroyed: boolean;
  once(event: 'close', listener: () => void): unknown;
};

/**
 * Returns what to call for each packet: it stops reading while the pace is used up. Keepalives are answered a little later. The socket
 * holds the pace until it closes.
 */
export function pacePackets(socket: Paced, pace: PacketPace): () => void {
  const free = pace.hold();
  socket.once('close', () => {
    pace.forget(socket);
    free();
  });
  return () => pace.count(socket);
}
