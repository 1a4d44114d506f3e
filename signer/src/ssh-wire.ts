import { type Bytes, concat, utf8, withoutLeadingZeros } from './bytes.ts';

/** Thrown by the reader when the bytes end too soon. Callers convert it to their own error. */
export class WireError extends Error {
  override readonly name = 'WireError';
}

export interface WireReader {
  byte(): number;
  uint32(): number;
  /** A uint32 length, then that many bytes. */
  string(): Bytes;
  text(): string;
  /** An mpint's magnitude without leading zeros. Keys contain no negative numbers. */
  mpint(): Bytes;
  take(length: number): Bytes;
  rest(): Bytes;
  remaining(): number;
}

/** Reads the data types of RFC 4251 section 5, big-endian. */
export function readWire(bytes: Uint8Array): WireReader {
  let at = 0;
  const take = (length: number): Bytes => {
    if (length > bytes.length - at) throw new WireError('The data ends too soon.');
    at += length;
    return bytes.slice(at - length, at) as Bytes;
  };
  const uint32 = () => take(4).reduce((value, byte) => value * 256 + byte, 0);
  const string = () => take(uint32());
  return {
    byte: () => take(1)[0] ?? 0,
    uint32,
    string,
    text: () => new TextDecoder().decode(string()),
    mpint: () => withoutLeadingZeros(string()),
    take,
    rest: () => take(bytes.length - at),
    remaining: () => bytes.length - at,
  };
}

export function uint32(value: number): Bytes {
  return Uint8Array.of(value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255);
}

export function string(value: Uint8Array | string): Bytes {
  const bytes = typeof value === 'string' ? utf8(value) : value;
  return concat(uint32(bytes.length), bytes);
}

/** A non-negative mpint: no leading zeros, but one zero byte if the top bit is set (RFC 4251 section 5). */
export function mpint(magnitude: Uint8Array): Bytes {
  const short = withoutLeadingZeros(magnitude);
  return string((short[0] ?? 0) >= 0x80 ? concat(Uint8Array.of(0), short) : short);
}
