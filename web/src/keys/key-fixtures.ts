/// <reference types="node" />
import { execFileSync } from 'node:child_process';
import { keyFolder } from '@homeport/signer/key-folder-fixture';

/** For tests only: key files that `ssh-keygen`, `openssl` and `puttygen` make while the tests run. */
export interface KeyFixture {
  keyName: KeyName;
  format: string;
  text: string;
  /** '' for a plain file. */
  passphrase: string;
  publicKey: string;
}

export const keyNames = ['ed25519', 'p256', 'p384', 'p521', 'rsa2048', 'rsa4096'] as const;
export type KeyName = (typeof keyNames)[number];

export const passphrase = 'harbour läntern 9';
const typeArguments: Record<KeyName, string[]> = {
  ed25519: ['-t', 'ed25519'],
  p256: ['-t', 'ecdsa', '-b', '256'],
  p384: ['-t', 'ecdsa', '-b', '384'],
  p521: ['-t', 'ecdsa', '-b', '521'],
  rsa2048: ['-t', 'rsa', '-b', '2048'],
  rsa4096: ['-t', 'rsa', '-b', '4096'],
};

export const hasPuttygen = (() => {
  try {
    execFileSync('puttygen', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/**
 * One key in every form that the page reads. Without `puttygen` on the machine, PuTTY's forms are left out.
 */
export function makeFixtures(keyName: KeyName): KeyFixture[] {
  const files = keyFolder();
  try {
    files.run('ssh-keygen', '-q', ...typeArguments[keyName], '-N', '', '-C', `${keyName}@test`, '-f', 'key');
    const publicKey = files.read('key.pub').trim();
    const made: KeyFixture[] = [];
    const add = (format: string, file: string, secret: string) =>
      made.push({ keyName, format, text: files.read(file), passphrase: secret, publicKey });

    add('OPENSSH', 'key', '');
    for (const cipher of opensshCiphers) {
      files.copy('key', cipher);
      files.run('chmod', '600', cipher);
      files.run('ssh-keygen', '-q', '-p', '-a', '4', '-Z', cipher, '-P', '', '-N', passphrase, '-f', cipher);
      add(`OPENSSH ${cipher}`, cipher, passphrase);
    }
    addPem(files, keyName, add);
    if (hasPuttygen) addPpk(files, add);
    return made;
  } finally {
    files.remove();
  }
}

const opensshCiphers = [
  'aes256-ctr',
  'aes128-ctr',
  'aes256-cbc',
  'aes128-cbc',
  'aes256-gcm@openssh.com',
  'aes128-gcm@openssh.com',
  'chacha20-poly1305@openssh.com',
];

type Files = ReturnType<typeof keyFolder>;
type Add = (format: string, file: string, secret: string) => void;

function addPem(files: Files, keyName: KeyName, add: Add): void {
  const out = (file: string, ...args: string[]) => files.run('openssl', ...args, '-out', file);
  const secret = ['-passout', `pass:${passphrase}`];
  if (keyName === 'ed25519') {
    // ssh-keygen cannot write Ed25519 as PKCS#8. RFC 8410's form is just `30 2e … 04 20` and the seed.
    files.write('seed.pem', ed25519Pkcs8(files.read('key')));
    out('plain.pem', 'pkcs8', '-topk8', '-nocrypt', '-in', 'seed.pem');
  } else {
    files.copy('key', 'old.pem');
    files.run('chmod', '600', 'old.pem');
    files.run('ssh-keygen', '-q', '-p', '-m', 'PEM', '-P', '', '-N', '', '-f', 'old.pem');
    add('PEM', 'old.pem', '');
    const [command, ...classic] = keyName.startsWith('rsa') ? ['rsa', '-traditional'] : ['ec'];
    for (const cipher of ['aes128', 'aes256']) {
      out(`${cipher}.pem`, command ?? '', ...classic, `-${cipher}`, '-in', 'old.pem', ...secret);
      add(`PEM DEK-Info ${cipher}`, `${cipher}.pem`, passphrase);
    }
    out('plain.pem', 'pkcs8', '-topk8', '-nocrypt', '-in', 'old.pem');
  }
  add('PKCS#8', 'plain.pem', '');
  const pkcs8 = ['pkcs8', '-topk8', '-in', 'plain.pem', '-v2', 'aes-256-cbc', ...secret];
  out('sha256.pem', ...pkcs8, '-v2prf', 'hmacWithSHA256');
  add('PKCS#8 PBKDF2-SHA-256', 'sha256.pem', passphrase);
  out('sha1.pem', ...pkcs8, '-v2prf', 'hmacWithSHA1');
  add('PKCS#8 PBKDF2-SHA-1', 'sha1.pem', passphrase);
  out('scrypt.pem', ...pkcs8, '-scrypt');
  add('PKCS#8 scrypt', 'scrypt.pem', passphrase);
}

function addPpk(files: Files, add: Add): void {
  files.write('pass', passphrase);
  for (const version of ['2', '3']) {
    const form = ['-O', 'private', '--ppk-param', `version=${version}`];
    files.run('puttygen', 'key', ...form, '-o', `plain${version}.ppk`);
    add(`PPK v${version}`, `plain${version}.ppk`, '');
    const cheap = version === '3' ? ',memory=1024,passes=2' : '';
    const locked = ['-O', 'private', '--ppk-param', `version=${version}${cheap}`, '--new-passphrase', 'pass'];
    files.run('puttygen', 'key', ...locked, '-o', `locked${version}.ppk`);
    add(`PPK v${version} aes256-cbc`, `locked${version}.ppk`, passphrase);
  }
}

function ed25519Pkcs8(openssh: string): string {
  const body = Buffer.from(openssh.replaceAll(/-----.*-----|\s/g, ''), 'base64');
  const publicPart = body.subarray(body.indexOf('ssh-ed25519') + 15).subarray(0, 32);
  const seed = body.subarray(body.lastIndexOf(publicPart) - 32).subarray(0, 32);
  const encoded = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
  return `-----BEGIN PRIVATE KEY-----\n${encoded.toString('base64')}\n-----END PRIVATE KEY-----\n`;
}
