/// <reference types="node" />
import { type SignRefusalCode, signRefusalCodes } from '@homeport/contract/connections/facts';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Bytes, concat, hex, utf8 } from './bytes.ts';
import { checkSignRequest, type SignRequest, type WaitingOpening } from './check-sign-request.ts';
import type { KeyType, SignatureAlgorithm } from './key-types.ts';
import { string } from './ssh-wire.ts';
import {
  kexSignature,
  makeTestKey,
  newSession,
  type TestKey,
  type UserauthFields,
  userauth,
} from './userauth-fixtures.ts';

let mine: TestKey;
let other: TestKey;
let rsa: TestKey;
let host: TestKey;
let stranger: TestKey;
beforeAll(async () => {
  [mine, other, rsa, host, stranger] = await Promise.all([
    makeTestKey('ssh-ed25519'),
    makeTestKey('ssh-ed25519'),
    makeTestKey('ssh-rsa'),
    makeTestKey('ssh-ed25519'),
    makeTestKey('ssh-ed25519'),
  ]);
}, 60_000);

interface Scene {
  waiting: WaitingOpening | null;
  fields: UserauthFields;
  request: SignRequest;
  sessions: Set<string>;
}

const hostBound = 'publickey-hostbound-v00@openssh.com';

/** A fully valid request, bound to the pinned host key. */
async function soundScene(key: TestKey = mine, algorithm = 'ssh-ed25519'): Promise<Scene> {
  const session = newSession();
  const fields: UserauthFields = {
    session,
    message: 50,
    user: 'ines',
    service: 'ssh-connection',
    method: hostBound,
    flag: 1,
    algorithm,
    blob: key.blob,
  };
  return {
    waiting: {
      openId: 'open-1',
      user: 'ines',
      keyType: key.keys.type,
      publicKey: key.blob,
      pin: host.fingerprint,
      plainAllowed: false,
      answered: false,
    },
    fields,
    request: {
      openId: 'open-1',
      data: userauth(fields, string(host.blob)),
      hostKey: host.blob,
      kexSignature: await kexSignature(host, 'ssh-ed25519', session),
    },
    sessions: new Set(),
  };
}

function check({ waiting, request, sessions }: Scene) {
  return checkSignRequest(waiting, request, async (session) => {
    const isNew = !sessions.has(hex(session));
    sessions.add(hex(session));
    return isNew;
  });
}

const withFields = (scene: Scene, fields: Partial<UserauthFields>) => {
  scene.request.data = userauth({ ...scene.fields, ...fields }, string(scene.request.hostKey));
};
/** The form of RFC 4252, which names no host key. */
const inPlainForm = (scene: Scene) => {
  scene.request.data = userauth({ ...scene.fields, method: 'publickey' });
};
const withPlainAllowed = (scene: Scene) => {
  Object.assign(scene.waiting ?? {}, { plainAllowed: true });
};
/**
 * The attack: the console opens a connection to `stranger` and signs its session id with the private host key of `host`,
 * which it took from that server. Everything that the page could check before host-bound signatures is then right.
 */
function stolenHostKey(ask: (scene: Scene) => void) {
  return async (scene: Scene) => {
    scene.fields.session = newSession();
    scene.request.kexSignature = await kexSignature(host, 'ssh-ed25519', scene.fields.session);
    ask(scene);
  };
}
const flipped = (bytes: Bytes, at: number) => {
  const copy = bytes.slice();
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
};
const cut = (bytes: Bytes, by: number) => bytes.slice(0, bytes.length - by);

const refusals: [string, SignRefusalCode, (scene: Scene) => void | Promise<void>][] = [
  ['nothing was opened', 'not_waiting', (scene) => void Object.assign(scene, { waiting: null })],
  ['another opening', 'not_waiting', (scene) => void Object.assign(scene.request, { openId: 'open-2' })],
  [
    'an opening that has signed',
    'not_waiting',
    (scene) => void Object.assign(scene.waiting ?? {}, { answered: true }),
  ],
  [
    'nothing to sign',
    'not_userauth',
    (scene) => void Object.assign(scene.request, { data: new Uint8Array(0) }),
  ],
  [
    'a request cut short',
    'not_userauth',
    (scene) => void Object.assign(scene.request, { data: cut(scene.request.data, 1) }),
  ],
  ['message type 51', 'not_userauth', (scene) => withFields(scene, { message: 51 })],
  ['flag 0', 'not_userauth', (scene) => withFields(scene, { flag: 0 })],
  ['another service', 'not_userauth', (scene) => withFields(scene, { service: 'ssh-userauth' })],
  [
    'the host-bound method without a host key',
    'not_userauth',
    (scene) => void Object.assign(scene.request, { data: userauth(scene.fields) }),
  ],
  [
    'a host-bound method of another version',
    'not_userauth',
    (scene) => withFields(scene, { method: 'publickey-hostbound-v01@openssh.com' }),
  ],
  ['method password', 'not_userauth', (scene) => withFields(scene, { method: 'password' })],
  ['a session id of SHA-1 length', 'not_userauth', (scene) => withFields(scene, { session: newSession(20) })],
  [
    'a file signature (SSHSIG)',
    'not_userauth',
    (scene) => {
      const hash = string(newSession(64));
      scene.request.data = concat(utf8('SSHSIG'), string('git'), string(''), string('sha512'), hash);
    },
  ],
  [
    'a byte too many',
    'trailing_bytes',
    (scene) => {
      scene.request.data = concat(scene.request.data, Uint8Array.of(0));
    },
  ],
  [
    'a host key after the blob of a plain request',
    'trailing_bytes',
    (scene) => withFields(scene, { method: 'publickey' }),
  ],
  ['root instead of ines', 'wrong_user', (scene) => withFields(scene, { user: 'root' })],
  ['no user', 'wrong_user', (scene) => withFields(scene, { user: '' })],
  ['another key of this browser', 'unknown_key', (scene) => withFields(scene, { blob: other.blob })],
  ['ssh-rsa', 'algorithm', (scene) => withFields(scene, { algorithm: 'ssh-rsa' })],
  ['an algorithm of another type', 'algorithm', (scene) => withFields(scene, { algorithm: 'rsa-sha2-256' })],
  [
    'a certificate algorithm',
    'algorithm',
    (scene) => withFields(scene, { algorithm: 'ssh-ed25519-cert-v01@openssh.com' }),
  ],
  [
    'another server, honestly named',
    'host_key_mismatch',
    async (scene) => {
      scene.request.hostKey = stranger.blob;
      scene.request.kexSignature = await kexSignature(stranger, 'ssh-ed25519', scene.fields.session);
    },
  ],
  [
    'no host key',
    'host_key_mismatch',
    (scene) => void Object.assign(scene.request, { hostKey: new Uint8Array(0) }),
  ],
  [
    'another server under the pinned key’s name',
    'host_binding',
    async (scene) => {
      scene.request.kexSignature = await kexSignature(stranger, 'ssh-ed25519', scene.fields.session);
    },
  ],
  [
    'the right server’s genuine signature over an older session',
    'host_binding',
    async (scene) => {
      scene.request.kexSignature = await kexSignature(host, 'ssh-ed25519', newSession());
    },
  ],
  [
    'a session id with one bit changed',
    'host_binding',
    (scene) => withFields(scene, { session: flipped(scene.fields.session, 5) }),
  ],
  [
    'a host signature with one bit changed',
    'host_binding',
    (scene) => {
      scene.request.kexSignature = flipped(scene.request.kexSignature, scene.request.kexSignature.length - 1);
    },
  ],
  [
    'a host signature with a byte too many',
    'host_binding',
    (scene) => {
      scene.request.kexSignature = concat(scene.request.kexSignature, Uint8Array.of(0));
    },
  ],
  [
    'a host signature that names another algorithm',
    'host_binding',
    (scene) => {
      scene.request.kexSignature = concat(string('rsa-sha2-256'), scene.request.kexSignature.slice(15));
    },
  ],
  [
    'no host signature',
    'host_binding',
    (scene) => void Object.assign(scene.request, { kexSignature: new Uint8Array(0) }),
  ],
  ['a plain request', 'not_host_bound', inPlainForm],
  [
    'the session of another server, which a console with the pinned server’s private host key signed: plain',
    'not_host_bound',
    stolenHostKey(inPlainForm),
  ],
  [
    'the session of another server, which a console with the pinned server’s private host key signed: bound to the other',
    'not_host_bound',
    stolenHostKey((scene) => {
      scene.request.data = userauth(scene.fields, string(stranger.blob));
    }),
  ],
  [
    'a request bound to another server where plain ones are allowed',
    'not_host_bound',
    (scene) => {
      withPlainAllowed(scene);
      scene.request.data = userauth(scene.fields, string(stranger.blob));
    },
  ],
  ['a session that was signed before', 'replayed', async (scene) => void (await check(scene))],
];

describe('a request to sign', () => {
  it('is granted when everything is valid', async () => {
    const granted = { ok: true, algorithm: 'ssh-ed25519', user: 'ines', hostBound: true };
    expect(await check(await soundScene())).toEqual(granted);
  });

  it('is granted in the plain form where the person agreed to it', async () => {
    const scene = await soundScene();
    inPlainForm(scene);
    withPlainAllowed(scene);
    expect(await check(scene)).toMatchObject({ ok: true, hostBound: false });
  });

  it('names the pinned host key, so no other server takes the signature even when the pinned server’s private key was stolen', async () => {
    const scene = await soundScene();
    await stolenHostKey(() => {})(scene);
    scene.request.data = userauth(scene.fields, string(host.blob));
    expect(await check(scene)).toMatchObject({ ok: true, hostBound: true });
  });

  it.each(['rsa-sha2-256', 'rsa-sha2-512'])('is granted for %s of an RSA key', async (algorithm) => {
    expect(await check(await soundScene(rsa, algorithm))).toMatchObject({ ok: true, algorithm });
  });

  it('is refused for ssh-rsa with SHA-1, even for an RSA key', async () => {
    expect(await check(await soundScene(rsa, 'ssh-rsa'))).toEqual({ ok: false, code: 'algorithm' });
  });

  it.each(refusals)('is refused for %s: %s', async (_what, code, spoil) => {
    const scene = await soundScene();
    await spoil(scene);
    expect(await check(scene)).toEqual({ ok: false, code });
  });

  it('claims no session when it is refused', async () => {
    for (const [what, code, spoil] of refusals) {
      if (code === 'replayed') continue;
      const scene = await soundScene();
      await spoil(scene);
      await check(scene);
      expect(scene.sessions.size, what).toBe(0);
    }
  });

  it('is answered with the first failed check when everything is wrong', async () => {
    const scene = await soundScene();
    withFields(scene, { user: 'root', blob: other.blob, algorithm: 'ssh-rsa' });
    scene.request.hostKey = stranger.blob;
    expect(await check(scene)).toEqual({ ok: false, code: 'wrong_user' });
  });

  it('can be refused with every code of the contract', () => {
    expect(new Set(refusals.map(([, code]) => code))).toEqual(new Set(signRefusalCodes));
  });
});

describe('the server’s proof', () => {
  it.each<[SignatureAlgorithm, KeyType, number]>([
    ['ssh-ed25519', 'ssh-ed25519', 32],
    ['ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp256', 32],
    ['ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp384', 48],
    ['ecdsa-sha2-nistp521', 'ecdsa-sha2-nistp521', 64],
    ['rsa-sha2-256', 'ssh-rsa', 32],
    ['rsa-sha2-512', 'ssh-rsa', 64],
  ])(
    'by %s is verified',
    async (algorithm, type, sessionLength) => {
      const server = await makeTestKey(type);
      const scene = await soundScene();
      const session = newSession(sessionLength);
      scene.request.hostKey = server.blob;
      withFields(scene, { session });
      if (scene.waiting) scene.waiting.pin = server.fingerprint;
      scene.request.kexSignature = await kexSignature(server, algorithm, newSession(sessionLength));
      expect(await check(scene)).toEqual({ ok: false, code: 'host_binding' });
      scene.request.kexSignature = await kexSignature(server, algorithm, session);
      expect(await check(scene)).toMatchObject({ ok: true });
    },
    60_000,
  );
});
