type Stream = 'stdout' | 'stderr';

/** A piece from this size on passes as it is. */
const smallBytes = 1_024;
/** What is gathered is handed over when it is as large as this. */
const gatheredBytes = 16 * 1024;
/** Beyond this many changes between the two streams, their order within what is gathered is lost. */
const runsAtMost = 64;
/** The memory of a run grows from here. */
const firstBytes = 256;

/**
 * Makes larger pieces of what a server sends in packets of a few bytes. Each piece costs its reader several hundred bytes of memory while
 * it waits, and some microseconds of the loop. A window sent byte by byte would be two million pieces.
 */
export class GatheredPieces {
  readonly #hand: (stream: Stream, bytes: Buffer) => void | Promise<void>;
  readonly #taken: (bytes: number) => void;
  readonly #waitsForMore: boolean;
  #runs: { stream: Stream; memory: Buffer; length: number }[] = [];
  #gathered = 0;
  /** The number of pieces whose reader has not taken them yet. */
  #untaken = 0;
  #isDue = false;

  /**
   * @param hand takes a piece; the piece counts as taken when the returned promise has settled
   * @param taken is called with the number of bytes of each piece that was taken
   * @param waitsForMore true: small pieces wait for the others of the same read. Otherwise they wait only for a reader who is behind.
   */
  constructor(
    hand: (stream: Stream, bytes: Buffer) => void | Promise<void>,
    taken: (bytes: number) => void,
    { waitsForMore }: { waitsForMore: boolean },
  ) {
    this.#hand = hand;
    this.#taken = taken;
    this.#waitsForMore = waitsForMore;
  }

  add(stream: Stream, bytes: Buffer): void {
    const passes = bytes.length >= smallBytes || (this.#untaken === 0 && !this.#waitsForMore);
    if (passes) {
      this.flush();
      this.#handOver(stream, bytes);
      return;
    }
    this.#gather(stream, bytes);
    if (this.#gathered >= gatheredBytes) this.flush();
    else if (this.#untaken === 0 && !this.#isDue) {
      this.#isDue = true;
      queueMicrotask(() => {
        this.#isDue = false;
        if (this.#untaken === 0) this.flush();
      });
    }
  }

  /** Hands over everything that was gathered. */
  flush(): void {
    if (this.#gathered === 0) return;
    const runs = this.#runs;
    this.#runs = [];
    this.#gathered = 0;
    for (const { stream, memory, length } of runs) this.#handOver(stream, memory.subarray(0, length));
  }

  #handOver(stream: Stream, bytes: Buffer): void {
    const taking = this.#hand(stream, bytes);
    if (!taking) {
      this.#taken(bytes.length);
      return;
    }
    this.#untaken += 1;
    const done = () => {
      this.#untaken -= 1;
      this.#taken(bytes.length);
      if (this.#untaken === 0) this.flush();
    };
    void taking.then(done, done);
  }

  #gather(stream: Stream, bytes: Buffer): void {
    const last = this.#runs.at(-1);
    // The two streams take turns in the list, so the run before the last one is of the other stream.
    const before = this.#runs.length >= runsAtMost ? this.#runs.at(-2) : undefined;
    let run = [last, before].find((each) => each?.stream === stream);
    if (!run) {
      run = { stream, memory: Buffer.allocUnsafeSlow(firstBytes), length: 0 };
      this.#runs.push(run);
    }
    const needed = run.length + bytes.length;
    if (needed > run.memory.length) {
      const memory = Buffer.allocUnsafeSlow(Math.max(needed, 2 * run.memory.length));
      run.memory.copy(memory, 0, 0, run.length);
      run.memory = memory;
    }
    bytes.copy(run.memory, run.length);
    run.length = needed;
    this.#gathered += bytes.length;
  }
}
