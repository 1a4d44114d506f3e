/** Opcodes that RFC 6455, 5.2, defines: continuation, text, binary, close, ping, pong. */
const opcodes: ReadonlySet<number> = new Set([0x0, 0x1, 0x2, 0x8, 0x9, 0xa]);
const closing = 0x8;

/** Finds where the frames that a WebSocket's server sends end (RFC 6455, 5.2). Keeps nothing of their payload. */
export class FrameBoundaries {
  #expects: 'kind' | 'length' | 'longer length' | 'payload' | 'nothing' = 'kind';
  /** Of the payload, as far as it is known. */
  #length = 0;
  /** Bytes that have not come: of the longer length, then of the payload. */
  #left = 0;
  #isControl = false;
  #hasClosed = false;

  /** Another frame may be put in here. */
  get isBetween(): boolean {
    return this.#expects === 'kind' && !this.#hasClosed;
  }
  /** A close frame came. No other one follows (5.5.1). */
  get hasClosed(): boolean {
    return this.#hasClosed;
  }
  /** These are no frames, so nothing can be put in. */
  get isBroken(): boolean {
    return this.#expects === 'nothing';
  }
  /** A frame has begun, and not ended. */
  get isInside(): boolean {
    return this.#expects !== 'kind' && this.#expects !== 'nothing';
  }

  read(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) {
      if (this.#expects === 'nothing') return;
      if (this.#expects === 'payload') {
        const skipped = Math.min(this.#left, chunk.length - at);
        this.#left -= skipped;
        at += skipped;
        if (this.#left === 0) this.#expects = 'kind';
      } else {
        this.#readHead(chunk[at] ?? 0);
        at += 1;
      }
    }
  }

  #readHead(byte: number): void {
    if (this.#expects === 'kind') this.#readKind(byte);
    else if (this.#expects === 'length') this.#readLength(byte);
    else {
      this.#length = this.#length * 256 + byte;
      this.#left -= 1;
      if (this.#left === 0) this.#begin(this.#length);
    }
  }

  #readKind(byte: number): void {
    const opcode = byte & 0x0f;
    this.#isControl = opcode >= closing;
    if (opcode === closing) this.#hasClosed = true;
    const isCutControl = this.#isControl && (byte & 0x80) === 0;
    this.#expects = opcodes.has(opcode) && !isCutControl ? 'length' : 'nothing';
  }

  /** A server masks nothing (5.1), and a control frame has at most 125 bytes (5.5). */
  #readLength(byte: number): void {
    if (byte > (this.#isControl ? 125 : 127)) this.#expects = 'nothing';
    else if (byte < 126) this.#begin(byte);
    else {
      this.#expects = 'longer length';
      this.#length = 0;
      this.#left = byte === 126 ? 2 : 8;
    }
  }

  #begin(length: number): void {
    this.#left = length;
    if (!Number.isSafeInteger(length)) this.#expects = 'nothing';
    else this.#expects = length === 0 ? 'kind' : 'payload';
  }
}
