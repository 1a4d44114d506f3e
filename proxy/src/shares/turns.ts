/** What an account may do in one turn of the loop. */
export type Turn = {
  /**
   * Does the work at once, and returns true. False where the account has used its time of this turn, or where more of its work waits:
   * then nothing was done.
   */
  takes(work: () => void): boolean;
  /** Does the work in a later turn, after all that waits for this account already. `bytes` wait with it in memory. */
  later(work: () => void, bytes: number): void;
  /** From now on the stream is held while too many bytes of the account wait, maybe at once. Returns how it leaves. */
  join(stream: HeldStream): () => void;
};

/** A stream whose bytes may have to stay where they are. */
export type HeldStream = {
  /** Reads no more, until `readOn`. */
  hold(): void;
  readOn(): void;
};

/** What a stream may bring before it notices that it is held. */
const pieceBytes = 64 * 1024;

/** Of the time of one turn, for all accounts together, when work that waited is done. Whoever is alone has all of it. */
const allAccounts = 4;

/** So long after another account's work an account is not alone. */
const aloneAfterMs = 1_000;

class Account {
  readonly waiting: { work: () => void; bytes: number }[] = [];
  /** Of the work that waits. */
  bytes = 0;
  readonly reading = new Set<HeldStream>();
  /** The one that was held first is read on first. */
  readonly held = new Set<HeldStream>();
  /** The turn that `usedMs` is of. */
  turn = 0;
  usedMs = 0;
}

/**
 * Divides the loop's time among accounts. Node serves whoever has bytes, as many as there are: a hundred downloads, or one page with
 * thirty thousand links after the other, would keep everybody else waiting for as long as they take. So an account has a small time in
 * each turn of the loop. What it has beyond that waits for the next turn, and there each account has its time again (deficit round robin,
 * Shreedhar and Varghese 1995, with time in place of bytes). What waits costs a copy and a pause of its stream, so the only account that
 * had work for a second has the time of all.
 */
export class Turns {
  readonly #turnMs: number;
  readonly #mostBytes: number;
  readonly #now: () => number;
  readonly #accounts = new Map<string, Account>();
  /** Whoever has work that waits, the one that was served last at the end. */
  readonly #waiting = new Set<Account>();
  #turn = 1;
  #isArmed = false;
  /** Who had work last, and until when that account is not alone. */
  #last: Account | undefined;
  #sharedUntil = Number.NEGATIVE_INFINITY;

  /**
   * @param turnMs an account's time in each turn. A piece of work that was begun in it is done whole.
   * @param mostBytes when more of an account's bytes wait, its streams are held
   */
  constructor(turnMs: number, mostBytes: number, now: () => number = () => performance.now()) {
    this.#turnMs = turnMs;
    this.#mostBytes = mostBytes;
    this.#now = now;
  }

  /** The account's part. Everything of one account has the same. */
  of(owner: string): Turn {
    const account = this.#accounts.get(owner) ?? new Account();
    this.#accounts.set(owner, account);
    return {
      takes: (work) => this.#takes(account, work),
      later: (work, bytes) => this.#later(account, work, bytes),
      join: (stream) => this.#join(account, stream),
    };
  }

  /** Forgets the accounts that nobody serves any more. */
  keepOnly(owners: ReadonlySet<string>): void {
    for (const owner of this.#accounts.keys()) if (!owners.has(owner)) this.#accounts.delete(owner);
  }

  #takes(account: Account, work: () => void): boolean {
    if (account.waiting.length > 0 || this.#used(account) >= this.#timeOf(account)) return false;
    this.#do(account, work);
    // The turn ends with the loop's next one. Whoever uses little needs no end.
    if (account.usedMs >= this.#turnMs) this.#arm();
    return true;
  }

  /** Milliseconds of this turn. */
  #timeOf(account: Account): number {
    if (account.usedMs < this.#turnMs) return this.#turnMs;
    const isAlone = this.#last === account && this.#now() >= this.#sharedUntil;
    return isAlone ? allAccounts * this.#turnMs : this.#turnMs;
  }

  #later(account: Account, work: () => void, bytes: number): void {
    account.waiting.push({ work, bytes });
    account.bytes += bytes;
    if (account.bytes > this.#mostBytes) {
      for (const stream of account.reading) {
        account.held.add(stream);
        stream.hold();
      }
      account.reading.clear();
    }
    this.#waiting.add(account);
    this.#arm();
  }

  #join(account: Account, stream: HeldStream): () => void {
    // Those that were held before have their turn first.
    const waits = account.held.size > 0;
    (waits ? account.held : account.reading).add(stream);
    if (waits) stream.hold();
    return () => {
      account.held.delete(stream);
      account.reading.delete(stream);
    };
  }

  /** Reads as many streams on as bring what has room, so that not all of them are held again at the next look for bytes. */
  #readOn(account: Account): void {
    const room = this.#mostBytes / 2 - account.bytes;
    if (room < 0) return;
    let left = 1 + Math.floor(room / pieceBytes);
    for (const stream of account.held) {
      account.held.delete(stream);
      account.reading.add(stream);
      stream.readOn();
      left -= 1;
      if (left === 0) return;
    }
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
    if (this.#last !== account) {
      this.#last = account;
      this.#sharedUntil = begun + aloneAfterMs;
    }
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
      this.#readOn(account);
      if (account.waiting.length > 0 || account.held.size > 0) this.#waiting.add(account);
      if (this.#now() >= until) break;
    }
    if (this.#waiting.size > 0) this.#arm();
  }

  /** At least one piece, so that everything comes to its end. */
  #serve(account: Account): void {
    let done = 0;
    try {
      do {
        const next = account.waiting[done];
        if (next === undefined) break;
        done += 1;
        account.bytes -= next.bytes;
        this.#do(account, next.work);
      } while (account.usedMs < this.#timeOf(account));
    } finally {
      account.waiting.splice(0, done);
    }
  }
}

/** The pieces of one stream that wait for their account's turn, in their order. */
export class WaitingPieces {
  readonly #turn: Turn;
  readonly #readOn: () => void;
  readonly #hold: () => void;
  #count = 0;
  #isHeld = false;
  #leave: (() => void) | null = null;

  /**
   * @param readOn called when nothing waits any more, so that the stream may be read again
   * @param hold called when the stream is to be read no more until then, because too many bytes of its account wait
   */
  constructor(turn: Turn, readOn: () => void, hold: () => void) {
    this.#turn = turn;
    this.#readOn = readOn;
    this.#hold = hold;
  }

  /** The stream may be read. */
  get isEmpty(): boolean {
    return this.#count === 0 && !this.#isHeld;
  }

  /** Bytes may come from now on. */
  begin(): void {
    this.#leave ??= this.#turn.join({
      hold: () => {
        this.#isHeld = true;
        this.#hold();
      },
      readOn: () => {
        this.#isHeld = false;
        if (this.isEmpty) this.#readOn();
      },
    });
  }

  /** No more bytes will come for now. */
  stop(): void {
    this.#leave?.();
    this.#leave = null;
    this.#isHeld = false;
  }

  /**
   * Does the work now, and returns true. Else nothing was done, and the caller stops reading: `kept` makes the work that is done in a
   * later turn, with so many bytes.
   */
  take(work: () => void, kept: () => () => void, bytes: number): boolean {
    if (this.#turn.takes(work)) return true;
    this.#later(kept(), bytes);
    return false;
  }

  /** Does what follows the last piece: at once where no piece waits. A stream that is paused may end all the same. */
  end(work: () => void): void {
    if (this.#count === 0) work();
    else this.#later(work, 0);
  }

  #later(work: () => void, bytes: number): void {
    this.#count += 1;
    this.#turn.later(() => {
      this.#count -= 1;
      work();
      if (this.isEmpty) this.#readOn();
    }, bytes);
  }
}

/** For whoever has a loop alone. */
export const wholeTurn: Turn = {
  takes(work) {
    work();
    return true;
  },
  later: (work) => void setImmediate(work),
  join: () => () => undefined,
};
