import type { Connection as ServerConnection } from 'ssh2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyLogin, makeKey, type Sshd, signerFor, startOlderServer, startSshd } from '../../testing/index.ts';
import { fingerprintOf, OpeningError, openConnection, type SignRequest } from '../index.ts';
import { dial } from './dial.ts';
import { handshake } from './handshake.ts';
import { signForHost } from './sign-for-host.ts';
import { protocolOf, sendPayload } from './ssh2-protocol.ts';
import { defaultTimeouts } from './timeouts.ts';
import { WireReader, wireString, wireUint32 } from './wire.ts';

const key = makeKey('ed25519');
const otherHost = signerFor(makeKey().privateKeyPem).publicKeyBlob;

/** The signed fields, from the method's name on. */
function signedFields({ data }: SignRequest) {
  const session = new WireReader(data).string();
  const reader = new WireReader(data, 4 + (session?.length ?? 0) + 1);
  const [, , method] = [reader.string(), reader.string(), reader.string()];
  reader.byte();
  const [algorithm, , hostKey] = [reader.string(), reader.string(), reader.string()];
  return {
    method: method?.toString(),
    algorithm: algorithm?.toString(),
    boundTo: hostKey && fingerprintOf(hostKey),
    finished: reader.finished,
  };
}

const failureOf = async (opening: Promise<unknown>) => {
  const error: unknown = await opening.then(
    () => 'it opened',
    (reason: unknown) => reason,
  );
  if (!(error instanceof OpeningError)) throw new Error(`Not an opening failure: ${String(error)}`);
  return error.failure;
};

describe('a login on OpenSSH 8.9 or later', () => {
  let sshd: Sshd;
  beforeAll(async () => {
    sshd = await startSshd({ authorizedKeys: [key.publicKeyLine] });
  });
  afterAll(() => sshd.dispose());

  it.each([false, true])('is bound to the server’s host key (plain allowed: %s)', async (plainAllowed) => {
    const signer = signerFor(key.privateKeyPem);
    const connection = await openConnection(keyLogin(sshd, signer, { plainAllowed }));
    connection.close();
    expect(signer.requests.map(signedFields)).toEqual([
      {
        method: 'publickey-hostbound-v00@openssh.com',
        algorithm: 'ssh-ed25519',
        boundTo: sshd.hostKeyFingerprint,
        finished: true,
      },
    ]);
  });

  it('is bound with an RSA and an ECDSA key too', async () => {
    const rsa = makeKey('rsa-2048');
    const ecdsa = makeKey('ecdsa-521');
    await using server = await startSshd({ authorizedKeys: [rsa.publicKeyLine, ecdsa.publicKeyLine] });
    for (const each of [rsa, ecdsa]) {
      const signer = signerFor(each.privateKeyPem);
      const connection = await openConnection(keyLogin(server, signer));
      connection.close();
      expect(signer.requests.map(signedFields)).toMatchObject([{ boundTo: server.hostKeyFingerprint }]);
    }
  });

  it('costs one of the server’s MaxAuthTries for a refused key, and one to ask for the methods left', async () => {
    await using strict = await startSshd({ authorizedKeys: [], config: { MaxAuthTries: 3 } });
    const failure = await failureOf(openConnection(keyLogin(strict, signerFor(key.privateKeyPem))));
    expect(failure).toMatchObject({ code: 'auth_refused', methodsLeft: ['publickey'] });
  });

  it('is refused by the server when the request names another host key', async () => {
    const { host, port, user: username, hostKeyFingerprint } = sshd;
    const signer = signerFor(key.privateKeyPem);
    const signal = AbortSignal.timeout(10_000);
    const opening = handshake({
      dialled: await dial({ host, port }, 1_000, signal),
      username,
      readyTimeoutMs: 10_000,
      timeouts: defaultTimeouts,
      signal,
      acceptsHostKey: (shown) => fingerprintOf(shown) === hostKeyFingerprint,
      authenticate: (running) => (_left, _partial, next) => {
        signForHost(running.protocol(), signer.publicKeyBlob, { kind: 'hostBound', hostKey: otherHost });
        next({ type: 'publickey', username, key: key.privateKeyPem });
      },
      explain: (error) => new OpeningError({ code: 'auth_refused', message: error.message }),
    });
    await failureOf(opening);
    await expect.poll(() => sshd.log()).toContain('wrong host key');
  });
});

/** Announces host-bound signatures of a version (RFC 8308, 2.3). */
const announce = (client: ServerConnection, version: string) =>
  sendPayload(protocolOf(client), [
    Buffer.of(7),
    wireUint32(1),
    wireString('publickey-hostbound@openssh.com'),
    wireString(version),
  ]);

describe('a login on an older server', () => {
  const openOn = (
    server: { host: string; port: number; hostKeyFingerprint: string },
    agreed: { plainAllowed?: boolean },
  ) => {
    const signer = signerFor(key.privateKeyPem);
    const { host, port, hostKeyFingerprint: pinnedHostKey } = server;
    const credential = { method: 'agent', signer } as const;
    const opening = openConnection({ host, port, username: 'ines', pinnedHostKey, credential, ...agreed });
    return { signer, opening };
  };

  it.each([{ plainAllowed: false }, {}])(
    'is refused before any signature or attempt (%j)',
    async (agreed) => {
      await using server = await startOlderServer({ authorizedKey: key.publicKeyLine });
      const { signer, opening } = openOn(server, agreed);
      expect(await failureOf(opening)).toMatchObject({ code: 'host_bound_unsupported' });
      expect(signer.requests).toEqual([]);
      expect(server.attempts).toEqual([]);
    },
  );

  it.each([
    ['1', 'host_bound_unsupported'],
    // This server breaks off at a bound request, which it does not know.
    ['0', 'unreachable'],
  ])(
    'gets a bound request only if it announces version 0, the one that OpenSSH knows (%s)',
    async (version, code) => {
      await using server = await startOlderServer({
        authorizedKey: key.publicKeyLine,
        onClient: (client) => client.once('handshake', () => setImmediate(() => announce(client, version))),
      });
      expect(await failureOf(openOn(server, {}).opening)).toMatchObject({ code });
    },
  );

  it('uses a plain signature where the person allowed it', async () => {
    await using server = await startOlderServer({ authorizedKey: key.publicKeyLine });
    const { signer, opening } = openOn(server, { plainAllowed: true });
    (await opening).close();
    expect(signer.requests.map(signedFields)).toEqual([
      { method: 'publickey', algorithm: 'ssh-ed25519', boundTo: null, finished: true },
    ]);
    expect(server.attempts).toEqual(['publickey', 'publickey, signed']);
  });

  it('never asks for SHA-1 of an RSA key', async () => {
    const rsa = makeKey('rsa-2048');
    await using server = await startOlderServer({ authorizedKey: rsa.publicKeyLine });
    const signer = signerFor(rsa.privateKeyPem);
    const { host, port, hostKeyFingerprint: pinnedHostKey } = server;
    const credential = { method: 'agent', signer } as const;
    const login = { host, port, username: 'ines', pinnedHostKey, credential, plainAllowed: true };
    (await openConnection(login)).close();
    expect(signer.requests.map(signedFields)).toMatchObject([{ algorithm: 'rsa-sha2-256' }]);
  });
});
