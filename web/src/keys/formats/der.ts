import { type Bytes, concat, fromBigInt, hex } from '@homeport/signer/bytes';
import { malformed } from '@homeport/signer/key-error';

/** The tags that key files use (X.690). */
export const tags = {
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  sequence: 0x30,
  context0: 0xa0,
} as const;

export interface DerNode {
  tag: number;
  value: Uint8Array;
}

/** The elements in `bytes`, one level deep. Throws KeyError (`malformed`). */
export function readDer(bytes: Uint8Array): DerNode[] {
  const nodes: DerNode[] = [];
  let at = 0;
  while (at < bytes.length) {
    const tag = bytes[at] ?? 0;
    const first = bytes[at + 1];
    const lengthBytes = first !== undefined && first > 0x80 ? first - 0x80 : 0;
    const start = at + 2 + lengthBytes;
    if (first === undefined || first === 0x80 || lengthBytes > 3 || start > bytes.length) throw damaged();
    const long = bytes.subarray(at + 2, start).reduce((sum, byte) => sum * 256 + byte, 0);
    const end = start + (lengthBytes > 0 ? long : first);
    if (end > bytes.length) throw damaged();
    nodes.push({ tag, value: bytes.subarray(start, end) });
    at = end;
  }
  return nodes;
}

/** The elements of the one sequence in `bytes`. Throws KeyError (`malformed`). */
export function readSequence(bytes: Uint8Array): DerNode[] {
  const [outer, ...others] = readDer(bytes);
  if (outer?.tag !== tags.sequence || others.length > 0) throw damaged();
  return readDer(outer.value);
}

/** The value of an element. The element must exist and have this tag. Throws KeyError (`malformed`). */
export function contentOf(node: DerNode | undefined, tag: number): Uint8Array {
  if (node?.tag !== tag) throw damaged();
  return node.value;
}

/** The encoded body of an OID in hexadecimal, which is enough for a comparison. */
export function oidOf(node: DerNode | undefined): string {
  return hex(contentOf(node, tags.oid));
}

/** A small non-negative INTEGER, such as a count of rounds. Throws KeyError (`malformed`). */
export function smallInteger(node: DerNode | undefined): number {
  const value = contentOf(node, tags.integer);
  if (value.length === 0 || value.length > 5 || (value[0] ?? 0) >= 0x80) throw damaged();
  return value.reduce((sum, byte) => sum * 256 + byte, 0);
}

export function der(tag: number, ...content: Uint8Array[]): Bytes {
  const body = concat(...content);
  if (body.length < 0x80) return concat(Uint8Array.of(tag, body.length), body);
  const length = fromBigInt(BigInt(body.length));
  return concat(Uint8Array.of(tag, 0x80 + length.length), length, body);
}

function damaged() {
  return malformed('The key block is damaged or cut short.');
}
