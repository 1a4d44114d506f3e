import type { Connection, PublicKeyAuthContext } from 'ssh2';
import { protocolOf, type Ssh2Protocol } from './ssh2-protocol.ts';
import { WireReader, wireString, wireUint32 } from './wire.ts';

const boundMethod = 'publickey-hostbound-v00@openssh.com';
const message = { extInfo: 7, userauthRequest: 50 } as const;
/** ssh2 ends a client with more login requests that wait. */
const requestsAtMost = 10;

export type HostBoundLogins = {
  /** The bytes that the request's signature is over; undefined for a request without a signature. */
  signedBytes(request: Pick<PublicKeyAuthContext, 'blob'>): Buffer | undefined;
};

/**
 * Makes an ssh2 server take logins whose signature names its host key (OpenSSH's PROTOCOL, section 3.2), and announce that (RFC 8308).
 * ssh2 knows no such method, so it reads each request in the plain form. A request that names another host key is left as it is, and
 * ssh2 ends the client at it. Call this for each client before its handshake.
 */
export function takeHostBound(client: Connection, hostKeyBlob: Buffer): HostBoundLogins {
  const protocol = protocolOf(client);
  /** By the bytes that ssh2 takes for the signed ones. */
  const signed = new Map<string, Buffer>();
  const packets = protocol._packetRW;
  let { read: own } = packets;
  const read = (payload: Buffer): Buffer => {
    const plain = own.read(payload);
    const request = plain[0] === message.userauthRequest ? readBound(plain) : null;
    if (!request?.hostKey.equals(hostKeyBlob)) return plain;
    const session = sessionOf(protocol);
    if (signed.size === requestsAtMost) signed.clear();
    signed.set(
      Buffer.concat([session, request.asPlain]).toString('base64'),
      Buffer.concat([session, request.asked]),
    );
    return Buffer.concat([request.asPlain, request.signature]);
  };
  const reader = { read, cleanup: () => own.cleanup() };
  // ssh2 installs a new reader with each key exchange.
  Object.defineProperty(packets, 'read', {
    get: () => reader,
    set: (next: typeof own) => {
      own = next;
    },
  });
  announce(packets);
  return { signedBytes: ({ blob }) => blob && (signed.get(blob.toString('base64')) ?? blob) };
}

/** Adds to the extensions that ssh2 announces: a client takes one such message, right after the key exchange (RFC 8308, 2.4). */
function announce(packets: Ssh2Protocol['_packetRW']): void {
  const wrap = (own: typeof packets.write): typeof packets.write =>
    Object.assign(Object.create(own), {
      finalize(packet: Buffer, ...more: []) {
        if (packet[own.allocStart] !== message.extInfo) return own.finalize(packet, ...more);
        const extensions = extensionsIn(packet, own.allocStart + 1);
        const payload = Buffer.concat([
          Buffer.of(message.extInfo),
          wireUint32(extensions.length / 2 + 1),
          ...[...extensions, 'publickey-hostbound@openssh.com', '0'].map(wireString),
        ]);
        const longer = own.alloc(payload.length, ...more);
        longer.set(payload, own.allocStart);
        return own.finalize(longer, ...more);
      },
    });
  let writer = wrap(packets.write);
  Object.defineProperty(packets, 'write', {
    get: () => writer,
    set: (next: typeof packets.write) => {
      writer = wrap(next);
    },
  });
}

/** Names and values in turn. */
function extensionsIn(packet: Buffer, start: number): Buffer[] {
  const fields = new WireReader(packet, start);
  const count = fields.uint32() ?? 0;
  return Array.from({ length: count * 2 }, () => fields.string() ?? Buffer.alloc(0));
}

/** A host-bound request in its parts. Null for any other request. */
function readBound(payload: Buffer) {
  const fields = new WireReader(payload, 1);
  const [user, service, method] = [fields.string(), fields.string(), fields.string()];
  if (!user || !service || method?.toString() !== boundMethod) return null;
  const isSigned = fields.byte();
  const [algorithm, key, hostKey] = [fields.string(), fields.string(), fields.string()];
  if (isSigned === null || !algorithm || !key || !hostKey) return null;
  const signature = isSigned === 0 ? null : fields.string();
  const signaturePart = signature ? wireString(signature) : Buffer.alloc(0);
  return {
    hostKey,
    signature: signaturePart,
    /** The request as the client signed it. */
    asked: Buffer.from(payload.subarray(0, payload.length - signaturePart.length)),
    asPlain: Buffer.concat([
      Buffer.of(message.userauthRequest),
      wireString(user),
      wireString(service),
      wireString('publickey'),
      Buffer.of(isSigned),
      wireString(algorithm),
      wireString(key),
    ]),
  };
}

function sessionOf(protocol: Ssh2Protocol): Buffer {
  const sessionId = protocol._kex?.sessionID;
  if (!sessionId) throw new Error('The session has no id yet.');
  return wireString(sessionId);
}
