/** Reads SSH's data types (RFC 4251, section 5) from a buffer. Every method returns null when the buffer is too short. */
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

  uint32(): number | null {
    if (this.#at + 4 > this.#bytes.length) return null;
    const value = this.#bytes.readUInt32BE(this.#at);
    this.#at += 4;
    return value;
  }

  byte(): number | null {
    const value = this.#bytes[this.#at];
    if (value === undefined) return null;
    this.#at += 1;
    return value;
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

/** An SSH `string` (RFC 4251, section 5): the length, then the bytes. */
export function wireString(value: string | Buffer): Buffer {
  const bytes = Buffer.isBuffer(value) ? value : Buffer.from(value, 'utf8');
  return Buffer.concat([wireUint32(bytes.length), bytes]);
}

export function wireUint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
