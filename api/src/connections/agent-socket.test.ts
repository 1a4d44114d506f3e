import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { isIP } from 'node:net';
import websocket from '@fastify/websocket';
import { agentMessageBytes, agentSubprotocol } from '@homeport/contract/connections/facts';
import { type ConsoleMessage, consoleMessageSchema } from '@homeport/contract/connections/schema';
import { createGate } from '@homeport/egress';
import { ConnectionPool, fingerprintOf } from '@homeport/ssh';
import {
  makeKey,
  type Sshd,
  signerFor,
  startOlderServer,
  startPasswordServer,
  startSshd,
} from '@homeport/ssh/testing';
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type AgentSocketDeps, createAgentSocket, type LinkedServer } from './agent-socket.ts';

const key = makeKey('ed25519');
const signer = signerFor(key.privateKeyPem);
const publicKey = signer.publicKeyBlob.toString('base64');
const owner = { userId: 'owner', sessionId: 'session-1' };
const serverId = randomUUID();

let sshd: Sshd;
beforeAll(async () => {
  sshd = await startSshd({ authorizedKeys: [key.publicKeyLine] });
});
afterAll(() => sshd.dispose());

let server: LinkedServer;
let pool: ConnectionPool;
let app: FastifyInstance;
let url: string;
let session: typeof owner | null;
let found: number;
let logged: string;
let now: number;
const most = { openings: 4, connections: 64 };
let allowed: (ip: string) => boolean;
/** What the test's resolver answers next; the last answer stays. An error fails the question. */
let answers: (string[] | NodeJS.ErrnoException)[];
const gate = createGate(
  {
    ...{ exceptions: ['127.0.0.1/32', '::1/128'], openOwnPorts: [], mixedName: 'refuse' },
    console: { ports: [], names: [] },
  },
  (_name, _options, done) => {
    const [next = []] = answers.length > 1 ? answers.splice(0, 1) : answers;
    if (!Array.isArray(next)) return done(next, []);
    done(
      null,
      next.map((address) => ({ address, family: isIP(address) })),
    );
  },
);
let timeouts: AgentSocketDeps['timeouts'];

beforeEach(async () => {
  server = {
    host: sshd.host,
    port: sshd.port,
    usernames: [sshd.user],
    hasConsoleAccount: false,
    credential: { kind: 'key', publicKeyBlob: signer.publicKeyBlob },
    pinnedHostKey: null,
  };
  pool = new ConnectionPool();
  session = owner;
  most.connections = 64;
  found = 0;
  logged = '';
  now = 1_000_000;
  allowed = (ip) => ip === '127.0.0.1';
  answers = [['127.0.0.1']];
  timeouts = {};
  const loggerInstance = pino(
    { level: 'trace' },
    {
      write(line: string) {
        logged += line;
      },
    },
  );
  app = Fastify({ loggerInstance: loggerInstance as FastifyBaseLogger });
  await app.register(websocket, { options: { maxPayload: agentMessageBytes } });
  const handle = createAgentSocket({
    pool,
    findServer: async (ownerId, id) => {
      found += 1;
      return ownerId === owner.userId && id === serverId ? server : null;
    },
    targets: {
      refuses: (ip, port) => (allowed(ip) ? null : { kind: 'private', text: ip, port }),
      connect: (to, options) => gate.connect(to, options),
    },
    clock: () => now,
    ceilings: most,
    get timeouts() {
      return timeouts ?? {};
    },
  });
  app.get<{ Params: { id: string } }>('/api/servers/:id/connection', { websocket: true }, (socket, request) =>
    handle(socket, { serverId: request.params.id, session, log: request.log }),
  );
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  url = `${address.replace('http', 'ws')}/api/servers/${serverId}/connection`;
});

afterEach(async () => {
  pool.dispose();
  await app.close();
});

/** Stands in for the page. Returns the console's messages one at a time. */
const visit = async (protocols = [agentSubprotocol]) => {
  const socket = new WebSocket(url, protocols);
  const heard: ConsoleMessage[] = [];
  let wake = () => {};
  socket.on('message', (data) => {
    heard.push(consoleMessageSchema.parse(JSON.parse(String(data))));
    wake();
  });
  const closed = once(socket, 'close').then(([code]) => code as number);
  void closed.then(() => wake());
  await once(socket, 'open');
  return {
    socket,
    closed,
    say: (message: object) => socket.send(JSON.stringify(message)),
    async hear(): Promise<ConsoleMessage> {
      for (;;) {
        const message = heard.shift();
        if (message) return message;
        if (socket.readyState === WebSocket.CLOSED)
          throw new Error('The console closed the socket without a word.');
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
};
type Page = Awaited<ReturnType<typeof visit>>;

const open = (changes: object = {}) => ({
  type: 'open',
  openId: randomUUID(),
  serverId,
  user: sshd.user,
  method: 'agent',
  publicKey,
  pin: sshd.hostKeyFingerprint,
  ...changes,
});

/** Signs all requests until the last message. */
const signAlong = async (page: Page): Promise<ConsoleMessage> => {
  for (;;) {
    const message = await page.hear();
    if (message.type !== 'sign') return message;
    const request = {
      data: Buffer.from(message.data, 'base64'),
      hostKey: Buffer.from(message.hostKey, 'base64'),
      kexSignature: Buffer.from(message.kexSignature, 'base64'),
    };
    const signature = await signer.sign(request, new AbortController().signal);
    page.say({ type: 'signed', requestId: message.requestId, signature: signature.toString('base64') });
  }
};

const outcome = async (message: object): Promise<ConsoleMessage> => {
  const page = await visit();
  page.say(message);
  const last = await signAlong(page);
  await page.closed;
  return last;
};

describe('of one person', () => {
  const signIn = (name: string) => {
    session = { ...owner, sessionId: name };
  };

  it('only a limited number of connections are opened at once, and an ended opening makes room', async () => {
    const pages: Page[] = [];
    for (let n = 0; n < 6; n++) {
      signIn(`sign-in-${n}`);
      const page = await visit();
      page.say(open());
      pages.push(page);
    }
    const heard = await Promise.all(pages.map((page) => page.hear()));
    expect(heard.filter(({ type }) => type === 'sign')).toHaveLength(most.openings);
    expect(heard.filter((message) => message.type === 'failed' && message.code === 'too_many')).toHaveLength(
      2,
    );
    for (const page of pages) page.socket.close();
    await Promise.all(pages.map(({ closed }) => closed));
    now += 60_001;
    await expect.poll(() => outcome(open())).toMatchObject({ type: 'ready' });
  });

  it('only a limited number of connections are live', async () => {
    most.connections = 2;
    const answers: ConsoleMessage[] = [];
    for (let n = 0; n < 3; n++) {
      signIn(`sign-in-${n}`);
      answers.push(await outcome(open()));
    }
    expect(answers.map(({ type }) => type)).toEqual(['ready', 'ready', 'failed']);
    expect(answers[2]).toMatchObject({
      code: 'too_many',
      message: expect.stringContaining('You have 2 connections'),
    });
    signIn('sign-in-0');
    expect(await outcome(open())).toMatchObject({ type: 'ready' });
    expect(pool.heldBy(owner.userId)).toBe(2);
  });

  it('only a limited number of pages wait', async () => {
    const pages = await Promise.all(Array.from({ length: 40 }, () => visit()));
    const refused = () => pages.filter(({ socket }) => socket.readyState !== WebSocket.OPEN);
    await expect.poll(() => refused().length).toBe(40 - 8 * most.openings);
    for (const page of refused()) expect(await page.hear()).toMatchObject({ code: 'too_many' });
    for (const { socket } of pages) socket.close();
  });
});

describe('an opening with the page’s key', () => {
  it('probes first, then connects with the pin, and leaves a connection that works without the page', async () => {
    const host = await outcome(open({ pin: null }));
    expect(host).toMatchObject({
      type: 'host',
      fingerprint: sshd.hostKeyFingerprint,
      algorithm: 'ssh-ed25519',
    });

    const ready = await outcome(open());
    expect(ready).toMatchObject({ type: 'ready', bootId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    const connection = pool.require({ owner: owner.userId, sessionId: owner.sessionId, serverId });
    const result = await connection.exec({ argv: ['echo', 'alive'], deadlineMs: 10_000 });
    expect(result.stdout).toBe('alive\n');
    expect(pool.list(owner.sessionId)).toMatchObject([{ serverId, user: sshd.user, method: 'agent' }]);
    expect(pool.list('session-2')).toEqual([]);
  });

  it('joins a second page of the same session to the same connection', async () => {
    const answers = await Promise.all([outcome(open()), outcome(open())]);
    const ids = answers.map((answer) => (answer.type === 'ready' ? answer.connectionId : answer));
    expect(ids[0]).toEqual(ids[1]);
    expect(pool.list(owner.sessionId)).toHaveLength(1);
  });

  it('reports the page’s refusal, and a signature of the wrong form, without harm', async () => {
    const page = await visit();
    page.say(open());
    const sign = await page.hear();
    if (sign.type !== 'sign') throw new Error(`Expected sign, got ${sign.type}`);
    expect(fingerprintOf(Buffer.from(sign.hostKey, 'base64'))).toBe(sshd.hostKeyFingerprint);
    page.say({ type: 'refused', requestId: sign.requestId, code: 'host_binding' });
    expect(await page.hear()).toMatchObject({ type: 'failed', code: 'agent_refused' });

    const second = await visit();
    second.say(open());
    const again = await second.hear();
    if (again.type !== 'sign') throw new Error(`Expected sign, got ${again.type}`);
    second.say({ type: 'signed', requestId: again.requestId, signature: 'AAAA' });
    expect(await second.hear()).toMatchObject({ type: 'failed', code: 'agent_refused' });
    expect(pool.list(owner.sessionId)).toEqual([]);
  });

  it('ends at once when the page closes instead of signing', async () => {
    const page = await visit();
    page.say(open());
    await page.hear();
    page.socket.close();
    await page.closed;
    await expect.poll(() => logged).toContain('"code":"agent_gone"');
    expect(pool.list(owner.sessionId)).toEqual([]);
    expect(await outcome(open())).toMatchObject({ type: 'ready' });
  });

  it('is taken over by the second page when the first one goes', async () => {
    const first = await visit();
    first.say(open());
    expect(await first.hear()).toMatchObject({ type: 'sign' });
    const second = await visit();
    second.say(open());
    await expect.poll(() => found).toBe(2);
    first.socket.close();
    expect(await signAlong(second)).toMatchObject({ type: 'ready' });
  });

  it('gives up when the page is silent', async () => {
    timeouts = { sign: 100 };
    const page = await visit();
    page.say(open());
    await page.hear();
    expect(await page.hear()).toMatchObject({ type: 'failed', code: 'agent_timeout' });
  });
});

describe('a server that takes no host-bound signature', () => {
  it('gets a plain signature only when the page says that the person agreed', async () => {
    await using older = await startOlderServer({ authorizedKey: key.publicKeyLine });
    server = { ...server, host: older.host, port: older.port };
    const asked = { pin: older.hostKeyFingerprint };
    expect(await outcome(open(asked))).toMatchObject({ type: 'failed', code: 'host_bound_unsupported' });
    expect(older.attempts).toEqual([]);
    expect(await outcome(open({ ...asked, plainAllowed: true }))).toMatchObject({ type: 'ready' });
  });
});

const ipv6Server = async () => {
  const started = await startSshd({ authorizedKeys: [key.publicKeyLine], address: '::1' });
  return { ...started, [Symbol.asyncDispose]: () => started.dispose() };
};

it('a server with an IPv6 address is opened there', async () => {
  await using sshd6 = await ipv6Server();
  allowed = (ip) => ip === '::1';
  server = { ...server, host: '::1', port: sshd6.port };
  const pin = sshd6.hostKeyFingerprint;
  const host = await outcome(open({ pin: null }));
  expect(host).toMatchObject({ type: 'host', fingerprint: pin });
  expect(host).not.toHaveProperty('address');
  expect(await outcome(open({ pin }))).toMatchObject({ type: 'ready' });
});

describe('a server with a name', () => {
  const nothing = 'vps.example.com has no address in DNS that this console connects to.';
  const failed = (code: string) =>
    Object.assign(new Error(code), { code, syscall: 'queryA', hostname: 'vps.example.com' });
  beforeEach(() => {
    server = { ...server, host: 'vps.example.com' };
  });

  it('is opened at the address that the name has, and keeps the name', async () => {
    expect(await outcome(open({ pin: null }))).toMatchObject({ type: 'host', address: '127.0.0.1' });
    expect(await outcome(open())).toMatchObject({ type: 'ready' });
    const held = { owner: owner.userId, sessionId: owner.sessionId, serverId, user: sshd.user };
    expect(pool.get(held)?.facts.host).toBe('vps.example.com');
  });

  it('is opened at its second address where the first one does not answer', async () => {
    await using sshd6 = await ipv6Server();
    server = { ...server, port: sshd6.port };
    answers = [['127.0.0.1', '::1']];
    expect(await outcome(open({ pin: null }))).toMatchObject({ type: 'host', address: '::1' });
    expect(await outcome(open({ pin: sshd6.hostKeyFingerprint }))).toMatchObject({ type: 'ready' });
  });

  it('is judged anew at each opening: a name that moves into the private network is refused', async () => {
    answers = [['127.0.0.1'], ['127.0.0.2']];
    expect(await outcome(open({ pin: null }))).toMatchObject({ type: 'host' });
    expect(await outcome(open())).toMatchObject({ code: 'unreachable', message: nothing });
  });

  it.each<[string, (typeof answers)[number]]>([
    ['leads to a refused address', ['127.0.0.2']],
    ['leads to a refused address too', ['127.0.0.1', '169.254.169.254']],
    ['has no address', []],
    ['does not exist', failed('ENOTFOUND')],
  ])('that %s is answered with one sentence, at the first contact and later', async (_what, answer) => {
    answers = [answer];
    for (const pin of [null, sshd.hostKeyFingerprint])
      expect(await outcome(open({ pin }))).toMatchObject({ code: 'unreachable', message: nothing });
  });

  it('that no name server tells was not looked up', async () => {
    answers = [failed('ETIMEOUT')];
    expect(await outcome(open())).toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('could not be looked up in DNS (ETIMEOUT)'),
    });
  });

  it('that leads to another machine shows another host key, and says where the name leads now', async () => {
    await using other = await ipv6Server();
    server = { ...server, port: other.port };
    answers = [['::1']];
    const moved = { code: 'host_key_changed', address: '::1' };
    const says = expect.stringContaining('vps.example.com leads to ::1 now.');
    expect(await outcome(open())).toMatchObject({ ...moved, message: says });
    const pinnedHostKey = { fingerprint: sshd.hostKeyFingerprint, algorithm: 'ssh-ed25519' };
    server = { ...server, pinnedHostKey };
    expect(await outcome(open({ pin: null }))).toMatchObject({ ...moved, message: says });
  });
});

describe('an opening that is refused before a packet is sent', () => {
  const contacts = () => sshd.log().split('Connection from').length;
  const cases: [string, () => void, object, string][] = [
    [
      'nobody is signed in',
      () => {
        session = null;
      },
      {},
      'not_signed_in',
    ],
    [
      'the server is another person’s',
      () => {
        session = { userId: 'other', sessionId: 's' };
      },
      {},
      'not_found',
    ],
    ['the message names another server', () => {}, { serverId: randomUUID() }, 'protocol'],
    ['the account is not the server’s', () => {}, { user: 'somebody' }, 'protocol'],
    [
      'the key is not the server’s',
      () => {},
      { publicKey: Buffer.from('other').toString('base64') },
      'protocol',
    ],
    ['the method is not the server’s', () => {}, { method: 'password' }, 'protocol'],
    [
      'the address is not allowed',
      () => {
        allowed = () => false;
      },
      {},
      'unreachable',
    ],
    [
      'the name leads to an address that is not allowed',
      () => {
        server = { ...server, host: 'vps.example.com' };
        answers = [['127.0.0.2']];
      },
      {},
      'unreachable',
    ],
  ];

  it.each(cases)('because %s', async (_why, arrange, changes, code) => {
    const before = contacts();
    arrange();
    expect(await outcome(open(changes))).toMatchObject({ type: 'failed', code });
    expect(contacts()).toBe(before);
  });

  it('because the pin differs from the one accepted before, with both fingerprints', async () => {
    const pinned = fingerprintOf(Buffer.from('earlier'));
    server = { ...server, pinnedHostKey: { fingerprint: pinned, algorithm: 'ssh-ed25519' } };
    const fingerprints = { pinned, presented: sshd.hostKeyFingerprint };
    expect(await outcome(open())).toMatchObject({ type: 'failed', code: 'host_key_changed', fingerprints });
    expect(await outcome(open({ pin: null }))).toMatchObject({ code: 'host_key_changed', fingerprints });
  });

  it('because it is the seventh within a minute', async () => {
    for (let index = 0; index < 6; index += 1) await outcome(open({ pin: null }));
    expect(await outcome(open({ pin: null }))).toMatchObject({ type: 'failed', code: 'too_many' });
    now += 60_001;
    expect(await outcome(open({ pin: null }))).toMatchObject({ type: 'host' });
  });
});

describe('a page that breaks the protocol', () => {
  it.each([
    ['not JSON', 'hello'],
    ['an unknown message', JSON.stringify({ type: 'shell' })],
    ['a signature nobody asked for', JSON.stringify({ type: 'signed', requestId: 'x', signature: 'AAAA' })],
    ['a password nobody asked for', Buffer.from('secret')],
  ])('is disconnected: %s', async (_what, data) => {
    const page = await visit();
    page.socket.send(data);
    expect(await page.hear()).toMatchObject({ type: 'failed', code: 'protocol' });
    expect(await page.closed).toBe(1000);
  });

  it('is disconnected when it does not name the protocol', async () => {
    const page = await visit([]);
    expect(await page.hear()).toMatchObject({ type: 'failed', code: 'protocol' });
  });

  it('is disconnected when a message is over 16 kB', async () => {
    const page = await visit();
    page.socket.send('x'.repeat(20_000));
    expect(await page.closed).toBe(1009);
  });
});

describe('an opening with a password', () => {
  const password = 'canary-password-7f3a';

  it('takes the password as one binary frame after the host key matched, and the password appears nowhere', async () => {
    await using target = await startPasswordServer({ username: 'ada', password });
    server = { ...server, port: target.port, usernames: ['ada'], credential: { kind: 'password' } };
    const message = open({
      user: 'ada',
      method: 'password',
      publicKey: undefined,
      pin: target.hostKeyFingerprint,
    });
    for (const typed of [`${password}-wrong`, password]) {
      const page = await visit();
      page.say(message);
      expect(await page.hear()).toMatchObject({ type: 'prompt', kind: 'password' });
      page.socket.send(Buffer.from(typed));
      const last = await page.hear();
      expect(last).toMatchObject(
        typed === password ? { type: 'ready' } : { type: 'failed', code: 'password_refused' },
      );
      expect(JSON.stringify(last)).not.toContain(password);
    }
    expect(logged).toContain('connection opened');
    expect(logged).not.toContain(password);
    expect(logged).not.toContain(Buffer.from(password).toString('base64').slice(0, 20));
  });

  it('hands on the server’s own questions', async () => {
    await using target = await startPasswordServer({
      username: 'ada',
      password,
      methods: ['keyboard-interactive'],
    });
    server = { ...server, port: target.port, usernames: ['ada'], credential: { kind: 'password' } };
    const page = await visit();
    page.say(open({ user: 'ada', method: 'password', publicKey: undefined, pin: target.hostKeyFingerprint }));
    const prompt = await page.hear();
    expect(prompt).toMatchObject({ kind: 'interactive', prompts: [{ text: 'Password: ', echo: false }] });
    if (prompt.type !== 'prompt') throw new Error('unreachable');
    page.say({ type: 'answers', requestId: prompt.requestId, answers: [password] });
    expect(await page.hear()).toMatchObject({ type: 'ready' });
    expect(logged).not.toContain(password);
  });
});

describe('what is logged', () => {
  it('names the server and the outcome, and never the signed bytes, the signature or the password', async () => {
    const page = await visit();
    page.say(open());
    await signAlong(page);
    await page.closed;
    expect(logged).toContain(serverId);
    const secretBody = key.privateKeyPem.split('\n').slice(1, -2);
    for (const line of secretBody) expect(logged).not.toContain(line);
    expect(logged).not.toContain('signature');
    expect(logged).not.toContain(signer.requests.at(-1)?.data.toString('base64') ?? 'nothing signed');
  });
});

describe('the end of a session', () => {
  it('closes its connections and the openings under way', async () => {
    await outcome(open());
    const connection = pool.require({ owner: owner.userId, sessionId: owner.sessionId, serverId });
    pool.closeSession(owner.sessionId);
    expect(connection.usable).toBe(false);
    expect(pool.list(owner.sessionId)).toEqual([]);

    const page = await visit();
    page.say(open());
    expect(await page.hear()).toMatchObject({ type: 'sign' });
    pool.closeSession(owner.sessionId);
    expect(await page.hear()).toMatchObject({ type: 'failed', code: 'not_signed_in' });
  });
});
