/** Bytes on an ordinary, never shared buffer. WebCrypto and IndexedDB accept no other kind. */
export type Bytes = Uint8Array<ArrayBuffer>;

export function concat(...parts: Uint8Array[]): Bytes {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= (a[i] ?? 0) ^ (b[i] ?? 0);
  return difference === 0;
}

export function utf8(text: string): Bytes {
  return new Uint8Array(new TextEncoder().encode(text));
}

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** undefined unless `text` consists of pairs of hexadecimal digits. */
export function fromHex(text: string): Bytes | undefined {
  if (!/^([0-9A-Fa-f]{2})*$/.test(text)) return undefined;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

export function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/** undefined unless `text` is base64. White space is ignored, as in PEM. */
export function fromBase64(text: string): Bytes | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

export function toBase64url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

export function fromBase64url(text: string): Bytes {
  return fromBase64(text.replaceAll('-', '+').replaceAll('_', '/')) ?? new Uint8Array(0);
}

/** Reads an unsigned big-endian number. */
export function toBigInt(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${hex(bytes)}`);
}

/** The shortest unsigned big-endian form. Zero has no bytes. */
export function fromBigInt(value: bigint): Bytes {
  const digits = value === 0n ? '' : value.toString(16);
  return fromHex(digits.length % 2 === 0 ? digits : `0${digits}`) ?? new Uint8Array(0);
}

export function withoutLeadingZeros(bytes: Uint8Array): Bytes {
  const first = bytes.findIndex((byte) => byte !== 0);
  return new Uint8Array(first === -1 ? [] : bytes.subarray(first));
}

/** undefined if the number does not fit into `length` bytes. */
export function leftPadded(bytes: Uint8Array, length: number): Bytes | undefined {
  const short = withoutLeadingZeros(bytes);
  return short.length > length ? undefined : concat(new Uint8Array(length - short.length), short);
}
