import { randomFillSync } from 'node:crypto';
import type { Ssh2Protocol } from './ssh2-protocol.ts';

/** AES works on blocks of so many bytes. The length before a packet is not encrypted under GCM (RFC 5647, 7.3). */
const blockBytes = 16;
const lengthBytes = 4;
/** RFC 4253, section 6. */
const leastPaddingBytes = 4;
/** A packet with a file's bytes. Smaller ones may carry a secret, which must not stay in memory until the next large packet. */
const largeBytes = 8 * 1024;

/**
 * Makes ssh2 write its packets under AES-GCM into memory that is there already, and pad them from random bytes that are drawn for
 * many packets at once. By itself ssh2 allocates each packet twice, and asks OpenSSL for 4 to 19 random bytes each time, which takes
 * longer than to encrypt the packet. Call it after each key exchange, because ssh2 then has a new cipher.
 */
export function writeInPlace({ _cipher: cipher }: Ssh2Protocol, name: string): void {
  if (!name.endsWith('-gcm@openssh.com')) return;
  // ssh2's optional native cipher keeps room for the tag behind the packet. It encrypts where the packet stands.
  if (cipher.allocPacket(1).length !== packetBytes(1)) return;
  cipher.allocPacket = emptyPacket;
  const write = cipher._onWrite;
  // The first four bytes are not encrypted, and ssh2 hands them to the socket where they stand.
  cipher._onWrite = (piece) => write(piece.buffer === large.buffer ? Buffer.from(piece) : piece);
}

/** A packet without its payload, which begins at the sixth byte (RFC 4253, section 6). */
function emptyPacket(payloadBytes: number): Buffer {
  const bytes = packetBytes(payloadBytes);
  const inPlace = payloadBytes >= largeBytes && bytes <= large.length;
  const packet = inPlace ? large.subarray(0, bytes) : Buffer.allocUnsafe(bytes);
  const padding = bytes - lengthBytes - 1 - payloadBytes;
  packet.writeUInt32BE(bytes - lengthBytes, 0);
  packet[lengthBytes] = padding;
  packet.set(randomBytes(padding), bytes - padding);
  return packet;
}

function packetBytes(payloadBytes: number): number {
  const encrypted = 1 + payloadBytes;
  const rest = blockBytes - (encrypted % blockBytes);
  return lengthBytes + encrypted + (rest < leastPaddingBytes ? rest + blockBytes : rest);
}

/** For one packet at a time, of all connections: ssh2 encrypts a packet into new memory in the call that fills it. */
const large = Buffer.allocUnsafeSlow(64 * 1024);

const drawn = Buffer.allocUnsafeSlow(16 * 1024);
let used = drawn.length;

/** Each byte is handed out once. */
function randomBytes(count: number): Uint8Array {
  if (used + count > drawn.length) {
    randomFillSync(drawn);
    used = 0;
  }
  used += count;
  return drawn.subarray(used - count, used);
}
