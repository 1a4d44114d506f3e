import { waitingPerConnection } from '@homeport/contract/limits';
import { CommandError } from '../failures.ts';

/**
 * Limits the channels of one connection; further callers wait in turn. sshd's MaxSessions defaults to 10, and sshd refuses the
 * eleventh channel. So two channels stay free: one to end a running command, and a spare.
 */
export class ChannelSlots {
  #limit: number;
  #running = 0;
  /** The number of running commands that last until their reader leaves. */
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
   * Resolves when a channel may be opened; rejects with the signal's reason, or with `too_many_waiting`. `ahead` goes before the waiting callers. A command
   * that `follows` runs until its reader leaves. Other commands would wait as long, so following commands leave some channels free.
   */
  acquire(
    signal: AbortSignal,
    { place = 'last', follows = false }: { place?: 'last' | 'ahead'; follows?: boolean } = {},
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      if (place === 'last' && this.#waiting.length >= waitingPerConnection) {
        // A server that answers nothing would otherwise gather work without end.
        return reject(new CommandError({ code: 'too_many_waiting', most: waitingPerConnection }));
      }
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

  /** The server refused this channel, so it allows fewer than run now. One of the allowed channels stays free to end commands. */
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

/** Followers leave this many channels free, if the server allows more. */
const keptFromFollowers = 2;

type Waiting = { follows: boolean; admit: () => void };
