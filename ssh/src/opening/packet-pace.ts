import { packetPace } from '@homeport/contract/limits';

/**
 * The pace at which this process reads packets. Each one costs some microseconds of the loop, also where it carries a single byte, and
 * whoever sends chooses the size. At sshd's 32 KiB for a packet of a busy channel, the pace is half a gigabyte a second.
 *
 * Connections may share a pace: those of one account do, so that many servers take no more of the loop than one.
 */
export class PacketPace {
  readonly #now: () => number;
  #left: number = packetPace.atOnce;
  #at: number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#at = now();
  }

  /** True while nobody uses this pace: a new one would be the same. */
  get isAtRest(): boolean {
    this.#refill();
    return this.#left >= packetPace.atOnce;
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

  #refill(): void {
    const now = this.#now();
    this.#left = Math.min(packetPace.atOnce, this.#left + ((now - this.#at) / 1_000) * packetPace.perSecond);
    this.#at = now;
  }
}

/** A connection whose bytes can stay where they are for a while. */
type Held = { pause(): void; resume(): void; destroyed: boolean };

/** Returns what to call for each packet: it stops reading the socket while the pace is used up. Keepalives are answered a little later. */
export function pacePackets(socket: Held, pace: PacketPace): () => void {
  let isHeld = false;
  const goOn = () => {
    const ms = pace.waitMs();
    if (ms > 0 && !socket.destroyed) {
      setTimeout(goOn, ms).unref();
      return;
    }
    isHeld = false;
    if (!socket.destroyed) socket.resume();
  };
  return () => {
    if (pace.take() || isHeld) return;
    isHeld = true;
    socket.pause();
    setTimeout(goOn, pace.waitMs()).unref();
  };
}
