import { type Ssh2Protocol, sendPayload } from './ssh2-protocol.ts';
import { wireString, wireUint32 } from './wire.ts';

/**
 * Makes ssh2 send the password in a packet of ours (RFC 4252, section 8), so that no copy of the password outlives the sending.
 * ssh2's own packet would stay in memory until something overwrites it by chance. This function overwrites the caller's buffer
 * and the plain text in the packet with zeros.
 */
export function sendPasswordOnce(protocol: Ssh2Protocol): void {
  protocol.authPassword = (username, password) => {
    try {
      const before = [
        Buffer.of(userauthRequest),
        wireString(username),
        wireString('ssh-connection'),
        wireString('password'),
        Buffer.of(0),
        wireUint32(password.length),
      ];
      protocol._authsQueue.push('password');
      const payload = sendPayload(protocol, [...before, password]);
      // ssh2's JavaScript ciphers encrypt into new memory. Its optional native ciphers encrypt in place: these bytes are then
      // the ciphertext, which the socket may still have to write.
      const copy = payload.subarray(payload.length - password.length);
      if (copy.equals(password)) copy.fill(0);
    } finally {
      password.fill(0);
    }
  };
}

const userauthRequest = 50;
