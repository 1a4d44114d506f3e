import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';

/** A software device with one passkey (WebAuthn Level 2, 6.1 and 6.5.4), whose answers a test can spoil. */
export function createDevice(rpId: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(32);
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  // CBOR: {1: 2, 3: -7, -1: 1, -2: x, -3: y} (RFC 9053, 7.1).
  const coseKey = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ]);

  /** 0x01: somebody was there. 0x04: the person was verified. 0x40: a new key follows. */
  const dataOf = (flags: number, counter: number, more: Buffer = Buffer.alloc(0)) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([flags]), count, more]);
  };
  const clientData = (type: string, challenge: string, origin: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

  return {
    id: id.toString('base64url'),
    make(challenge: string, origin: string, { verified = true } = {}) {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const attested = Buffer.concat([Buffer.alloc(16), length, id, coseKey]);
      const data = dataOf(verified ? 0x45 : 0x41, 0, attested);
      // CBOR: {fmt: "none", attStmt: {}, authData: …}
      const attestationObject = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
        Buffer.from([0x58, data.length]),
        data,
      ]);
      return {
        id: id.toString('base64url'),
        clientDataJSON: clientData('webauthn.create', challenge, origin).toString('base64url'),
        attestationObject: attestationObject.toString('base64url'),
      };
    },
    sign(challenge: string, origin: string, { verified = true, counter = 1 } = {}) {
      const data = dataOf(verified ? 0x05 : 0x01, counter);
      const client = clientData('webauthn.get', challenge, origin);
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()]);
      return {
        id: id.toString('base64url'),
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: createSign('sha256').update(signed).sign(privateKey).toString('base64url'),
      };
    },
  };
}
