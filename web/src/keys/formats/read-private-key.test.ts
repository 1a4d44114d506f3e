/// <reference types="node" />

import { KeyError, type KeyErrorCode } from '@homeport/signer/key-error';
import { keyFolder } from '@homeport/signer/key-folder-fixture';
import { publicLine } from '@homeport/signer/public-key';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasPuttygen, type KeyFixture, type KeyName, keyNames, makeFixtures } from '../key-fixtures.ts';
import { toSigningKeys } from '../signing/signing-keys.ts';
import { readPrivateKey } from './read-private-key.ts';

async function codeOf(work: Promise<unknown>): Promise<KeyErrorCode> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof KeyError)) throw new Error(`expected a KeyError, got ${String(error)}`);
  return error.code;
}

describe.each(keyNames)('key files of %s', (keyName) => {
  let fixtures: KeyFixture[] = [];
  beforeAll(() => {
    fixtures = makeFixtures(keyName);
  }, 120_000);

  const cells = (keyName === 'ed25519' ? 12 : 15) + (hasPuttygen ? 4 : 0);

  it(`are read in all ${cells} forms, with the public part that ssh-keygen wrote`, async () => {
    const wrong: string[] = [];
    for (const { format, text, passphrase, publicKey } of fixtures) {
      const key = await readPrivateKey(text, passphrase);
      const signing = await toSigningKeys(key);
      const extractable = signing.type === 'ssh-rsa' ? signing.sha512.extractable : signing.key.extractable;
      const [type, blob] = publicKey.split(' ');
      if (publicLine(key.blob) !== `${type} ${blob}` || extractable) wrong.push(format);
    }
    expect(wrong).toEqual([]);
    expect(fixtures.map(({ format }) => format)).toHaveLength(cells);
  }, 120_000);

  it('ask for a passphrase where one is needed, and say when it is wrong', async () => {
    for (const { format, text } of fixtures.filter(({ passphrase }) => passphrase !== '')) {
      expect(await codeOf(readPrivateKey(text)), format).toBe('passphrase_needed');
      expect(await codeOf(readPrivateKey(text, 'not this one')), format).toBe('passphrase_wrong');
    }
  }, 120_000);

  it('keep the comment of OpenSSH and PuTTY files', async () => {
    for (const { format, text, passphrase } of fixtures.filter(({ format }) => /OPENSSH|PPK/.test(format))) {
      expect((await readPrivateKey(text, passphrase)).comment, format).toBe(`${keyName}@test`);
    }
  }, 60_000);
});

describe('a refused file', () => {
  const files = keyFolder();
  afterAll(files.remove);
  const generate = (name: string, ...args: string[]) => {
    files.run('ssh-keygen', '-q', '-N', '', '-f', name, ...args);
    return files.read(name);
  };

  it.each<[string, KeyErrorCode, () => string]>([
    [
      'a public line',
      'malformed',
      () => {
        generate('a', '-t', 'ed25519');
        return files.read('a.pub');
      },
    ],
    [
      'a DSA key',
      'refused',
      () => {
        files.run('openssl', 'dsaparam', '-genkey', '-noout', '-out', 'd', '2048');
        return files.read('d');
      },
    ],
    ['an RSA key of 1024 bits', 'refused', () => generate('weak', '-t', 'rsa', '-b', '1024')],
    [
      'two keys in one text',
      'malformed',
      () => generate('b', '-t', 'ed25519') + generate('c', '-t', 'ed25519'),
    ],
    [
      'DES-EDE3 encryption',
      'refused',
      () => {
        generate('e', '-t', 'rsa', '-m', 'PEM');
        files.run(
          'openssl',
          'rsa',
          '-traditional',
          '-des3',
          '-in',
          'e',
          '-passout',
          'pass:abcdef',
          '-out',
          'e3',
        );
        return files.read('e3');
      },
    ],
    [
      'PKCS#8 with AES-192',
      'refused',
      () => {
        generate('f', '-t', 'ecdsa', '-m', 'PKCS8');
        files.run(
          'openssl',
          'pkcs8',
          '-topk8',
          '-v2',
          'aes-192-cbc',
          '-in',
          'f',
          '-passout',
          'pass:abcdef',
          '-out',
          'f2',
        );
        return files.read('f2');
      },
    ],
    [
      'PKCS#8 with PBES1',
      'refused',
      () => {
        generate('g', '-t', 'ecdsa', '-m', 'PKCS8');
        files.run(
          'openssl',
          'pkcs8',
          '-topk8',
          '-v1',
          'PBE-SHA1-3DES',
          '-in',
          'g',
          '-passout',
          'pass:abcdef',
          '-out',
          'g2',
        );
        return files.read('g2');
      },
    ],
    ['a certificate', 'malformed', () => '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'],
    [
      'a PGP block',
      'refused',
      () => '-----BEGIN PGP PRIVATE KEY BLOCK-----\nAAAA\n-----END PGP PRIVATE KEY BLOCK-----',
    ],
    [
      'an EC key on secp256k1',
      'refused',
      () => {
        files.run('openssl', 'ecparam', '-name', 'secp256k1', '-genkey', '-noout', '-out', 'k');
        return files.read('k');
      },
    ],
    ['nothing', 'malformed', () => ''],
    ['a sentence', 'malformed', () => 'my key'],
    ['a key cut in half', 'malformed', () => generate('h', '-t', 'ed25519').slice(0, 200)],
    [
      'a body that is not base64',
      'malformed',
      () => '-----BEGIN OPENSSH PRIVATE KEY-----\n!!!\n-----END OPENSSH PRIVATE KEY-----',
    ],
  ])(
    '%s is %s',
    async (_what, code, make) => {
      const text = make();
      expect(await codeOf(readPrivateKey(text).then(toSigningKeys))).toBe(code);
    },
    60_000,
  );

  it('is a mismatch when its public part belongs to another key', async () => {
    const [one, two] = [generate('m1', '-t', 'ed25519'), generate('m2', '-t', 'ed25519')];
    const body = (text: string) => Buffer.from(text.replaceAll(/-----.*-----|\s/g, ''), 'base64');
    const [a, b] = [body(one), body(two)];
    const start = a.indexOf('ssh-ed25519');
    b.copy(a, start + 15, start + 15, start + 47);
    const mixed = `-----BEGIN OPENSSH PRIVATE KEY-----\n${a.toString('base64')}\n-----END OPENSSH PRIVATE KEY-----`;
    expect(await codeOf(readPrivateKey(mixed))).toBe('mismatch');
  });

  it('is a mismatch at the first signature when its inner public part was exchanged too', async () => {
    const [one, two] = await Promise.all(
      ['n1', 'n2'].map((name) => readPrivateKey(generate(name, '-t', 'ed25519'))),
    );
    if (one?.jwk.kty !== 'OKP' || two?.jwk.kty !== 'OKP') throw new Error('not Ed25519');
    expect(await codeOf(toSigningKeys({ ...two, jwk: { ...two.jwk, d: one.jwk.d } }))).toBe('mismatch');
  });
});

describe('damaged files', () => {
  it('give typed errors only, whatever byte is changed, removed or doubled', async () => {
    const texts = (['ed25519', 'p256', 'rsa2048'] as KeyName[])
      .flatMap(makeFixtures)
      // The many rounds leave out the slow derivations, whose parameters the same code reads.
      .filter(({ format, passphrase }) => passphrase === '' || /DEK|PPK v2|PBKDF2/.test(format));
    let state = 20_260_101;
    const random = (below: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    const codes = new Set<string>();
    for (let round = 0; round < 1500; round++) {
      const fixture = texts[round % texts.length];
      if (!fixture) throw new Error('no fixtures');
      const damaged = damage(fixture.text, random);
      const error: unknown = await readPrivateKey(damaged, fixture.passphrase).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      if (error === undefined) continue;
      expect(error, damaged).toBeInstanceOf(KeyError);
      if (error instanceof KeyError) codes.add(error.code);
    }
    expect([...codes]).toEqual(expect.arrayContaining(['malformed', 'passphrase_wrong']));
  }, 120_000);
});

/** Changes the text itself, or one to three bytes of the encoded data. */
function damage(text: string, random: (below: number) => number): string {
  const at = random(text.length);
  if (random(4) === 0)
    return text.slice(0, at) + String.fromCharCode(random(256)) + text.slice(at + random(3));
  return text.replace(/(?<=-----\n)[A-Za-z0-9+/=\n]+(?=-----)|(?<=Lines: \d+\n)[A-Za-z0-9+/=\n]+/, (body) => {
    const bytes = Buffer.from(body, 'base64');
    for (let n = 0; n <= random(3); n++) bytes[random(bytes.length)] = random(256);
    const cut = random(5) === 0 ? bytes.subarray(0, random(bytes.length)) : bytes;
    return `${(cut.toString('base64').match(/.{1,64}/g) ?? []).join('\n')}\n`;
  });
}
