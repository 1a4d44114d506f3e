import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { agentSubprotocol } from '@homeport/contract/connections/facts';
import { type PageMessage, pageMessageSchema } from '@homeport/contract/connections/schema';
import { type Bytes, toBase64 } from '@homeport/signer/bytes';
import { string } from '@homeport/signer/ssh-wire';
import {
  kexSignature,
  makeTestKey,
  newSession,
  type TestKey,
  type UserauthFields,
  userauth,
} from '@homeport/signer/userauth-fixtures';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { someToken } from '../testing/lying-console.ts';
import { type AskedSignature, type TalkOutcome, talk } from './agent-talk.ts';

let mine: TestKey;
let host: TestKey;
let stranger: TestKey;
beforeAll(async () => {
  [mine, host, stranger] = await Promise.all([
    makeTestKey('ssh-ed25519'),
    makeTestKey('ssh-ed25519'),
    makeTestKey('ssh-ed25519'),
  ]);
});

type Open = Extract<PageMessage, { type: 'open' }>;
type Say = (message: object | string | Uint8Array) => void;

const consoles: WebSocketServer[] = [];
afterEach(() => {
  for (const server of consoles.splice(0)) {
    for (const client of server.clients) client.terminate();
    server.close();
  }
});

/** A console that says whatever a test wants once the terminal has opened, and what the terminal sent. */
async function startConsole(lie: (open: Open, say: Say, socket: WebSocket) => unknown) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, handleProtocols: () => agentSubprotocol });
  consoles.push(server);
  const sent: PageMessage[] = [];
  const asked: { url: string | undefined; headers: NodeJS.Dict<string | string[]> }[] = [];
  server.on('connection', (socket, request) => {
    asked.push({ url: request.url, headers: request.headers });
    socket.on('message', (data) => {
      const message = pageMessageSchema.parse(JSON.parse(String(data)));
      sent.push(message);
      const say: Say = (said) =>
        socket.send(said instanceof Uint8Array || typeof said === 'string' ? said : JSON.stringify(said));
      if (message.type === 'open') void lie(message, say, socket);
      else if (message.type === 'signed') say({ type: 'ready' });
      else say({ type: 'failed', code: 'agent_refused', message: 'The page refused to sign.' });
    });
  });
  await new Promise((resolve) => server.once('listening', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent, asked };
}

const serverId = randomUUID();
/** What the agent signed in the last opening. */
let signatures: AskedSignature[] = [];
const sessions = new Set<string>();
/** One opening of a terminal that trusts `host`. */
function open(url: string, pin: string | null = host.fingerprint): Promise<TalkOutcome> {
  const own: AskedSignature[] = [];
  signatures = own;
  return talk({
    console: {
      ...{ origin: url, token: someToken, headers: { 'homeport-terminal': 'word' } },
      terminal: { interrupted: new AbortController().signal },
    },
    ...{ serverId, user: 'homeport', pin },
    key: { type: 'ssh-ed25519', blob: mine.blob },
    async claimSession(session) {
      const isNew = !sessions.has(toBase64(session));
      sessions.add(toBase64(session));
      return isNew;
    },
    async sign(asked) {
      own.push(asked);
      return new Uint8Array(64);
    },
  });
}

/** A good request to sign, with one thing changed. */
async function signRequest(
  openId: string,
  {
    fields = {},
    after = [string(host.blob)],
    at = host,
    session = newSession(),
    proves = session,
  }: {
    fields?: Partial<UserauthFields>;
    after?: Uint8Array[];
    at?: TestKey;
    session?: Bytes;
    proves?: Bytes;
  } = {},
) {
  const data = userauth(
    {
      ...{ session, message: 50, user: 'homeport', service: 'ssh-connection', flag: 1 },
      ...{ method: 'publickey-hostbound-v00@openssh.com', algorithm: 'ssh-ed25519', blob: mine.blob },
      ...fields,
    },
    ...after,
  );
  return {
    ...{ type: 'sign', openId, requestId: randomUUID(), data: toBase64(data) },
    hostKey: toBase64(at.blob),
    kexSignature: toBase64(await kexSignature(at, 'ssh-ed25519', proves)),
  };
}

it('signs a login as it should be, once, with token and word in the headers', async () => {
  const console = await startConsole(async ({ openId }, say) => say(await signRequest(openId)));
  expect(await open(console.url)).toEqual({ kind: 'ready' });
  expect(signatures).toHaveLength(1);
  expect(console.asked).toMatchObject([
    {
      url: `/api/servers/${serverId}/connection`,
      headers: { authorization: `Bearer ${someToken}`, 'homeport-terminal': 'word' },
    },
  ]);
  expect(console.asked[0]?.headers.origin).toBeUndefined();
  expect(console.sent[0]).toMatchObject({ user: 'homeport', plainAllowed: false, asksPerson: true });
});

describe('a console that lies', () => {
  it.each<[string, Parameters<typeof signRequest>[1], string]>([
    ['another account', { fields: { user: 'root' } }, 'wrong_user'],
    ['another key', { fields: { blob: new Uint8Array(51) } }, 'unknown_key'],
    [
      'a signature that is bound to no server',
      { fields: { method: 'publickey' }, after: [] },
      'not_host_bound',
    ],
    [
      'a signature that is bound to another server',
      { after: [string(new Uint8Array(51))] },
      'not_host_bound',
    ],
    ['another service', { fields: { service: 'ssh-userauth' } }, 'not_userauth'],
    ['bytes after the request', { after: [string(new Uint8Array(51)), Uint8Array.of(1)] }, 'trailing_bytes'],
    ['a session that its server did not sign', { proves: new Uint8Array(32) }, 'host_binding'],
  ])('and asks for %s gets nothing, and the agent is not asked', async (_what, change, code) => {
    const console = await startConsole(async ({ openId }, say) => say(await signRequest(openId, change)));
    expect(await open(console.url)).toMatchObject({ kind: 'failed', refusal: code });
    expect(console.sent.at(-1)).toMatchObject({ type: 'refused', code });
    expect(signatures).toEqual([]);
  });

  it('about the server gets nothing, also where that server proves itself', async () => {
    const console = await startConsole(async ({ openId }, say) =>
      say(await signRequest(openId, { at: stranger, after: [string(stranger.blob)] })),
    );
    expect(await open(console.url)).toMatchObject({ refusal: 'host_key_mismatch' });
    expect(signatures).toEqual([]);
  });

  it('and asks again for a session that was signed gets nothing', async () => {
    const session = newSession();
    const again = await startConsole(async ({ openId }, say) => say(await signRequest(openId, { session })));
    expect(await open(again.url)).toEqual({ kind: 'ready' });
    expect(await open(again.url)).toMatchObject({ refusal: 'replayed' });
    expect(signatures).toEqual([]);
  });

  it('and asks twice at once gets one signature', async () => {
    const console = await startConsole(async ({ openId }, say) => {
      const [first, second] = [await signRequest(openId), await signRequest(openId)];
      say(first);
      say(second);
    });
    expect(await open(console.url)).toMatchObject({ kind: 'failed', refusal: 'not_waiting' });
    expect(console.sent.filter(({ type }) => type === 'refused')).toHaveLength(1);
    await expect.poll(() => signatures).toHaveLength(1);
  });

  it('and asks for a signature where the key is only shown gets nothing', async () => {
    const console = await startConsole(async ({ openId }, say) => say(await signRequest(openId)));
    expect(await open(console.url, null)).toMatchObject({ refusal: 'not_waiting' });
    expect(signatures).toEqual([]);
  });

  it('about a fingerprint is not believed: the key itself is looked at', async () => {
    const console = await startConsole((_open, say) =>
      say({
        ...{ type: 'host', fingerprint: host.fingerprint, hostKey: toBase64(stranger.blob) },
        algorithm: 'ssh-ed25519',
      }),
    );
    expect(await open(console.url, null)).toMatchObject({ host: { fingerprint: stranger.fingerprint } });
  });

  it.each<[string, object | string | Uint8Array]>([
    ['what is no JSON', 'sign!'],
    ['bytes', new Uint8Array(16)],
    ['a question for a password', { type: 'prompt', requestId: '1', kind: 'password', prompts: [] }],
    ['a message without its parts', { type: 'sign' }],
    [
      'a message that is too long',
      JSON.stringify({ type: 'failed', code: 'x', message: 'x'.repeat(100_000) }),
    ],
  ])('and sends %s ends the command', async (_what, message) => {
    const console = await startConsole((_open, say) => say(message));
    await expect(open(console.url)).rejects.toMatchObject({ exit: 1 });
    expect(signatures).toEqual([]);
  });

  it('and hangs up ends the command', async () => {
    const console = await startConsole((_open, _say, socket) => socket.close());
    await expect(open(console.url)).rejects.toMatchObject({ exit: 1 });
  });

  it('and leads elsewhere is not followed: the token goes to nobody else', async () => {
    const elsewhere = await startConsole(() => {});
    const { createServer } = await import('node:http');
    const leading = createServer().on('upgrade', (_request, socket) => {
      socket.end(`HTTP/1.1 307 Elsewhere\r\nLocation: ${elsewhere.url}/api\r\nContent-Length: 0\r\n\r\n`);
    });
    await new Promise<void>((resolve) => leading.listen(0, '127.0.0.1', resolve));
    const { port } = leading.address() as AddressInfo;
    await expect(open(`http://127.0.0.1:${port}`)).rejects.toMatchObject({ exit: 1 });
    leading.close();
    expect(elsewhere.asked).toEqual([]);
  });
});

it('what the console says of a failed opening is handed on', async () => {
  const console = await startConsole((_open, say) =>
    say({ type: 'failed', code: 'a_code_of_a_newer_console', message: 'It did not work.' }),
  );
  expect(await open(console.url)).toMatchObject({ code: 'a_code_of_a_newer_console', refusal: null });
});
