/** What an account may do in one turn of the loop. */
export type Turn = {
  /**
   * Does the work at once, and returns true. False where the account has used its time of this turn, or where more of its work waits:
   * then nothing was done.
   */
  takes(work: () => void): boolean;
  /** Does the work in a later turn, after all that waits for this account already. */
  later(work: () => void): void;
};

/** Of the time of one turn, for all accounts together, when work that waited is done. */
const allAccounts = 4;

class Account {
  readonly waiting: (() => void)[] = [];
  /** The turn that `usedMs` is of. */
  turn = 0;
  usedMs = 0;
}

/**
 * Divides the loop's time among accounts. Node serves whoever has bytes, as many as there are: a hundred downloads, or one page with
 * thirty thousand links after the other, would keep everybody else waiting for as long as they take. So an account has a small time in
 * each turn of the loop. What it has beyond that waits for the next turn, and there each account has its time again (deficit round robin,
 * Shreedhar and Varghese 1995, with time in place of bytes).
 */
export class Turns {
  readonly #turnMs: number;
  readonly #now: () => number;
  readonly #accounts = new Map<string, Account>();
  /** Whoever has work that waits, the one that was served last at the end. */
  readonly #waiting = new Set<Account>();
  #turn = 1;
  #isArmed = false;

  /** @param turnMs an account's time in each turn. A piece of work that was begun in it is done whole. */
  constructor(turnMs: number, now: () => number = () => performance.now()) {
    this.#turnMs = turnMs;
    this.#now = now;
  }

  /** The account's part. Everything of one account has the same. */
  of(owner: string): Turn {
    const account = this.#accounts.get(owner) ?? new Account();
    this.#accounts.set(owner, account);
    return {
      takes: (work) => this.#takes(account, work),
      later: (work) => this.#later(account, work),
    };
  }

  /** Forgets the accounts that nobody serves any more. */
  keepOnly(owners: ReadonlySet<string>): void {
    for (const owner of this.#accounts.keys()) if (!owners.has(owner)) this.#accounts.delete(owner);
  }

  #takes(account: Account, work: () => void): boolean {
    if (account.waiting.length > 0 || this.#used(account) >= this.#turnMs) return false;
    this.#do(account, work);
    // The turn ends with the loop's next one. Whoever uses little needs no end.
    if (account.usedMs >= this.#turnMs) this.#arm();
    return true;
  }

  #later(account: Account, work: () => void): void {
    account.waiting.push(work);
    this.#waiting.add(account);
    this.#arm();
  }

  #used(account: Account): number {
    if (account.turn !== this.#turn) {
      account.turn = this.#turn;
      account.usedMs = 0;
    }
    return account.usedMs;
  }

  #do(account: Account, work: () => void): void {
    const before = this.#used(account);
    const begun = this.#now();
    work();
    // Work inside of this work has counted its time already.
    account.usedMs = before + this.#now() - begun;
  }

  #arm(): void {
    if (this.#isArmed) return;
    this.#isArmed = true;
    setImmediate(() => this.#nextTurn());
  }

  /** After each look for bytes: everybody has their time anew, and what waits is done first. */
  #nextTurn(): void {
    this.#isArmed = false;
    this.#turn += 1;
    const until = this.#now() + allAccounts * this.#turnMs;
    for (const account of [...this.#waiting]) {
      this.#waiting.delete(account);
      this.#serve(account);
      if (account.waiting.length > 0) this.#waiting.add(account);
      if (this.#now() >= until) break;
    }
    if (this.#waiting.size > 0) this.#arm();
  }

  /** At least one piece, so that everything comes to its end. */
  #serve(account: Account): void {
    let done = 0;
    try {
      do {
        const work = account.waiting[done];
        if (work === undefined) break;
        done += 1;
        this.#do(account, work);
      } while (account.usedMs < this.#turnMs);
    } finally {
      account.waiting.splice(0, done);
    }
  }
}

/** The pieces of one stream that wait for their account's turn, in their order. */
export class WaitingPieces {
  readonly #turn: Turn;
  readonly #readOn: () => void;
  #count = 0;

  /** @param readOn called when nothing waits any more, so that the stream may be read again */
  constructor(turn: Turn, readOn: () => void) {
    this.#turn = turn;
    this.#readOn = readOn;
  }

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /**
   * Does the work now, and returns true. Else nothing was done, and the caller stops reading: `kept` makes the work that is done in a
   * later turn.
   */
  take(work: () => void, kept: () => () => void): boolean {
    if (this.#turn.takes(work)) return true;
    this.#later(kept());
    return false;
  }

  /** Does what follows the last piece: at once where no piece waits. A stream that is paused may end all the same. */
  end(work: () => void): void {
    if (this.isEmpty) work();
    else this.#later(work);
  }

  #later(work: () => void): void {
    this.#count += 1;
    this.#turn.later(() => {
      this.#count -= 1;
      work();
      if (this.#count === 0) this.#readOn();
    });
  }
}

/** For whoever has a loop alone. */
export const wholeTurn: Turn = {
  takes(work) {
    work();
    return true;
  },
  later: (work) => void setImmediate(work),
};
