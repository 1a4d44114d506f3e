/**
 * At most so many channels at once on one connection; who comes later waits in turn. sshd's MaxSessions defaults to 10
 * and it answers the eleventh with a refusal, so two are left free: to end a running command, and to spare.
 */
export class ChannelSlots {
  #limit: number;
  #running = 0;
  readonly #waiting: Waiting[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  get limit(): number {
    return this.#limit;
  }

  get busy(): number {
    return this.#running + this.#waiting.length;
  }

  /** Resolves when a channel may be opened; rejects with the signal's reason. `ahead` goes before those who wait. */
  acquire(signal: AbortSignal, place: 'last' | 'ahead' = 'last'): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(signal.reason);
      };
      const waiting: Waiting = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      signal.addEventListener('abort', leave, { once: true });
      if (place === 'ahead') this.#waiting.unshift(waiting);
      else this.#waiting.push(waiting);
      this.#admit();
    });
  }

  release(): void {
    this.#running -= 1;
    this.#admit();
  }

  /** The server refused this channel: it allows fewer than run now, and one of those stays free for ending commands. */
  refused(): void {
    this.#limit = Math.max(1, Math.min(this.#limit, this.#running - 2));
    this.release();
  }

  #admit(): void {
    while (this.#running < this.#limit) {
      const next = this.#waiting.shift();
      if (!next) return;
      this.#running += 1;
      next();
    }
  }
}

type Waiting = () => void;
