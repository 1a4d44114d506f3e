import type { Client, Connection } from 'ssh2';

/**
 * The private parts of ssh2 1.17.0 that this room uses. ssh2 has no public way to write a login request of our own, or to read a
 * packet before ssh2 does. The exact version is pinned; `ssh2-protocol.test.ts` fails when another version is installed or when a
 * part is missing.
 */
export type Ssh2Protocol = {
  /** Asks whether the server would take a key (in ssh2's own parsed form). With `sign`, logs in by that key. */
  authPK(username: string, key: unknown, algorithm?: string, sign?: AskSignature): void;
  authPassword(username: string, password: Buffer): void;
  /** The login methods of unanswered requests. ssh2 interprets message 60 by the first of these methods. */
  _authsQueue: string[];
  /** Our KEXINIT, from the start of a key exchange to its end. */
  _kexinit: Buffer | undefined;
  /** The packets to send after the key exchange. */
  _queue: Buffer[] | undefined;
  _kex: { sessionID: Buffer } | undefined;
  _cipher: PacketCipher;
  _packetRW: { read: PacketReader; write: PacketWriter };
};

/** Hands out the bytes to sign; `done` takes the signature without its algorithm's name. */
export type AskSignature = (data: Buffer, done: (signature: Buffer) => void) => void;

type PacketCipher = {
  /** A packet with its length and its padding, without its payload. */
  allocPacket(payloadBytes: number): Buffer;
  /** Encrypts the packet at once, and hands it to `_onWrite` in pieces. */
  encrypt(packet: Buffer): void;
  _onWrite(piece: Uint8Array): void;
};
type PacketReader = { read(payload: Buffer): Buffer; cleanup(): void };
type PacketWriter = {
  /** The offset of the payload in the result of `alloc`. */
  allocStart: number;
  alloc(payloadBytes: number): Buffer;
  finalize(packet: Buffer): Buffer;
};

/** The protocol object of a client after `connect`. Throws when this version of ssh2 keeps other parts there. */
export function protocolOf(client: Client | Connection): Ssh2Protocol {
  const protocol: unknown = Reflect.get(client, '_protocol');
  if (!isKnown(protocol))
    throw new Error('This version of ssh2 is not the one that Homeport was built with.');
  return protocol;
}

/** Sends one packet whose payload is `parts` in a row. Returns the packet's memory that holds the payload. */
export function sendPayload(protocol: Ssh2Protocol, parts: readonly Buffer[]): Buffer {
  const { write } = protocol._packetRW;
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const packet = write.alloc(length);
  const payload = packet.subarray(write.allocStart, write.allocStart + length);
  let at = 0;
  for (const part of parts) {
    payload.set(part, at);
    at += part.length;
  }
  const finished = write.finalize(packet);
  if (protocol._kexinit === undefined) protocol._cipher.encrypt(finished);
  else protocol._queue = [...(protocol._queue ?? []), finished];
  return payload;
}

/** The bytes that the other end may still send on a channel of ours. Null for a channel that ssh2 does not know. */
export function windowOf(client: Client, channel: number): number | null {
  const channels = Reflect.get(client, '_chanMgr') as { get(id: number): unknown };
  const window = partOf(partOf(channels.get(channel), 'incoming'), 'window');
  return typeof window === 'number' ? window : null;
}

function isKnown(value: unknown): value is Ssh2Protocol {
  const packets = partOf(value, '_packetRW');
  const cipher = partOf(value, '_cipher');
  const [read, write] = [partOf(packets, 'read'), partOf(packets, 'write')];
  const methods: [unknown, string][] = [
    [value, 'authPK'],
    [value, 'authPassword'],
    [cipher, 'allocPacket'],
    [cipher, 'encrypt'],
    [cipher, '_onWrite'],
    [read, 'read'],
    [read, 'cleanup'],
    [write, 'alloc'],
    [write, 'finalize'],
  ];
  return (
    methods.every(([owner, name]) => typeof partOf(owner, name) === 'function') &&
    Array.isArray(partOf(value, '_authsQueue')) &&
    typeof partOf(write, 'allocStart') === 'number' &&
    ['_kex', '_kexinit', '_queue'].every((name) => Reflect.has(value as object, name))
  );
}

function partOf(owner: unknown, name: string): unknown {
  return typeof owner === 'object' && owner !== null ? Reflect.get(owner, name) : undefined;
}
