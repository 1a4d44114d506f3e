import { fastify } from 'fastify';
import { afterEach, describe, expect, it, vi } from 'vitest';
import WebSocket from 'ws';
import { createAdmission } from './admission.ts';
import type { Handlers } from './handlers.ts';
import { createLiveRequests } from './live-requests.ts';
import { createLog, serverOptions } from './log.ts';
import { type MountOptions, mount } from './mount.ts';
import { ProblemError } from './problem.ts';

const publicUrl = 'http://console.test';
const serverId = '0b9c5f2e-6b5e-4b57-9f0e-1c1d8a1f2a3b';
const session = { userId: 'u', sessionId: 's', name: 'Ada', email: 'ada@example.com', emailVerified: true };
const configuration = {
  version: '1',
  publicUrl,
  reachableUrl: null,
  appDomain: null,
  proxyHost: null,
  signUps: 'open',
  hasOwner: true,
  promos: [],
  mailConfigured: false,
  githubSignIn: false,
  githubUrl: 'https://github.com',
  demo: null,
} as const;

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Some handlers behind the real checks. A request with `cookie: ada` is signed in. */
async function serve(
  handlers: Partial<Handlers>,
  changes: Partial<Pick<MountOptions, 'requestsPerMinute' | 'callerOf' | 'admission'>> = {},
) {
  const logged: string[] = [];
  const server = fastify(serverOptions(createLog('info', { write: (line) => logged.push(line) })));
  const liveRequests = createLiveRequests();
  let sessionsRead = 0;
  await mount(server, handlers, {
    publicUrl,
    liveRequests,
    async readSession(request) {
      sessionsRead += 1;
      return request.headers.cookie === 'ada' ? { session, cookies: ['renewed=1'] } : null;
    },
    isOwner: async () => false,
    requireConfirmed: async () => {},
    ...changes,
  });
  closing.push(() => server.close());
  const listen = async () => (await server.listen({ host: '127.0.0.1', port: 0 })).replace('http', 'ws');
  return { server, liveRequests, logged, listen, sessionsRead: () => sessionsRead };
}

const rename = {
  'PATCH /api/profile': async ({ body }) => ({
    name: body.name,
    email: 'e',
    pepper: 'p',
    hasPassword: true,
    secondStep: false,
    emailChange: null,
  }),
} satisfies Partial<Handlers>;
const patch = (headers: Record<string, string>, payload: string | object = { name: 'Ada' }) =>
  ({
    method: 'PATCH',
    url: '/api/profile',
    headers: { cookie: 'ada', 'content-type': 'application/json', ...headers },
    payload,
  }) as const;

describe('the origin of a changing request', () => {
  it.each([
    ['the console’s own page', { origin: publicUrl }, 200],
    ['a program that is no browser', {}, 200],
    ['another website', { origin: 'http://evil.test' }, 403],
    ['the same name on another port', { origin: `${publicUrl}:81` }, 403],
    ['a sandboxed frame', { origin: 'null' }, 403],
    ['another website that hides its origin', { 'sec-fetch-site': 'cross-site' }, 403],
    ['a sibling subdomain that hides its origin', { 'sec-fetch-site': 'same-site' }, 403],
  ])('from %s', async (_from, headers: Record<string, string>, status) => {
    const handler = vi.fn(rename['PATCH /api/profile']);
    const { server } = await serve({ 'PATCH /api/profile': handler });
    const answer = await server.inject(patch(headers));
    expect(answer.statusCode).toBe(status);
    expect(handler).toHaveBeenCalledTimes(status === 200 ? 1 : 0);
    if (status === 403) expect(answer.json()).toMatchObject({ code: 'wrong_origin' });
  });
});

describe('bad requests', () => {
  it.each([
    ['half a JSON text', '{"name":', 400, 'invalid_input'],
    ['an empty JSON body', '', 400, 'invalid_input'],
    ['a list where an object belongs', '[]', 400, 'invalid_input'],
    ['an attempt at the prototype', '{"name":"a","__proto__":{"admin":true}}', 400, 'invalid_input'],
    ['a body over 64 kB', JSON.stringify({ name: 'x'.repeat(65_536) }), 413, 'too_large'],
    ['a field that nobody asked for', '{"name":"a","admin":true}', 400, 'invalid_input'],
  ])('%s', async (_what, payload, status, code) => {
    const { server, logged } = await serve(rename);
    const answer = await server.inject(patch({}, payload));
    expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
    expect(answer.body).not.toMatch(/\bat .*\.(ts|js):\d+/);
    expect(logged.join()).not.toContain('a request failed');
  });

  it('takes only JSON, so that a plain form of another site is refused', async () => {
    const { server } = await serve(rename);
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      expect((await server.inject(patch({ 'content-type': type }, 'name=a'))).statusCode).toBe(400);
    }
  });

  it('names the fields', async () => {
    const { server } = await serve(rename);
    expect((await server.inject(patch({}, {}))).json()).toEqual({
      code: 'invalid_input',
      message: 'This is required.',
      recovery: 'Correct the named fields and send again.',
      fields: { name: 'This is required.' },
    });
  });

  it('answers 404 for an invalid path and for an unknown path', async () => {
    const { server } = await serve({
      'GET /api/servers/:id': async () => Promise.reject(new Error('reached')),
    });
    for (const path of [
      '/api/servers/1%27%20or%201=1',
      `/api/servers/${'a'.repeat(99)}`,
      '/api/servers/..%2f..%2fetc',
      '/api/nothing',
    ]) {
      const answer = await server.inject({ url: path, headers: { cookie: 'ada' } });
      expect([path, answer.statusCode, answer.json().code]).toEqual([path, 404, 'not_found']);
    }
  });
});

describe('answers', () => {
  it('hold only fields of the contract', async () => {
    const { server } = await serve({
      'GET /api/configuration': async () => ({
        ...configuration,
        secret: 'hidden',
        promos: [{ provider: 'p', amountUsd: 1, url: 'https://p.test', referral: false, note: 'hidden' }],
      }),
    });
    const answer = await server.inject('/api/configuration');
    expect(answer.json()).toMatchObject({ version: '1', promos: [{ provider: 'p' }] });
    expect(answer.body).not.toContain('hidden');
  });

  it('are not kept, framed, sniffed or run, and prolong the session', async () => {
    const { server } = await serve({ 'GET /api/keys': async () => [] });
    const { headers } = await server.inject({ url: '/api/keys', headers: { cookie: 'ada' } });
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'set-cookie': 'renewed=1',
    });
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('give no details of an unexpected failure, which the log has, without cookies and queries', async () => {
    const { server, logged } = await serve({
      'GET /api/operations': () =>
        Promise.reject(Object.assign(new Error('relation is gone'), { detail: 'Key (email)=(ada)' })),
    });
    const headers = { cookie: 'ada', authorization: 'Bearer abc' };
    const answer = await server.inject({ url: `/api/operations?serverId=${serverId}`, headers });
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toMatchObject({
      code: 'internal',
      message: expect.stringContaining(String(answer.headers['x-request-id'])),
    });
    expect(answer.body).not.toContain('relation');
    const log = logged.join('\n');
    expect(log).toContain('relation is gone');
    for (const hidden of ['Key (email)', 'Bearer', '"ada"', serverId]) expect(log).not.toContain(hidden);
  });

  it('hold a Problem’s fields and its time to wait', async () => {
    const { server } = await serve({
      'GET /api/keys': () =>
        Promise.reject(new ProblemError('too_many', 'Slow down.', { retryAfterSeconds: 7 })),
    });
    const answer = await server.inject({ url: '/api/keys', headers: { cookie: 'ada' } });
    expect([answer.statusCode, answer.headers['retry-after'], answer.json().message]).toEqual([
      429,
      '7',
      'Slow down.',
    ]);
  });

  it('become 429 for one address after its share, before any other check', async () => {
    const { server } = await serve({ 'GET /api/keys': async () => [] }, { requestsPerMinute: 3 });
    const from = (remoteAddress: string) =>
      server.inject({ url: '/api/keys', headers: { cookie: 'nobody' }, remoteAddress });
    const statuses = [];
    for (let i = 0; i < 4; i += 1) statuses.push((await from('192.0.2.1')).statusCode);
    expect(statuses).toEqual([401, 401, 401, 429]);
    expect((await from('192.0.2.2')).statusCode).toBe(401);
    const refused = await from('192.0.2.1');
    expect(refused.json()).toMatchObject({ code: 'too_many' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('become 429 for one person after a burst, from whichever addresses, before the session is read', async () => {
    const { server, sessionsRead } = await serve(
      { 'GET /api/keys': async () => [] },
      {
        callerOf: ({ headers: { cookie = 'nobody' } }) => cookie,
        admission: createAdmission({ atOnce: 2, burstPerSecond: 1, burst: 2, perSecond: 0.001, waitMs: 0 }),
      },
    );
    const ask = (cookie: string, remoteAddress: string) =>
      server.inject({ url: '/api/keys', headers: { cookie }, remoteAddress });
    const statuses = [];
    for (const host of [1, 2, 3, 4]) statuses.push((await ask('ada', `192.0.2.${host}`)).statusCode);
    expect(statuses).toEqual([200, 200, 429, 429]);
    expect(sessionsRead()).toBe(2);
    expect((await ask('eve', '192.0.2.1')).statusCode).toBe(401);
  });
});

describe('sockets', () => {
  const path = `/api/servers/${serverId}/connection`;
  const connect = (
    url: string,
    headers: Record<string, string>,
    protocols: string[] = ['homeport.agent.v1'],
  ) => {
    const socket = new WebSocket(url + path, protocols, { headers });
    const opened = new Promise<number>((resolve) => {
      socket.on('error', () => {});
      socket.once('open', () => resolve(101));
      socket.once('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
    });
    const closed = new Promise<number>((resolve) => socket.once('close', resolve));
    return { socket, opened, closed };
  };
  const good = { origin: publicUrl, cookie: 'ada' };

  it('open for the signed-in page only, with the subprotocol', async () => {
    const { listen } = await serve({ 'GET /api/servers/:id/connection': (socket) => socket.close() });
    const url = await listen();
    expect(await connect(url, good).opened).toBe(101);
    expect(await connect(url, { origin: publicUrl }).opened).toBe(401);
    expect(await connect(url, { ...good, origin: 'http://evil.test' }).opened).toBe(403);
    expect(await connect(url, { cookie: 'ada' }).opened).toBe(403);
    expect(await connect(url, good, ['other']).opened).toBe(400);
    expect(await connect(url, good, []).opened).toBe(400);
  });

  it('end with the session, and tell their handler when the page has left', async () => {
    const signals: AbortSignal[] = [];
    const { listen, liveRequests } = await serve({
      'GET /api/servers/:id/connection': (_socket, { signal, params }) => {
        expect(params.id).toBe(serverId);
        signals.push(signal);
      },
    });
    const url = await listen();
    const first = connect(url, good);
    await first.opened;
    liveRequests.endSession('another');
    expect(signals[0]?.aborted).toBe(false);
    liveRequests.endSession(session.sessionId);
    expect(await first.closed).toBe(1008);

    const second = connect(url, good);
    await second.opened;
    second.socket.terminate();
    await vi.waitFor(() => expect(signals[1]?.aborted).toBe(true), 20_000);
  });

  it('close on a message over the limit', async () => {
    const { listen } = await serve({ 'GET /api/servers/:id/connection': () => {} });
    const { socket, opened, closed } = connect(await listen(), good);
    await opened;
    socket.send('x'.repeat(16_385));
    expect(await closed).toBe(1009);
  });
});
