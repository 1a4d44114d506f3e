import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  keyLogin,
  listen,
  makeKey,
  type Sshd,
  signerFor,
  startPasswordServer,
  startSshd,
  type TestKeyType,
} from '../../testing/index.ts';
import {
  type Connection,
  fingerprintOf,
  OpeningError,
  type OpenOptions,
  openConnection,
  probeHostKey,
  type Signer,
} from '../index.ts';

const key = makeKey('ed25519');

const failureOf = async (opening: Promise<Connection>) => {
  const error: unknown = await opening.then(
    (connection) => {
      connection.close();
      return 'it opened';
    },
    (reason: unknown) => reason,
  );
  if (!(error instanceof OpeningError)) throw new Error(`Not an opening failure: ${String(error)}`);
  return error.failure;
};

describe('opening with a key', () => {
  let sshd: Sshd;
  beforeAll(async () => {
    sshd = await startSshd({ authorizedKeys: [key.publicKeyLine] });
  });
  afterAll(() => sshd.dispose());

  const options = (signer: Signer, changes: Partial<OpenOptions> = {}) => keyLogin(sshd, signer, changes);

  it('logs in with one signature, given with the server’s proof of its host key', async () => {
    const signer = signerFor(key.privateKeyPem);
    const connection = await openConnection(options(signer));
    const { exitCode, stdout } = await connection.exec({ argv: ['echo', 'here'], deadlineMs: 10_000 });
    connection.close();
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'here\n' });
    expect(connection.bootId).toMatch(/^[0-9a-f-]{36}$/);
    expect(signer.requests).toHaveLength(1);
    expect(fingerprintOf(signer.requests[0]?.hostKey ?? Buffer.alloc(0))).toBe(sshd.hostKeyFingerprint);
  });

  it('forwards no agent', async () => {
    const connection = await openConnection(options(signerFor(key.privateKeyPem)));
    const { stdout } = await connection.exec({
      argv: ['sh', '-c', 'env | grep -c SSH_AUTH_SOCK'],
      deadlineMs: 10_000,
    });
    connection.close();
    expect(stdout).toBe('0\n');
  });

  it('asks for no signature when the host key is another one, and shows both fingerprints', async () => {
    const signer = signerFor(key.privateKeyPem);
    const pinned = fingerprintOf(Buffer.from('another'));
    const failure = await failureOf(openConnection(options(signer, { pinnedHostKey: pinned })));
    expect(failure).toMatchObject({
      code: 'host_key_changed',
      fingerprints: { pinned, presented: sshd.hostKeyFingerprint },
    });
    expect(signer.requests).toEqual([]);
  });

  it('says for which account the server refused the key, and which methods the server takes', async () => {
    const failure = await failureOf(openConnection(options(signerFor(makeKey().privateKeyPem))));
    expect(failure).toMatchObject({ code: 'auth_refused', methodsLeft: ['publickey'] });
    expect(failure.message).toContain(sshd.user);
  });

  it('gives up when the signer is silent', async () => {
    const signer = { ...signerFor(key.privateKeyPem), sign: () => new Promise<Buffer>(() => {}) };
    expect(await failureOf(openConnection(options(signer, { timeouts: { sign: 100 } })))).toMatchObject({
      code: 'agent_timeout',
    });
  });

  it('reports the signer’s own refusal', async () => {
    const refusal = new OpeningError({ code: 'agent_refused', message: 'wrong_user' });
    const signer = { ...signerFor(key.privateKeyPem), sign: () => Promise.reject(refusal) };
    expect(await failureOf(openConnection(options(signer)))).toMatchObject({
      code: 'agent_refused',
      message: 'wrong_user',
    });
  });

  it('stops at once when the caller aborts while it waits for the signature', async () => {
    const giveUp = new AbortController();
    const gone = new OpeningError({ code: 'agent_gone', message: 'The page is gone.' });
    let told = false;
    const signer: Signer = {
      ...signerFor(key.privateKeyPem),
      sign: (_request, signal) =>
        new Promise(() => {
          signal.addEventListener('abort', () => {
            told = true;
          });
          giveUp.abort(gone);
        }),
    };
    expect(await failureOf(openConnection(options(signer, { signal: giveUp.signal })))).toMatchObject({
      code: 'agent_gone',
    });
    expect(told).toBe(true);
  });

  it('refuses a blob that is no public key, and sends nothing', async () => {
    const signer = { ...signerFor(key.privateKeyPem), publicKeyBlob: Buffer.from('junk') };
    expect(await failureOf(openConnection(options(signer)))).toMatchObject({ code: 'algorithm_refused' });
  });

  it('names the address where nothing listens', async () => {
    const server = createServer();
    const port = await listen(server);
    server.close();
    await once(server, 'close');
    expect(await failureOf(openConnection(options(signerFor(key.privateKeyPem), { port })))).toMatchObject({
      code: 'unreachable',
    });
  });

  it('gives up when the server accepts and never sends', async () => {
    const silent = createServer();
    const port = await listen(silent);
    const opening = openConnection(options(signerFor(key.privateKeyPem), { port, timeouts: { ready: 200 } }));
    expect(await failureOf(opening)).toMatchObject({ code: 'timeout' });
    silent.close();
  });

  it('refuses a server that is no SSH server', async () => {
    const web = createServer((socket) =>
      socket.on('error', () => {}).end('HTTP/1.1 400 Bad Request\r\n\r\n'),
    );
    const port = await listen(web);
    expect(await failureOf(openConnection(options(signerFor(key.privateKeyPem), { port })))).toMatchObject({
      code: 'unreachable',
    });
    web.close();
  });

  it('loses no byte when the server’s answer arrives in single bytes', async () => {
    const slow = createServer((client) => {
      const upstream = connect(sshd.port, sshd.host);
      client.pipe(upstream);
      upstream.on('data', (chunk: Buffer) => {
        for (const byte of chunk) client.write(Buffer.of(byte));
      });
      upstream.on('close', () => client.destroy()).on('error', () => client.destroy());
      client.on('close', () => upstream.destroy()).on('error', () => upstream.destroy());
    });
    const port = await listen(slow);
    const connection = await openConnection(options(signerFor(key.privateKeyPem), { port }));
    connection.close();
    slow.close();
    expect(connection.facts.hostKeyFingerprint).toBe(sshd.hostKeyFingerprint);
  });
});

describe('a signature of the wrong form', () => {
  const malformed: [string, unknown][] = [
    ['empty', Buffer.alloc(0)],
    ['two bytes of junk', Buffer.from('ab')],
    ['a string', 'signature'],
    ['null', null],
    ['64 bytes of an ECDSA key', Buffer.alloc(64, 1)],
    ['a length past its end', Buffer.from('ffffffff00', 'hex')],
  ];

  it.each(['ecdsa-256', 'ed25519', 'rsa-2048'] as const)('never ends the process (%s)', async (type) => {
    const client = makeKey(type);
    await using sshd = await startSshd({ authorizedKeys: [client.publicKeyLine] });
    for (const [, signature] of malformed) {
      if (type === 'ed25519' && Buffer.isBuffer(signature) && signature.length === 64) continue;
      const signer: Signer = { ...signerFor(client.privateKeyPem), sign: async () => signature as Buffer };
      expect(await failureOf(openConnection(keyLogin(sshd, signer)))).toMatchObject({
        code: 'agent_refused',
      });
    }
  });

  it('with the right form and wrong content never reaches the server, which would count a failed login', async () => {
    await using sshd = await startSshd({ authorizedKeys: [key.publicKeyLine] });
    const signer: Signer = { ...signerFor(key.privateKeyPem), sign: async () => Buffer.alloc(64, 7) };
    expect(await failureOf(openConnection(keyLogin(sshd, signer)))).toMatchObject({
      code: 'agent_refused',
    });
    expect(sshd.log()).not.toContain('Failed publickey');
  });
});

describe('host keys and login keys', () => {
  const types: TestKeyType[] = ['ed25519', 'ecdsa-256', 'ecdsa-384', 'ecdsa-521', 'rsa-2048'];

  it.each(types)('probes and pins a host key of type %s, and hands its proof on', async (type) => {
    const client = makeKey(type);
    await using sshd = await startSshd({ hostKeyTypes: [type], authorizedKeys: [client.publicKeyLine] });
    const probed = await probeHostKey(sshd);
    expect(probed.fingerprint).toBe(sshd.hostKeyFingerprint);
    expect(sshd.log()).not.toContain('Accepted');

    const signer = signerFor(client.privateKeyPem);
    const connection = await openConnection(keyLogin(sshd, signer, { pinnedHostKey: probed.fingerprint }));
    connection.close();
    expect(signer.requests[0]?.hostKey).toEqual(probed.hostKey);
  });

  it.each(['ecdh-sha2-nistp384', 'diffie-hellman-group16-sha512', 'diffie-hellman-group14-sha256'])(
    'reads the proof out of %s',
    async (kex) => {
      await using sshd = await startSshd({
        authorizedKeys: [key.publicKeyLine],
        config: { KexAlgorithms: kex },
      });
      const signer = signerFor(key.privateKeyPem);
      const connection = await openConnection(keyLogin(sshd, signer));
      connection.close();
      expect(fingerprintOf(signer.requests[0]?.hostKey ?? Buffer.alloc(0))).toBe(sshd.hostKeyFingerprint);
    },
  );

  it('still recognises a server with two keys by the pinned one', async () => {
    await using sshd = await startSshd({
      hostKeyTypes: ['ecdsa-256', 'ed25519'],
      authorizedKeys: [key.publicKeyLine],
    });
    const hostKeyType = 'ecdsa-sha2-nistp256';
    const connection = await openConnection(keyLogin(sshd, signerFor(key.privateKeyPem), { hostKeyType }));
    connection.close();
    expect(connection.facts.hostKeyType).toBe(hostKeyType);
  });

  it('survive a new key exchange in the middle of a transfer without another signature', async () => {
    await using sshd = await startSshd({
      authorizedKeys: [key.publicKeyLine],
      config: { RekeyLimit: '64K' },
    });
    const signer = signerFor(key.privateKeyPem);
    const connection = await openConnection(keyLogin(sshd, signer));
    const result = await connection.exec({
      argv: ['head', '-c', '2000000', '/dev/zero'],
      deadlineMs: 60_000,
      maxOutputBytes: 4_000_000,
    });
    connection.close();
    expect(result.stdout).toHaveLength(2_000_000);
    expect(signer.requests).toHaveLength(1);
  });

  it('explain a server that takes no signature of the key, with the way out', async () => {
    const rsa = makeKey('rsa-2048');
    await using sshd = await startSshd({
      authorizedKeys: [rsa.publicKeyLine],
      config: { PubkeyAcceptedAlgorithms: 'ssh-ed25519' },
    });
    const failure = await failureOf(openConnection(keyLogin(sshd, signerFor(rsa.privateKeyPem))));
    expect(failure.code).toBe('auth_refused');
    expect(failure.message).toContain('Ed25519');
  });
});

describe('opening with a password', () => {
  const open = (
    server: { host: string; port: number; hostKeyFingerprint: string },
    answer: Partial<Answers>,
  ) =>
    openConnection({
      host: server.host,
      port: server.port,
      username: 'ada',
      pinnedHostKey: answer.pin ?? server.hostKeyFingerprint,
      credential: {
        method: 'password',
        prompter: {
          password: answer.password ?? (() => Promise.reject(new Error('not asked for'))),
          interactive: answer.interactive ?? (() => Promise.reject(new Error('not asked for'))),
        },
      },
      timeouts: { prompt: 300 },
    });
  type Answers = {
    pin: string;
    password: () => Promise<Buffer>;
    interactive: (prompts: { text: string; echo: boolean }[]) => Promise<string[]>;
  };

  it('logs in and overwrites the password', async () => {
    await using server = await startPasswordServer({ username: 'ada', password: 'correct horse' });
    const password = Buffer.from('correct horse');
    const connection = await open(server, { password: async () => password });
    connection.close();
    expect(password).toEqual(Buffer.alloc(13));
  });

  it('overwrites a wrong password too, and names the methods that the server takes', async () => {
    await using server = await startPasswordServer({ username: 'ada', password: 'correct horse' });
    const password = Buffer.from('wrong');
    const failure = await failureOf(open(server, { password: async () => password }));
    expect(failure).toMatchObject({ code: 'password_refused', methodsLeft: ['password'] });
    expect(password).toEqual(Buffer.alloc(5));
  });

  it('hands on the server’s own questions, and sends no password to a server that takes none', async () => {
    await using server = await startPasswordServer({
      username: 'ada',
      password: 'correct horse',
      methods: ['keyboard-interactive'],
    });
    let asked: unknown;
    const connection = await open(server, {
      interactive: async (prompts) => {
        asked = prompts;
        return ['correct horse'];
      },
    });
    connection.close();
    expect(asked).toEqual([{ text: 'Password: ', echo: false }]);
    expect(server.attempts).toEqual(['none', 'keyboard-interactive']);
  });

  it('asks the server’s questions after a refused password', async () => {
    await using server = await startPasswordServer({
      username: 'ada',
      password: 'correct horse',
      methods: ['password', 'keyboard-interactive'],
    });
    const connection = await open(server, {
      password: async () => Buffer.from('typo'),
      interactive: async () => ['correct horse'],
    });
    connection.close();
    expect(server.attempts).toEqual(['none', 'password', 'keyboard-interactive']);
  });

  it('gives up when nobody types', async () => {
    await using server = await startPasswordServer({ username: 'ada', password: 'correct horse' });
    const failure = await failureOf(open(server, { password: () => new Promise(() => {}) }));
    expect(failure).toMatchObject({ code: 'agent_timeout' });
  });

  it('asks nobody and sends nothing when the host key is another one', async () => {
    await using server = await startPasswordServer({ username: 'ada', password: 'correct horse' });
    const failure = await failureOf(open(server, { pin: fingerprintOf(Buffer.from('another')) }));
    expect(failure).toMatchObject({ code: 'host_key_changed' });
    expect(server.attempts).toEqual([]);
  });
});
