import ssh2, { type PublicKeyAuthContext } from 'ssh2';
import { expect, it } from 'vitest';
import { makeKey, signerFor, startOlderServer } from '../../testing/index.ts';
import { fingerprintOf, type HostBoundLogins, OpeningError, openConnection } from '../index.ts';
import { dial } from './dial.ts';
import { handshake } from './handshake.ts';
import { signForHost } from './sign-for-host.ts';
import { takeHostBound } from './take-host-bound.ts';
import { defaultTimeouts } from './timeouts.ts';

/** A server of ssh2 that takes host-bound signatures of the key. */
async function startBoundServer(key: ReturnType<typeof makeKey>) {
  const allowed = ssh2.utils.parseKey(key.publicKeyLine);
  if (allowed instanceof Error) throw allowed;
  let logins: HostBoundLogins | undefined;
  const fits = (context: PublicKeyAuthContext) => {
    if (!context.signature) return true;
    const signed = logins?.signedBytes(context);
    return signed !== undefined && allowed.verify(signed, context.signature, context.hashAlgo) === true;
  };
  return startOlderServer({
    authorizedKey: key.publicKeyLine,
    onClient: (client, hostKeyBlob) => {
      logins = takeHostBound(client, hostKeyBlob);
    },
    onLogin: (context) => {
      if (context.method === 'publickey' && fits(context)) context.accept();
      else context.reject(['publickey']);
    },
  });
}

it.each(['ed25519', 'rsa-2048', 'ecdsa-256'] as const)(
  'a server of ssh2 takes a host-bound signature by a key of %s',
  async (kind) => {
    const key = makeKey(kind);
    await using server = await startBoundServer(key);
    const signer = signerFor(key.privateKeyPem);
    const { host, port, hostKeyFingerprint: pinnedHostKey } = server;
    const credential = { method: 'agent', signer } as const;
    (await openConnection({ host, port, username: 'ines', pinnedHostKey, credential })).close();
    expect(signer.requests.map(({ data }) => data.includes('publickey-hostbound-v00@openssh.com'))).toEqual([
      true,
    ]);
  },
);

it('refuses a signature that names another host key', async () => {
  const key = makeKey();
  const other = signerFor(makeKey().privateKeyPem).publicKeyBlob;
  await using server = await startBoundServer(key);
  const { host, port, hostKeyFingerprint } = server;
  const signal = AbortSignal.timeout(10_000);
  const opening = handshake({
    dialled: await dial({ host, port }, 1_000, signal),
    username: 'ines',
    readyTimeoutMs: 10_000,
    timeouts: defaultTimeouts,
    signal,
    acceptsHostKey: (shown) => fingerprintOf(shown) === hostKeyFingerprint,
    authenticate: (running) => (_left, _partial, next) => {
      const { publicKeyBlob } = signerFor(key.privateKeyPem);
      signForHost(running.protocol(), publicKeyBlob, { kind: 'hostBound', hostKey: other });
      next({ type: 'publickey', username: 'ines', key: key.privateKeyPem });
    },
    explain: ({ message }) => new OpeningError({ code: 'auth_refused', message }),
  });
  await expect(opening).rejects.toThrow();
  expect(server.attempts.filter((attempt) => attempt === 'publickey, signed')).toEqual([]);
});
