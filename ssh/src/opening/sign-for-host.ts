import { keyTypeOf } from './host-key.ts';
import { type Ssh2Protocol, sendPayload } from './ssh2-protocol.ts';
import { wireString } from './wire.ts';

/**
 * The form of the login's signature. `hostBound`: the request and the signed bytes name the server's host key, so that no other
 * server takes the signature (OpenSSH's PROTOCOL, section 3.2). `plain`: RFC 4252, section 7.
 */
export type SignatureForm = { kind: 'hostBound'; hostKey: Buffer } | { kind: 'plain' };

/**
 * Makes ssh2 log in by key with packets of ours, because ssh2 knows no host-bound method. The server's answers are the same in
 * both forms, so ssh2 reads them as answers to `publickey`.
 */
export function signForHost(protocol: Ssh2Protocol, publicKeyBlob: Buffer, form: SignatureForm): void {
  protocol.authPK = (username, _key, offered, sign) => {
    const algorithm = wireString(signatureAlgorithm(publicKeyBlob, offered));
    const method = form.kind === 'hostBound' ? 'publickey-hostbound-v00@openssh.com' : 'publickey';
    const request = (signed: 0 | 1) =>
      Buffer.concat([
        Buffer.of(userauthRequest),
        wireString(username),
        wireString('ssh-connection'),
        wireString(method),
        Buffer.of(signed),
        algorithm,
        wireString(publicKeyBlob),
        ...(form.kind === 'hostBound' ? [wireString(form.hostKey)] : []),
      ]);
    const send = (...parts: Buffer[]) => {
      protocol._authsQueue.push('publickey');
      sendPayload(protocol, parts);
    };
    if (!sign) return send(request(0));
    const sessionId = protocol._kex?.sessionID;
    if (!sessionId) throw new Error('The session has no id yet.');
    const asked = request(1);
    sign(Buffer.concat([wireString(sessionId), asked]), (signature) => {
      send(asked, wireString(Buffer.concat([algorithm, wireString(signature)])));
    });
  };
}

const userauthRequest = 50;

/** ssh2 falls back to SHA-1 where a server names no algorithm, and no page signs with SHA-1. RFC 8332 names the successors. */
function signatureAlgorithm(publicKeyBlob: Buffer, offered: string | undefined): string {
  const type = keyTypeOf(publicKeyBlob);
  if (type !== 'ssh-rsa') return type;
  return offered === undefined || offered === 'ssh-rsa' ? 'rsa-sha2-256' : offered;
}
