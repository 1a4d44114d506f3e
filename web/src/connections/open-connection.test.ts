/// <reference types="node" />
import 'fake-indexeddb/auto';
import type { ConsoleMessage, LiveConnection, PageMessage } from '@homeport/contract/connections/schema';
import { pageMessageSchema } from '@homeport/contract/connections/schema';
import { fromBase64, toBase64, utf8 } from '@homeport/signer/bytes';
import { readPublicBlob } from '@homeport/signer/public-key';
import { string } from '@homeport/signer/ssh-wire';
import {
  kexSignature,
  makeTestKey,
  newSession,
  type TestKey,
  userauth,
} from '@homeport/signer/userauth-fixtures';
import { verify } from '@homeport/signer/verify';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Credential } from './agent-socket.ts';
import { type OpenConnectionOptions, openConnection } from './open-connection.ts';
import type { OpeningState } from './opening-state.ts';
import { pinHostKey, readTrust, setAskEachTime, withdrawPlain } from './server-trust.ts';
import { listSigned } from './signing-record.ts';

/** The console's end of one socket. The test reads the page's messages and sends its own. */
interface ConsoleEnd {
  open: Extract<PageMessage, { type: 'open' }>;
  say(message: ConsoleMessage): void;
  /** The page's next message. A binary frame is given as its bytes, copied on arrival. */
  heard(): Promise<PageMessage | Uint8Array>;
  hangUp(): void;
}

type ConsoleScript = (end: ConsoleEnd) => void | Promise<void>;

/** Sockets that run `scripts` in turn, one per opening. The page may send only messages of the contract. */
function consoleOf(...scripts: ConsoleScript[]) {
  let opened = 0;
  const sent: (string | Uint8Array)[] = [];
  const connect = () => {
    const script = scripts[opened++];
    if (!script) throw new Error('The page opened more sockets than the test expects.');
    const inbox: (PageMessage | Uint8Array)[] = [];
    let wake = () => {};
    const socket = {
      onopen: null as null | (() => void),
      onmessage: null as null | ((event: { data: unknown }) => void),
      onclose: null as null | (() => void),
      close() {
        queueMicrotask(() => socket.onclose?.());
      },
      send(data: string | Uint8Array) {
        sent.push(data);
        inbox.push(typeof data === 'string' ? pageMessageSchema.parse(JSON.parse(data)) : data.slice());
        wake();
      },
    };
    const heard = async () => {
      while (inbox.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      const [message] = inbox.splice(0, 1);
      if (!message) throw new Error('nothing heard');
      return message;
    };
    queueMicrotask(async () => {
      socket.onopen?.();
      const open = await heard();
      if (open instanceof Uint8Array || open.type !== 'open')
        throw new Error('The page did not begin with open.');
      const say = (message: ConsoleMessage) => socket.onmessage?.({ data: JSON.stringify(message) });
      await script({ open, say, heard, hangUp: () => socket.onclose?.() });
    });
    return socket as unknown as WebSocket;
  };
  return { connect, sent, count: () => opened };
}

let mine: TestKey;
let host: TestKey;
let stranger: TestKey;
let serverId = '';

beforeAll(async () => {
  [mine, host, stranger] = await Promise.all([
    makeTestKey('ssh-ed25519'),
    makeTestKey('ssh-ed25519'),
    makeTestKey('ssh-ed25519'),
  ]);
  vi.stubGlobal('navigator', { locks: oneAtATime() });
});
afterAll(() => vi.unstubAllGlobals());
beforeEach(() => {
  serverId = crypto.randomUUID();
});

/** `navigator.locks`, which Node 20 lacks: exclusive locks and `ifAvailable`. */
function oneAtATime() {
  const tails = new Map<string, Promise<unknown>>();
  return {
    async request(name: string, ...rest: unknown[]) {
      const [options, work] = rest.length === 2 ? rest : [{}, rest[0]];
      const run = work as (lock: object | null) => unknown;
      const tail = tails.get(name);
      if (tail && (options as { ifAvailable?: boolean }).ifAvailable) return run(null);
      const held = (tail ?? Promise.resolve()).then(() => run({ name }));
      const settled = held.then(
        () => {},
        () => {},
      );
      tails.set(name, settled);
      await settled;
      if (tails.get(name) === settled) tails.delete(name);
      return held;
    },
  };
}

const ready: ConsoleMessage = {
  type: 'ready',
  connectionId: 'c-1',
  idleMs: 300_000,
  expiresAt: 9,
  bootId: 'boot',
};
const probeOf =
  (key: TestKey): ConsoleScript =>
  (end) => {
    expect(end.open.pin).toBeNull();
    end.say({
      type: 'host',
      fingerprint: key.fingerprint,
      hostKey: toBase64(key.blob),
      algorithm: 'ssh-ed25519',
    });
  };

async function signRequest(
  end: ConsoleEnd,
  session = newSession(),
  form: 'hostBound' | 'plain' = 'hostBound',
): Promise<Extract<ConsoleMessage, { type: 'sign' }>> {
  const fields = {
    session,
    message: 50,
    user: 'ines',
    service: 'ssh-connection',
    method: form === 'plain' ? 'publickey' : 'publickey-hostbound-v00@openssh.com',
    flag: 1,
    algorithm: 'ssh-ed25519',
    blob: mine.blob,
  };
  const data = form === 'plain' ? userauth(fields) : userauth(fields, string(host.blob));
  const kex = toBase64(await kexSignature(host, 'ssh-ed25519', session));
  const hostKey = toBase64(host.blob);
  return {
    type: 'sign',
    openId: end.open.openId,
    requestId: 'r-1',
    data: toBase64(data),
    hostKey,
    kexSignature: kex,
  };
}

const login: ConsoleScript = (end) => loginIn('hostBound', end);

async function loginIn(form: 'hostBound' | 'plain', end: ConsoleEnd): Promise<void> {
  const request = await signRequest(end, newSession(), form);
  end.say(request);
  const reply = await end.heard();
  if (reply instanceof Uint8Array || reply.type !== 'signed') throw new Error('not signed');
  const { jwk } = readPublicBlob(mine.blob);
  const signature = fromBase64(reply.signature) ?? new Uint8Array(0);
  const data = fromBase64(request.data) ?? new Uint8Array(0);
  end.say(
    (await verify(jwk, 'ssh-ed25519', signature, data))
      ? ready
      : { type: 'failed', code: 'auth_refused', message: 'wrong signature' },
  );
}

/** The console says that the server takes no host-bound signature. */
const older: ConsoleScript = (end) =>
  end.say({ type: 'failed', code: 'host_bound_unsupported', message: 'an older server' });
const plainLogin: ConsoleScript = (end) => {
  expect(end.open.plainAllowed).toBe(true);
  return loginIn('plain', end);
};

function start(
  connect: () => WebSocket,
  answer: ((state: OpeningState) => void) | null = () => {},
  more: Partial<OpenConnectionOptions> = {},
) {
  const states: OpeningState[] = [];
  const credential: Credential = { method: 'agent', keys: mine.keys, publicKey: mine.blob };
  const onState = (state: OpeningState) => {
    states.push(state);
    answer?.(state);
  };
  const end = openConnection({
    serverId,
    user: 'ines',
    credential,
    connect,
    listLive: async () => [],
    ...(answer && { onState }),
    ...more,
  });
  return { end, states, names: () => states.map(({ status }) => status) };
}

const accept = (state: OpeningState) => {
  if (state.status === 'host_key_question' || state.status === 'host_key_changed') state.answer(true);
  if (state.status === 'needs_confirmation') state.answer(true);
};

describe('first contact', () => {
  it('asks between two sockets, pins the accepted key, and signs on the second', async () => {
    const console = consoleOf(probeOf(host), login);
    const { end, states, names } = start(console.connect, accept);
    expect(await end).toEqual({ status: 'ready', connectionId: 'c-1', expiresAt: 9, bootId: 'boot' });
    expect(names()).toEqual(['connecting', 'host_key_question', 'connecting', 'ready']);
    expect(states[1]).toMatchObject({ fingerprint: host.fingerprint });
    expect((await readTrust(serverId)).pin).toBe(host.fingerprint);
    expect((await listSigned())[0]).toMatchObject({ serverId, user: 'ines', method: 'agent' });
  });

  it('asks although the socket closes while the page still computes the fingerprint', async () => {
    const console = consoleOf(async (end) => {
      await probeOf(host)(end);
      end.hangUp();
    }, login);
    const { end, names } = start(console.connect, accept);
    expect(await end).toMatchObject({ status: 'ready' });
    expect(names()).toContain('host_key_question');
  });

  it('shows the fingerprint of the key itself, whatever the console claims', async () => {
    const lying: ConsoleScript = (end) =>
      end.say({
        type: 'host',
        fingerprint: host.fingerprint,
        hostKey: toBase64(stranger.blob),
        algorithm: 'ssh-ed25519',
      });
    const { end, states } = start(consoleOf(lying).connect, (state) => {
      if (state.status === 'host_key_question') state.answer(false);
    });
    expect(await end).toMatchObject({ status: 'failed', code: 'declined' });
    expect(states[1]).toMatchObject({ status: 'host_key_question', fingerprint: stranger.fingerprint });
    expect((await readTrust(serverId)).pin).toBeNull();
  });

  it('is declined when nobody can be asked', async () => {
    const console = consoleOf(probeOf(host));
    expect(await start(console.connect, null).end).toMatchObject({ status: 'failed', code: 'declined' });
    expect(console.count()).toBe(1);
  });

  it('ignores a sign request, because a probe authenticates nobody', async () => {
    const eager: ConsoleScript = async (end) => {
      end.say(await signRequest(end));
      expect(await end.heard()).toMatchObject({ type: 'refused', code: 'not_waiting' });
      end.say({ type: 'failed', code: 'agent_refused', message: 'refused' });
    };
    expect(await start(consoleOf(eager).connect, accept).end).toMatchObject({
      code: 'agent_refused',
      refusal: 'not_waiting',
    });
  });
});

describe('a server that is pinned', () => {
  beforeEach(() => pinHostKey(serverId, host.fingerprint));

  it('is connected without a question', async () => {
    expect(await start(consoleOf(login).connect, null).end).toMatchObject({ status: 'ready' });
  });

  it('gets one signature per socket, and a second request is refused', async () => {
    const greedy: ConsoleScript = async (end) => {
      end.say(await signRequest(end));
      end.say(await signRequest(end));
      const replies = [await end.heard(), await end.heard()];
      expect(replies.map((reply) => (reply instanceof Uint8Array ? '' : reply.type)).sort()).toEqual([
        'refused',
        'signed',
      ]);
      end.say({ type: 'failed', code: 'agent_refused', message: 'refused' });
    };
    expect(await start(consoleOf(greedy).connect).end).toMatchObject({ refusal: 'not_waiting' });
  });

  it('gets no second signature for the same session, not even on another socket', async () => {
    const session = newSession();
    const scripts = [0, 1].map(
      (): ConsoleScript => async (end) => {
        end.say(await signRequest(end, session));
        const reply = await end.heard();
        end.say(
          reply instanceof Uint8Array || reply.type !== 'signed'
            ? { type: 'failed', code: 'agent_refused', message: '' }
            : ready,
        );
      },
    );
    const console = consoleOf(...scripts);
    expect(await start(console.connect).end).toMatchObject({ status: 'ready' });
    expect(await start(console.connect).end).toMatchObject({ status: 'failed', refusal: 'replayed' });
  });

  const changed: ConsoleScript = (end) =>
    end.say({
      type: 'failed',
      code: 'host_key_changed',
      message: 'changed',
      fingerprints: { pinned: host.fingerprint, presented: stranger.fingerprint },
    });

  it('whose key changed is refused with both fingerprints, and the pin stays', async () => {
    const { end, states } = start(consoleOf(changed).connect, (state) => {
      if (state.status === 'host_key_changed') state.answer(false);
    });
    expect(await end).toMatchObject({ status: 'failed', code: 'host_key_changed' });
    expect(states[1]).toMatchObject({ pinned: host.fingerprint, presented: stranger.fingerprint });
    expect((await readTrust(serverId)).pin).toBe(host.fingerprint);
  });

  it('whose changed key was accepted is probed again, then connected under the new pin', async () => {
    const last: ConsoleScript = (end) => {
      expect(end.open.pin).toBe(stranger.fingerprint);
      end.say(ready);
    };
    expect(await start(consoleOf(changed, probeOf(stranger), last).connect, accept).end).toMatchObject({
      status: 'ready',
    });
    expect((await readTrust(serverId)).pin).toBe(stranger.fingerprint);
  });

  it('that shows a third key after the acceptance gets no new pin', async () => {
    const console = consoleOf(changed, probeOf(mine));
    expect(await start(console.connect, accept).end).toMatchObject({
      status: 'failed',
      code: 'host_key_changed',
    });
    expect((await readTrust(serverId)).pin).toBe(host.fingerprint);
  });

  it('whose first key was accepted reports the key and its type to the console before the login', async () => {
    const told: (string | null)[] = [];
    const logsIn: ConsoleScript = (end) => {
      expect(told).toEqual([host.fingerprint, 'ssh-ed25519']);
      return login(end);
    };
    const acceptHostKey = async (...key: [string, string | null]) => void told.push(...key);
    serverId = crypto.randomUUID();
    const console = consoleOf(probeOf(host), logsIn);
    expect(await start(console.connect, accept, { acceptHostKey }).end).toMatchObject({ status: 'ready' });
  });

  it('whose first key the console refuses is not pinned', async () => {
    const acceptHostKey = () => Promise.reject(new Error('Another key was accepted in the meantime.'));
    serverId = crypto.randomUUID();
    expect(await start(consoleOf(probeOf(host)).connect, accept, { acceptHostKey }).end).toMatchObject({
      status: 'failed',
      message: 'Another key was accepted in the meantime.',
    });
    expect((await readTrust(serverId)).pin).toBeNull();
  });

  it('whose changed key was accepted reports the key to the console before the next opening', async () => {
    const told: string[] = [];
    const probed: ConsoleScript = (end) => {
      expect(told).toEqual([stranger.fingerprint]);
      return probeOf(stranger)(end);
    };
    const console = consoleOf(changed, probed, (end) => end.say(ready));
    const acceptHostKey = async (fingerprint: string) => void told.push(fingerprint);
    expect(await start(console.connect, accept, { acceptHostKey }).end).toMatchObject({ status: 'ready' });
  });

  it('whose accepted key the console refuses keeps its pin', async () => {
    const acceptHostKey = () => Promise.reject(new Error('Another key was accepted in the meantime.'));
    expect(await start(consoleOf(changed).connect, accept, { acceptHostKey }).end).toMatchObject({
      status: 'failed',
      message: 'Another key was accepted in the meantime.',
    });
    expect((await readTrust(serverId)).pin).toBe(host.fingerprint);
  });

  /** The console refuses our pin because its own differs, before it contacts the server. */
  const otherStored = (stored: TestKey, presented: TestKey): ConsoleScript => {
    const fingerprints = { pinned: stored.fingerprint, presented: presented.fingerprint };
    return (end) => end.say({ type: 'failed', code: 'host_key_changed', message: 'other', fingerprints });
  };

  it('that the console knows by a newer key is probed before the user is asked', async () => {
    const last: ConsoleScript = (end) => {
      expect(end.open.pin).toBe(stranger.fingerprint);
      end.say(ready);
    };
    const console = consoleOf(otherStored(stranger, host), probeOf(stranger), probeOf(stranger), last);
    const { end, states } = start(console.connect, accept);
    expect(await end).toMatchObject({ status: 'ready' });
    expect(states.find(({ status }) => status === 'host_key_changed')).toMatchObject({
      pinned: host.fingerprint,
      presented: stranger.fingerprint,
    });
    expect((await readTrust(serverId)).pin).toBe(stranger.fingerprint);
  });

  it('that still shows our key while the console holds another leads to a question about the console’s key', async () => {
    const refusal = otherStored(stranger, host);
    const console = consoleOf(refusal, refusal, probeOf(host), login);
    const { end, states } = start(console.connect, accept);
    expect(await end).toMatchObject({ status: 'ready' });
    expect(states.find(({ status }) => status === 'host_key_changed')).toMatchObject({
      pinned: stranger.fingerprint,
      pinnedAt: null,
      presented: host.fingerprint,
    });
  });

  it('leads to a question first when the user wants that', async () => {
    await setAskEachTime(serverId, true);
    expect(await start(consoleOf().connect, null).end).toMatchObject({ code: 'declined' });
    const { end, states } = start(consoleOf(login).connect, accept);
    expect(await end).toMatchObject({ status: 'ready' });
    expect(states[0]).toMatchObject({ status: 'needs_confirmation', reason: 'asked_each_time' });
  });

  it('leads to a question after six openings within a minute', async () => {
    const console = consoleOf(...Array.from({ length: 7 }, () => login));
    for (let n = 0; n < 6; n++)
      expect(await start(console.connect, null).end).toMatchObject({ status: 'ready' });
    expect(await start(console.connect, null).end).toMatchObject({ status: 'failed', code: 'declined' });
    const { end, states } = start(console.connect, accept);
    expect(await end).toMatchObject({ status: 'ready' });
    expect(states[0]).toMatchObject({ status: 'needs_confirmation', reason: 'many_openings' });
  });

  it('is opened once for two simultaneous callers', async () => {
    const live: LiveConnection[] = [];
    const console = consoleOf(async (end) => {
      await login(end);
      live.push({
        connectionId: 'c-1',
        serverId,
        user: 'ines',
        method: 'agent',
        openedAt: 1,
        lastUsedAt: 1,
        expiresAt: 9,
      });
    });
    const both = [0, 1].map(() => start(console.connect, () => {}, { listLive: async () => live }));
    expect(await Promise.all(both.map(({ end }) => end))).toMatchObject([
      { connectionId: 'c-1' },
      { connectionId: 'c-1' },
    ]);
    expect(console.count()).toBe(1);
    expect(both[1]?.states[0]).toEqual({ status: 'connecting', step: 'other_tab' });
  });

  it('that falls silent counts as an interruption, and giving up closes the socket', async () => {
    expect(await start(consoleOf((end) => end.hangUp()).connect).end).toMatchObject({ code: 'interrupted' });
    const stop = new AbortController();
    const { end } = start(consoleOf(() => stop.abort()).connect, () => {}, { signal: stop.signal });
    expect(await end).toMatchObject({ status: 'failed', code: 'declined' });
  });
});

describe('a server that takes no host-bound signature', () => {
  beforeEach(() => pinHostKey(serverId, host.fingerprint));
  const agree = (state: OpeningState) => state.status === 'plain_signature_question' && state.answer(true);

  it('leads to a question between two sockets, and the agreement is kept beside the pin', async () => {
    const { end, names } = start(consoleOf(older, plainLogin).connect, agree);
    expect(await end).toMatchObject({ status: 'ready' });
    expect(names()).toEqual(['connecting', 'plain_signature_question', 'connecting', 'ready']);
    expect(await readTrust(serverId)).toMatchObject({ plainAgreedAt: expect.any(Number), hostBoundAt: null });
    expect(await start(consoleOf(plainLogin).connect, null).end).toMatchObject({ status: 'ready' });
  });

  it('gets no signature when the person says no, or cannot be asked', async () => {
    const no = (state: OpeningState) => state.status === 'plain_signature_question' && state.answer(false);
    expect(await start(consoleOf(older).connect, no).end).toMatchObject({ code: 'declined' });
    expect(await start(consoleOf(older).connect, null).end).toMatchObject({ code: 'declined' });
    expect((await readTrust(serverId)).plainAgreedAt).toBeNull();
  });

  const sly: ConsoleScript = async (end) => {
    expect(end.open.plainAllowed).toBe(false);
    end.say(await signRequest(end, newSession(), 'plain'));
    expect(await end.heard()).toMatchObject({ type: 'refused', code: 'not_host_bound' });
    end.say({ type: 'failed', code: 'agent_refused', message: 'refused' });
  };

  it('gets no plain signature before the person agreed, whatever the console asks for', async () => {
    const { end, names } = start(consoleOf(sly).connect, agree);
    expect(await end).toMatchObject({ code: 'agent_refused', refusal: 'not_host_bound' });
    expect(names()).toEqual(['connecting', 'failed']);
  });

  it('gets no plain signature after the person withdrew the agreement', async () => {
    expect(await start(consoleOf(older, plainLogin).connect, agree).end).toMatchObject({ status: 'ready' });
    await withdrawPlain(serverId);
    expect(await start(consoleOf(sly).connect, agree).end).toMatchObject({ refusal: 'not_host_bound' });
  });

  it('is refused without a question after it took a host-bound signature', async () => {
    expect(await start(consoleOf(login).connect).end).toMatchObject({ status: 'ready' });
    const { end, names } = start(consoleOf(older).connect, agree);
    expect(await end).toMatchObject({ status: 'failed', code: 'downgrade_refused' });
    expect(names()).toEqual(['connecting', 'failed']);
    expect(await start(consoleOf(sly).connect, agree).end).toMatchObject({ refusal: 'not_host_bound' });
  });

  it('is also refused when the console hung up right after the host-bound signature', async () => {
    const hangsUp: ConsoleScript = async (end) => {
      end.say(await signRequest(end));
      await end.heard();
      end.hangUp();
    };
    expect(await start(consoleOf(hangsUp).connect).end).toMatchObject({ code: 'interrupted' });
    expect(await start(consoleOf(older).connect, agree).end).toMatchObject({ code: 'downgrade_refused' });
  });

  it('loses the agreement with its first host-bound signature', async () => {
    expect(await start(consoleOf(older, plainLogin).connect, agree).end).toMatchObject({ status: 'ready' });
    expect(await start(consoleOf(login).connect).end).toMatchObject({ status: 'ready' });
    const { hostBoundAt, plainAgreedAt } = await readTrust(serverId);
    expect({ hostBoundAt, plainAgreedAt }).toEqual({ hostBoundAt: expect.any(Number), plainAgreedAt: null });
    expect(await start(consoleOf(older).connect, agree).end).toMatchObject({ code: 'downgrade_refused' });
  });

  it('counts as unknown under another pin', async () => {
    expect(await start(consoleOf(login).connect).end).toMatchObject({ status: 'ready' });
    await pinHostKey(serverId, stranger.fingerprint);
    expect(await readTrust(serverId)).toMatchObject({ hostBoundAt: null, plainAgreedAt: null });
  });
});

describe('a server whose credential is a password', () => {
  beforeEach(() => pinHostKey(serverId, host.fingerprint));
  const credential: Credential = { method: 'password' };

  it('gets the password in one binary frame, which is then overwritten with zeros', async () => {
    const password = utf8('grün & geheim');
    const console = consoleOf(async (end) => {
      expect(end.open).toMatchObject({ method: 'password', pin: host.fingerprint });
      end.say({
        type: 'prompt',
        requestId: 'r',
        kind: 'password',
        prompts: [{ text: 'Password: ', echo: false }],
      });
      expect(await end.heard()).toEqual(utf8('grün & geheim'));
      end.say(ready);
    });
    const { end } = start(
      console.connect,
      (state) => state.status === 'needs_password' && state.answer(password),
      { credential },
    );
    expect(await end).toMatchObject({ status: 'ready' });
    expect([...password].every((byte) => byte === 0)).toBe(true);
    expect(console.sent.filter((frame) => typeof frame === 'string').join()).not.toContain('geheim');
    expect((await listSigned())[0]).toMatchObject({ serverId, method: 'password' });
  });

  it('passes the server’s own prompts on', async () => {
    const console = consoleOf(async (end) => {
      end.say({
        type: 'prompt',
        requestId: 'r',
        kind: 'interactive',
        prompts: [{ text: 'Code: ', echo: true }],
      });
      expect(await end.heard()).toEqual({ type: 'answers', requestId: 'r', answers: ['123456'] });
      end.say(ready);
    });
    const answer = (state: OpeningState) => state.status === 'needs_answers' && state.answer(['123456']);
    expect(await start(console.connect, answer, { credential }).end).toMatchObject({ status: 'ready' });
  });

  it('never leads to a password question when the credential is a key', async () => {
    const sly: ConsoleScript = (end) =>
      end.say({ type: 'prompt', requestId: 'r', kind: 'password', prompts: [] });
    const { end, names } = start(consoleOf(sly).connect, accept);
    expect(await end).toMatchObject({ status: 'failed', code: 'protocol' });
    expect(names()).not.toContain('needs_password');
  });
});
