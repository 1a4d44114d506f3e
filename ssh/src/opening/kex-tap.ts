import type { Socket } from 'node:net';
import { WireReader } from './wire.ts';

/** The unencrypted part of the server's key exchange: its host key and its signature over the exchange. */
export type KexReply = {
  hostKey: Buffer;
  /** `string algorithm, string signature` over the exchange hash. The hash of the first exchange is the session id. */
  signature: Buffer;
};

const newKeys = 21;
/** The same number for ECDH and for the fixed Diffie-Hellman groups. */
const exchangeReply = 31;
/** The unencrypted part of a handshake measures 2 to 4 kB. A peer that sends more than this is no SSH server. */
const atMostBytes = 65_536;

/**
 * Listens beside ssh2 on its socket until the key exchange is over (RFC 4253, sections 4.2, 6 and 8). Attach the tap after
 * `client.connect()`, which has paused the socket: neither the tap nor ssh2 then misses a byte. `onTooMuch` is called once when
 * the exchange is not over after 64 kB.
 */
export function tapKexReply(
  socket: Socket,
  onTooMuch: () => void,
): { reply(): KexReply | null; detach(): void } {
  let seen = Buffer.alloc(0);
  let reply: KexReply | null = null;

  const onData = (chunk: Buffer) => {
    seen = Buffer.concat([seen, chunk]);
    const scan = scanKex(seen);
    reply = scan.reply;
    if (scan.done) return detach();
    if (seen.length <= atMostBytes) return;
    detach();
    onTooMuch();
  };
  const detach = () => {
    socket.off('data', onData);
    seen = Buffer.alloc(0);
  };

  socket.on('data', onData);
  return { reply: () => reply, detach };
}

/** Pure. Reads everything that the server sent so far. Returns the reply, if it is there, and whether the exchange is over. */
export function scanKex(bytes: Buffer): { reply: KexReply | null; done: boolean } {
  let at = endOfIdentification(bytes);
  let reply: KexReply | null = null;
  while (at !== null && at + 5 <= bytes.length) {
    const packetLength = bytes.readUInt32BE(at);
    const paddingLength = bytes.readUInt8(at + 4);
    const payloadLength = packetLength - paddingLength - 1;
    if (packetLength > atMostBytes || payloadLength < 1) return { reply, done: true };
    const end = at + 4 + packetLength;
    if (end > bytes.length) break;
    const payload = bytes.subarray(at + 5, at + 5 + payloadLength);
    if (payload[0] === newKeys) return { reply, done: true };
    reply ??= parseReply(payload);
    at = end;
  }
  return { reply, done: false };
}

/** Lines may come before the identification (RFC 4253, 4.2); the packets begin after the line that starts with `SSH-`. */
function endOfIdentification(bytes: Buffer): number | null {
  let lineStart = 0;
  for (;;) {
    const lineEnd = bytes.indexOf(0x0a, lineStart);
    if (lineEnd < 0) return null;
    if (bytes.toString('latin1', lineStart, lineStart + 4) === 'SSH-') return lineEnd + 1;
    lineStart = lineEnd + 1;
  }
}

function parseReply(payload: Buffer): KexReply | null {
  if (payload[0] !== exchangeReply) return null;
  const reader = new WireReader(payload, 1);
  const hostKey = reader.string();
  const exchangeValue = reader.string();
  const signature = reader.string();
  if (!hostKey || !exchangeValue || !signature || !reader.finished) return null;
  return { hostKey: Buffer.from(hostKey), signature: Buffer.from(signature) };
}
