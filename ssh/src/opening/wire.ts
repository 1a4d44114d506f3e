/** Reads SSH's data types (RFC 4251, section 5) off a buffer; every method answers null where the buffer is too short. */
export class WireReader {
  readonly #bytes: Buffer;
  #at: number;

  constructor(bytes: Buffer, start = 0) {
    this.#bytes = bytes;
    this.#at = start;
  }

  get finished(): boolean {
    return this.#at === this.#bytes.length;
  }

  string(): Buffer | null {
    if (this.#at + 4 > this.#bytes.length) return null;
    const end = this.#at + 4 + this.#bytes.readUInt32BE(this.#at);
    if (end > this.#bytes.length) return null;
    const value = this.#bytes.subarray(this.#at + 4, end);
    this.#at = end;
    return value;
  }
}
