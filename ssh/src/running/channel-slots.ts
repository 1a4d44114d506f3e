/**
 * At most so many channels at once on one connection; who comes later waits in turn. sshd's MaxSessions defaults to 10
 * and it answers the eleventh with a refusal, so two are left free: to end a running command, and to spare.
 */
export class ChannelSlots {
  #limit: number;
  #running = 0;
  /** Of those that run: commands that last until their reader leaves. */
  #following = 0;
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

  /**
   * Resolves when a channel may be opened; rejects with the signal's reason. `ahead` goes before those who wait. A command
   * that `follows` runs until its reader leaves: such commands leave channels to the others, which would wait for as long.
   */
  acquire(
    signal: AbortSignal,
    { place = 'last', follows = false }: { place?: 'last' | 'ahead'; follows?: boolean } = {},
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(signal.reason);
      };
      const waiting: Waiting = {
        follows,
        admit() {
          signal.removeEventListener('abort', leave);
          resolve();
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      if (place === 'ahead') this.#waiting.unshift(waiting);
      else this.#waiting.push(waiting);
      this.#admit();
    });
  }

  release({ follows = false }: { follows?: boolean } = {}): void {
    this.#running -= 1;
    if (follows) this.#following -= 1;
    this.#admit();
  }

  /** The server refused this channel: it allows fewer than run now, and one of those stays free for ending commands. */
  refused(kind: { follows?: boolean } = {}): void {
    this.#limit = Math.max(1, Math.min(this.#limit, this.#running - 2));
    this.release(kind);
  }

  #admit(): void {
    while (this.#running < this.#limit) {
      const mayFollow = this.#following < Math.max(1, this.#limit - keptFromFollowers);
      const at = this.#waiting.findIndex(({ follows }) => mayFollow || !follows);
      const [next] = at < 0 ? [] : this.#waiting.splice(at, 1);
      if (!next) return;
      this.#running += 1;
      if (next.follows) this.#following += 1;
      next.admit();
    }
  }
}

/** Channels that followers leave free, where the server allows more than these. */
const keptFromFollowers = 2;

type Waiting = { follows: boolean; admit: () => void };
