/**
 * The bytes of answers that are kept and not whole yet. A slow visitor holds those of an answer for long, so an account may have as many as
 * stay free, as of requests (`shares/share.ts`): one alone at most half.
 */
export class UnderWay {
  readonly #most: number;
  readonly #ofAccounts = new Map<string, number>();
  #bytes = 0;

  /** @param most bytes of all accounts together */
  constructor(most: number) {
    this.#most = most;
  }

  /** Takes room and returns true; false where there is none. */
  take(owner: string, bytes: number): boolean {
    const ofAccount = (this.#ofAccounts.get(owner) ?? 0) + bytes;
    if (ofAccount > this.#most - this.#bytes - bytes) return false;
    this.#bytes += bytes;
    this.#ofAccounts.set(owner, ofAccount);
    return true;
  }

  /** Gives back what was taken. */
  give(owner: string, bytes: number): void {
    const ofAccount = (this.#ofAccounts.get(owner) ?? 0) - bytes;
    this.#bytes -= bytes;
    if (ofAccount > 0) this.#ofAccounts.set(owner, ofAccount);
    else this.#ofAccounts.delete(owner);
  }
}
