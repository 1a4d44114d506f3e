import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { parsePublicKey } from './parse-public-key.ts';

/** Made for this test; fingerprints as `ssh-keygen -l` and `ssh-keygen -l -E md5` (OpenSSH 9.2) print them. */
const known = [
  [
    'ssh-ed25519',
    'AAAAC3NzaC1lZDI1NTE5AAAAIHJw2RlQCqKcNcuHRoTLxkR+4wdiBie9XP7qr3IGdDBq',
    'SHA256:LDXy7MrVZQsUtvSV0RcBQdAsENqxUTsHMmn0Et4MOFQ',
    'f2a59435b3abba2c0b828c1e07423fe4',
  ],
  [
    'ssh-rsa',
    'AAAAB3NzaC1yc2EAAAADAQABAAABAQCnzdPKftrBjuvDCkjyi9MQQmE49OAlIiIWBYAeQgO18AC3nFaA2fbFg8nJO5bxRQ8TZRLu2giNKU0UZ07Qj9sC3tXSqmKJ18dWFeRTSRGKg2RxZlGUccJPHLflSVJuqI9DBKHj5G5V5iiyeq5BK0NTrJPLe+prcyL+O47jALnPMIu4kS3KSReoOT/N6kMcYgVqpqI+PVbYFIfjNCzghXpLBLWUYXOri5GuuuWnAN3dsPxeSYiWtL/MDqeaJeIkW05n7TYsWCtrmI8rMeqj31KcDhvrina4g70V4BaEo4/WXg1tse1HMNxV6qt+o5S9hxAkD9MPDCIFMnYkGwqvtiHh',
    'SHA256:5bXZ7t8ml8CSfvmR1z+o35zcxnAMjinFUgCBGvqghxo',
    '4901b847fbbd3108a9b4b4c8a14f080c',
  ],
  [
    'ecdsa-sha2-nistp256',
    'AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBNIxtXi6yYlZeDlWMkaMTWvOKFLwbraBRlIQVjSXbseQxENpzaT6cVKVxrFZVjIWWaDeVWGLcHyhNp78otwtym4=',
    'SHA256:YuZBRl1ebuFJpP9e2LIDoRCGHSJzs/4J4rR2w3S1knM',
    '025299b7f0ef68c7b5e52d976634c1c1',
  ],
  [
    'ecdsa-sha2-nistp384',
    'AAAAE2VjZHNhLXNoYTItbmlzdHAzODQAAAAIbmlzdHAzODQAAABhBK5jZwq49a+JPsoCxS6Bck6x9kDU9WEd/eRroMQJ7NYY+mKuLcn6gStbmV43WhsXHldZz+M1w+p0VAyoKBqCpaD7fU0LW9pyLAMo84qelP+ONOah/XlynJqgX7XBDxSrSg==',
    'SHA256:pg4t+XdFUAe8V0viAIlesQCQOdjHW+oWBsuv3JakabU',
    '7d97f1be9dc3d5daf4a9475186446976',
  ],
  [
    'ecdsa-sha2-nistp521',
    'AAAAE2VjZHNhLXNoYTItbmlzdHA1MjEAAAAIbmlzdHA1MjEAAACFBAGtF1j92IZrrCvDpj792liNpOTsIjqHG2nsKl1MyMYU2CsL+SBndOQWmeEbNM9yp1QvqXRv98IdUUns1+Sc0qstQQFzLtytmv/uxJGmW3PhP0UmL3KZ/f9OXVx6K2SPKKoFG2ulCKT2u/zOJWUdDE+bc6IMKoodwYFLUh1g3CKQViIqgg==',
    'SHA256:AOpTDCuDJvehGiASJyn4e3ejX5NqVoAyKPkI6Ua6nsU',
    '0e63e42e3dc0a2a1813a05e4832682cd',
  ],
] as const;

const string = (bytes: Buffer | string) => {
  const content = Buffer.from(bytes);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  return Buffer.concat([length, content]);
};
const line = (algorithm: string, ...parts: (Buffer | string)[]) =>
  `${algorithm} ${Buffer.concat([algorithm, ...parts].map(string)).toString('base64')}`;
const modulus = (bits: number) => {
  const { n = '' } = generateKeyPairSync('rsa', { modulusLength: bits }).publicKey.export({ format: 'jwk' });
  return Buffer.concat([Buffer.from([0]), Buffer.from(n, 'base64url')]);
};
const exponent = Buffer.from([1, 0, 1]);
const point = (bytes: number) => Buffer.concat([Buffer.from([4]), Buffer.alloc(2 * bytes, 1)]);
const [, ed25519 = ''] = known[0];

describe('a public key', () => {
  it.each(known)(
    'of type %s has the fingerprints that OpenSSH gives it',
    (algorithm, base64, fingerprint, id) => {
      const text = `${algorithm} ${base64}`;
      for (const given of [text, `${text} ada@laptop`, `  ${text}  a comment of words `]) {
        expect(parsePublicKey(given)).toEqual({ algorithm, fingerprint, id, line: text });
      }
    },
  );

  it('of 1024 bits RSA is the shortest that sshd takes', () => {
    expect(parsePublicKey(line('ssh-rsa', exponent, modulus(1024)))).not.toBeNull();
    expect(parsePublicKey(line('ssh-rsa', exponent, modulus(1016)))).toBeNull();
  });

  const rsa = modulus(2048);
  it.each([
    ['nothing', ''],
    ['a type alone', 'ssh-ed25519'],
    ['a type that is not the one inside', `ssh-rsa ${ed25519}`],
    ['a type that no server takes', line('ssh-dss', randomBytes(32))],
    ['a cut-off blob', `ssh-ed25519 ${ed25519.slice(0, -4)}`],
    [
      'bytes behind the blob',
      `ssh-ed25519 ${Buffer.concat([Buffer.from(ed25519, 'base64'), Buffer.from([0])]).toString('base64')}`,
    ],
    ['a part too many', line('ssh-ed25519', randomBytes(32), 'more')],
    ['31 bytes of Ed25519', line('ssh-ed25519', randomBytes(31))],
    ['base64 with other characters', `ssh-ed25519 ${ed25519.slice(0, -2)}$(`],
    ['base64 that means the same in another spelling', 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA=='],
    [
      'a length that points beyond the end',
      `ssh-ed25519 ${Buffer.from([0xff, 0xff, 0xff, 0xff, 1]).toString('base64')}`,
    ],
    ['a negative modulus', line('ssh-rsa', exponent, rsa.subarray(1))],
    ['a modulus in a longer form', line('ssh-rsa', exponent, Buffer.concat([Buffer.from([0]), rsa]))],
    ['an even exponent', line('ssh-rsa', Buffer.from([1, 0, 2]), rsa)],
    ['no exponent', line('ssh-rsa', '', rsa)],
    ['an even modulus', line('ssh-rsa', exponent, Buffer.concat([rsa.subarray(0, -1), Buffer.from([2])]))],
    ['another curve inside', line('ecdsa-sha2-nistp256', 'nistp384', point(32))],
    ['a point off its curve', line('ecdsa-sha2-nistp256', 'nistp256', point(32))],
    [
      'a compressed point',
      line('ecdsa-sha2-nistp256', 'nistp256', Buffer.concat([Buffer.from([2]), randomBytes(32)])),
    ],
    ['a private key', '-----BEGIN OPENSSH PRIVATE KEY-----'],
  ])('is not %s', (_what, text) => {
    expect(parsePublicKey(text)).toBeNull();
  });
});
