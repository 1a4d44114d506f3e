import { once } from 'node:events';
import { liveMessageBytes, liveSubprotocol } from '@homeport/contract/live/facts';
import type { LiveConsoleMessage } from '@homeport/contract/live/schema';
import { liveConsoleMessageSchema } from '@homeport/contract/live/schema';
import { fastify } from 'fastify';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { createAdmission } from '../http/admission.ts';
import type { Handlers, StreamOf } from '../http/handlers.ts';
import { createLiveRequests } from '../http/live-requests.ts';
import { createLog, serverOptions } from '../http/log.ts';
import { mount } from '../http/mount.ts';
import { createOpenStream } from '../http/open-stream.ts';
import { notFound } from '../http/problem.ts';
import { defaultLiveLimits, type LiveLimits } from './live-limits.ts';
import { createLiveSocket } from './live-socket.ts';

type Events = StreamOf<'GET /api/events'>;

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** The socket's route on a real server, with the test's own stream behind `GET /api/events`. */
async function serve(
  stream: Handlers['GET /api/events'],
  changes: Partial<LiveLimits> = {},
  admission = createAdmission(),
) {
  const logged: string[] = [];
  const log = createLog('info', { write: (line) => logged.push(line) });
  const server = fastify({ ...serverOptions(log), forceCloseConnections: true });
  const liveRequests = createLiveRequests();
  const handlers: Partial<Handlers> = { 'GET /api/events': stream };
  const openStream = createOpenStream(
    () => handlers,
    async () => false,
    admission,
  );
  handlers['GET /api/live'] = createLiveSocket({
    openStream,
    limits: { ...defaultLiveLimits, ...changes },
    log,
  });
  await mount(server, handlers, {
    publicUrl: 'http://console.test',
    liveRequests,
    // The cookie names the person and the session: `ada/1`.
    async readSession({ headers: { cookie } }) {
      const [userId = '', sessionId = ''] = cookie?.split('/') ?? [];
      const identity = {
        userId,
        sessionId: `${userId}/${sessionId}`,
        name: userId,
        email: '',
        emailVerified: true,
      };
      return cookie === undefined ? null : { session: identity, cookies: [] };
    },
    isOwner: async () => false,
    requireConfirmed: async () => {},
  });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  closing.push(() => server.close());
  return { url, liveRequests, logged, visit: (who = 'ada/1') => visit(url, who) };
}

const headersOf = (who: string | null, origin = 'http://console.test') => ({
  origin,
  ...(who !== null && { cookie: who }),
});

/** Stands in for a page and keeps the console's messages. */
async function visit(url: string, who: string) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/live`, liveSubprotocol, {
    headers: headersOf(who),
  });
  const heard: LiveConsoleMessage[] = [];
  socket.on('message', (data) => heard.push(liveConsoleMessageSchema.parse(JSON.parse(String(data)))));
  const closed = once(socket, 'close').then(([code, reason]) => ({ code, reason: String(reason) }));
  await once(socket, 'open');
  closing.push(async () => socket.terminate());
  let last = 0;
  return {
    socket,
    heard,
    closed,
    subscribe(changes: object = {}) {
      last += 1;
      const asked = {
        type: 'subscribe',
        id: last,
        route: 'GET /api/events',
        params: {},
        query: {},
        after: null,
      };
      socket.send(JSON.stringify({ ...asked, ...changes }));
      return last;
    },
    say: (message: unknown) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    until: (check: (heard: LiveConsoleMessage[]) => void) => vi.waitFor(() => check(heard), 10_000),
  };
}

/** The status with which an upgrade is refused. */
function refusal(url: string, headers: Record<string, string>, protocol = liveSubprotocol): Promise<number> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/live`, protocol, { headers });
  return new Promise((resolve, reject) => {
    socket.once('open', () => reject(new Error('The socket opened.')));
    socket.once('error', () => {});
    socket.once('unexpected-response', (request, response) => {
      request.destroy();
      resolve(response.statusCode ?? 0);
    });
  });
}

const keys = (id: string) => ({ id, data: { topic: 'keys', id } }) as const;
const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
const forever: Handlers['GET /api/events'] = async function* ({ signal }): Events {
  yield null;
  await untilAborted(signal);
};

describe('the live socket', () => {
  it('is refused for another origin, without a session, and without its subprotocol', async () => {
    const { url } = await serve(forever);
    expect(await refusal(url, headersOf('ada/1', 'https://elsewhere.test'))).toBe(403);
    expect(await refusal(url, { cookie: 'ada/1' })).toBe(403);
    expect(await refusal(url, headersOf(null))).toBe(401);
    expect(await refusal(url, headersOf('ada/1'), 'homeport.agent.v1')).toBe(400);
  });

  it('carries a stream to its end, with the ids of its events, each in the contract’s form', async () => {
    const { visit } = await serve(async function* ({ session, lastEventId }): Events {
      yield keys(`${session.userId} after ${lastEventId}`);
      yield { data: { topic: 'apps', id: null, secret: 'hidden' } as never };
    });
    const page = await visit();
    const id = page.subscribe({ after: '41' });
    await page.until((heard) => expect(heard).toHaveLength(4));
    expect(page.heard).toEqual([
      { type: 'opened', id },
      { type: 'event', id, eventId: 'ada after 41', data: { topic: 'keys', id: 'ada after 41' } },
      { type: 'event', id, eventId: null, data: { topic: 'apps', id: null } },
      { type: 'end', id },
    ]);
  });

  it('reports the error of a stream, before its first item and after it', async () => {
    const { visit, logged } = await serve(async function* ({ lastEventId }): Events {
      if (lastEventId === 'none') throw notFound('operation');
      yield keys('1');
      throw new Error('the store went away');
    });
    const page = await visit();
    const refused = page.subscribe({ after: 'none' });
    const broken = page.subscribe();
    await page.until((heard) => expect(heard).toHaveLength(4));
    const failures = page.heard.filter(({ type }) => type === 'failed');
    expect(failures).toMatchObject([
      { id: refused, problem: { code: 'not_found' } },
      { id: broken, problem: { code: 'internal' } },
    ]);
    expect(logged.join('\n')).toContain('the store went away');
  });

  it.each([
    ['a stream that does not exist', { route: 'GET /api/secrets' }, 'not_found'],
    ['a route that is no stream', { route: 'GET /api/servers' }, 'not_found'],
    ['a name that every object has', { route: 'constructor' }, 'not_found'],
    ['a stream without its parameter', { route: 'GET /api/operations/:id/events' }, 'not_found'],
  ])('answers %s with a problem, and goes on', async (_what, asked, code) => {
    const { visit } = await serve(forever);
    const page = await visit();
    const id = page.subscribe(asked);
    await page.until((heard) => expect(heard).toMatchObject([{ type: 'failed', id, problem: { code } }]));
    const next = page.subscribe();
    await page.until((heard) => expect(heard).toContainEqual({ type: 'opened', id: next }));
  });

  it('ends a stream that its page leaves, while the others go on', async () => {
    const ended: string[] = [];
    const { visit } = await serve(async function* ({ signal, lastEventId }): Events {
      try {
        yield null;
        await untilAborted(signal);
      } finally {
        ended.push(`${lastEventId}`);
      }
    });
    const page = await visit();
    const first = page.subscribe({ after: 'first' });
    page.subscribe({ after: 'second' });
    await page.until((heard) => expect(heard).toHaveLength(2));
    page.say({ type: 'unsubscribe', id: first });
    page.say({ type: 'unsubscribe', id: 99 });
    await vi.waitFor(() => expect(ended).toEqual(['first']), { timeout: 10_000 });
    page.socket.terminate();
    await vi.waitFor(() => expect(ended).toEqual(['first', 'second']), { timeout: 10_000 });
  });

  it('closes with all its streams when the session ends, and takes no more messages', async () => {
    const ended = vi.fn();
    const { visit, liveRequests } = await serve(async function* ({ signal }): Events {
      yield null;
      await untilAborted(signal);
      ended();
    });
    const [page, other] = [await visit('ada/1'), await visit('ada/2')];
    page.subscribe();
    other.subscribe();
    await page.until((heard) => expect(heard).toHaveLength(1));
    liveRequests.endSession('ada/1');
    page.subscribe();
    expect(await page.closed).toEqual({ code: 1008, reason: 'The session has ended.' });
    expect(ended).toHaveBeenCalledTimes(1);
    expect(page.heard).toHaveLength(1);
    expect(other.socket.readyState).toBe(WebSocket.OPEN);
  });

  it('closes with the code of a stopped console when the console stops', async () => {
    const { visit, liveRequests } = await serve(forever);
    const page = await visit();
    liveRequests.endAll();
    expect((await page.closed).code).toBe(1001);
  });

  it.each([
    ['no JSON', '{', 1008],
    ['another shape', { type: 'subscribe', id: 0 }, 1008],
    ['a field that does not belong', { type: 'unsubscribe', id: 1, more: true }, 1008],
    ['more than a message may hold', 'x'.repeat(liveMessageBytes + 1), 1009],
    ['more than any socket takes', 'x'.repeat(1024 * 1024), 1009],
  ])('is closed on a page that sends %s', async (_what, message, code) => {
    const { visit, logged } = await serve(forever);
    const page = await visit();
    page.say(message);
    expect((await page.closed).code).toBe(code);
    expect(logged.join('\n')).not.toContain('xxxxxxxx');
  });

  it('is closed on a page that uses the id of an open subscription again', async () => {
    const { visit } = await serve(forever);
    const page = await visit();
    page.subscribe({ id: 7 });
    page.subscribe({ id: 7 });
    expect((await page.closed).code).toBe(1008);
  });

  it('is closed on a page that floods it, and nothing more is read', async () => {
    const opened = vi.fn();
    const admit = vi.fn(() => new Promise<void>((resolve) => setImmediate(resolve)));
    const { visit } = await serve(
      async function* ({ signal }): Events {
        opened();
        yield null;
        await untilAborted(signal);
      },
      { messages: { burst: 20, perSecond: 1 }, subscriptionsPerSocket: 1_000 },
      { admit },
    );
    const page = await visit();
    for (let message = 0; message < 500; message += 1) page.subscribe();
    expect(await page.closed).toEqual({ code: 1008, reason: 'The page sends too much.' });
    expect(admit).toHaveBeenCalledTimes(20);
    expect(admit).toHaveBeenCalledWith('ada');
    // Those that waited for their admission when the page was cut off are not opened for nobody.
    expect(opened.mock.calls.length).toBeLessThanOrEqual(20);
  });

  it('refuses a subscription beyond those of a page, and of a person', async () => {
    const { visit } = await serve(forever, { subscriptionsPerSocket: 2, subscriptionsPerPerson: 3 });
    const [page, other] = [await visit('ada/1'), await visit('ada/2')];
    for (const _ of [1, 2, 3]) page.subscribe();
    await page.until((heard) => expect(heard).toHaveLength(3));
    expect(page.heard).toContainEqual(
      expect.objectContaining({
        type: 'failed',
        id: 3,
        problem: expect.objectContaining({ code: 'too_many' }),
      }),
    );
    other.subscribe();
    other.subscribe();
    await other.until((heard) => expect(heard).toHaveLength(2));
    expect(other.heard.map(({ type }) => type).sort()).toEqual(['failed', 'opened']);
    // A subscription that a page leaves makes room.
    page.say({ type: 'unsubscribe', id: 1 });
    await vi.waitFor(
      async () => {
        const id = other.subscribe();
        await other.until((heard) => expect(heard.some((each) => 'id' in each && each.id === id)).toBe(true));
        expect(other.heard).toContainEqual({ type: 'opened', id });
      },
      { timeout: 10_000 },
    );
  });

  it('refuses a page beyond those of a session, and of a person, in plain words', async () => {
    const { visit } = await serve(forever, { socketsPerSession: 2, socketsPerPerson: 3 });
    const first = await visit('ada/1');
    await visit('ada/1');
    const third = await visit('ada/1');
    expect((await third.closed).code).toBe(1013);
    expect(third.heard).toMatchObject([
      { type: 'refused', problem: { code: 'too_many', message: expect.stringContaining('2 pages') } },
    ]);
    await visit('ada/2');
    expect((await (await visit('ada/3')).closed).code).toBe(1013);
    await visit('eve/1');
    first.socket.close();
    await first.closed;
    await vi.waitFor(
      async () => {
        const again = await visit('ada/3');
        again.subscribe();
        await again.until((heard) => expect(heard).toMatchObject([{ type: 'opened' }]));
      },
      { timeout: 10_000 },
    );
  });
});

describe('a heartbeat', () => {
  it('is sent to the page, and keeps a page that only listens', async () => {
    const { visit } = await serve(forever, { heartbeatMs: 50 });
    const page = await visit();
    await page.until((heard) =>
      expect(heard.filter(({ type }) => type === 'beat').length).toBeGreaterThan(6),
    );
    expect(page.socket.readyState).toBe(WebSocket.OPEN);
  });

  it('ends the socket of a page that answers no ping, with its streams', async () => {
    const ended = vi.fn();
    const { visit } = await serve(
      async function* ({ signal }): Events {
        yield null;
        await untilAborted(signal);
        ended();
      },
      { heartbeatMs: 50 },
    );
    const page = await visit();
    page.subscribe();
    await page.until((heard) => expect(heard).toContainEqual({ type: 'opened', id: 1 }));
    page.socket.pong = () => {};
    page.socket.pause();
    await vi.waitFor(() => expect(ended).toHaveBeenCalledTimes(1), 20_000);
  });
});

describe('a page that does not read', () => {
  const size = 50_000;
  const wanted = 2_000;
  /** 100 MB in numbered pieces, from the piece after the last that the reader saw. */
  const numbered = (pulled: (number: number) => void): Handlers['GET /api/events'] =>
    async function* ({ lastEventId }): Events {
      for (let number = Number(lastEventId ?? 0) + 1; number <= wanted; number += 1) {
        pulled(number);
        yield { id: String(number), data: { topic: 'keys', id: 'x'.repeat(size) } };
      }
    };

  it('slows its stream down, is dropped, and resumes without a gap or a repeat', async () => {
    let pulled = 0;
    const { visit } = await serve(
      numbered((number) => {
        pulled = number;
      }),
      { slowAfterMs: 300 },
    );
    const page = await visit();
    const before = process.memoryUsage().rss;
    page.socket.pause();
    page.subscribe();
    await vi.waitFor(() => expect(pulled).toBeGreaterThan(10), { timeout: 10_000 });
    // Waits until nothing moves. The kernel's buffers on both ends are not the console's memory.
    let last = -1;
    await vi.waitFor(
      () => {
        const stands = last === pulled;
        last = pulled;
        expect(stands).toBe(true);
      },
      { interval: 1_000, timeout: 20_000 },
    );
    expect(pulled).toBeLessThan(wanted / 4);
    expect((process.memoryUsage().rss - before) / 2 ** 20).toBeLessThan(60);

    page.socket.resume();
    const seen: number[] = [];
    let drops = 0;
    const take = () => {
      for (const message of page.heard.splice(0)) {
        if (message.type === 'event') seen.push(Number(message.eventId));
        if (message.type === 'dropped') {
          drops += 1;
          expect(message.resumeFrom).toBe(String(seen.at(-1)));
          page.subscribe({ after: message.resumeFrom });
        }
        if (message.type === 'end') return true;
      }
      return false;
    };
    await vi.waitFor(() => expect(take()).toBe(true), { interval: 20, timeout: 30_000 });
    expect(drops).toBeGreaterThanOrEqual(1);
    expect(seen).toEqual(Array.from({ length: wanted }, (_, index) => index + 1));
  }, 60_000);

  it('does not hold up other pages', async () => {
    const { visit } = await serve(async function* ({ lastEventId, signal }): Events {
      if (lastEventId === 'flood') for (;;) yield { id: '1', data: { topic: 'keys', id: 'x'.repeat(size) } };
      yield keys('told');
      await untilAborted(signal);
    });
    const [slow, quick] = [await visit(), await visit()];
    slow.socket.pause();
    slow.subscribe({ after: 'flood' });
    quick.subscribe();
    await quick.until((heard) => expect(heard).toHaveLength(2));
  });

  it('leaves no more unread than all pages of a person may', async () => {
    let pulled = 0;
    const { visit } = await serve(
      async function* ({ signal }): Events {
        while (!signal.aborted) {
          pulled += 1;
          yield { id: String(pulled), data: { topic: 'keys', id: 'x'.repeat(size) } };
        }
      },
      { unreadBytesPerPerson: 20 * size, bufferedBytes: 1024 * size, slowAfterMs: 60_000 },
    );
    const page = await visit();
    page.socket.pause();
    page.subscribe();
    let last = -1;
    await vi.waitFor(
      () => {
        const stands = last === pulled && pulled > 0;
        last = pulled;
        expect(stands).toBe(true);
      },
      { interval: 500, timeout: 10_000 },
    );
    page.socket.resume();
    await page.until((heard) => expect(heard.at(-1)).toMatchObject({ type: 'dropped' }));
    // Reading makes room.
    const id = page.subscribe();
    await page.until((heard) =>
      expect(heard.filter((each) => 'id' in each && each.id === id).length).toBeGreaterThan(20),
    );
  });
});
