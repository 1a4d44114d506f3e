import { fastify } from 'fastify';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Handlers, StreamOf } from './handlers.ts';
import { createLiveRequests } from './live-requests.ts';
import { createLog, serverOptions } from './log.ts';
import { mount } from './mount.ts';
import { notFound } from './problem.ts';

const session = { userId: 'u', sessionId: 's', name: 'Ada', email: 'ada@example.com', emailVerified: true };
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function serve(stream: Handlers['GET /api/events']) {
  const logged: string[] = [];
  const server = fastify({
    ...serverOptions(createLog('info', { write: (line) => logged.push(line) })),
    forceCloseConnections: true,
  });
  const liveRequests = createLiveRequests();
  await mount(
    server,
    { 'GET /api/events': stream },
    {
      publicUrl: 'http://console.test',
      liveRequests,
      readSession: async () => ({ session, cookies: [] }),
      isOwner: async () => false,
      requireConfirmed: async () => {},
    },
  );
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  const close = () => server.close();
  closing.push(close);
  return { open: (init?: RequestInit) => fetch(`${url}/api/events`, init), liveRequests, logged, close };
}

type Events = StreamOf<'GET /api/events'>;
const keys = (id: string) => ({ id, data: { topic: 'keys', id } }) as const;
const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

describe('a stream', () => {
  it('is sent as server-sent events with their ids, each in the contract’s form', async () => {
    const { open } = await serve(async function* (): Events {
      yield keys('1');
      yield { id: '2', data: { topic: 'apps', id: null, secret: 'hidden' } as never };
    });
    const answer = await open();
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await answer.text()).toBe(
      'id: 1\ndata: {"topic":"keys","id":"1"}\n\nid: 2\ndata: {"topic":"apps","id":null}\n\n',
    );
  });

  it('tells its handler where the reader left off', async () => {
    const { open } = await serve(async function* ({ lastEventId }): Events {
      yield keys(`after ${lastEventId}`);
    });
    expect(await (await open({ headers: { 'last-event-id': '41' } })).text()).toContain('after 41');
    expect(await (await open({ headers: { 'last-event-id': 'x'.repeat(4_001) } })).text()).toContain(
      'after null',
    );
  });

  it('is open after a null, before its first item', async () => {
    const { open } = await serve(async function* ({ signal }): Events {
      yield null;
      await untilAborted(signal);
    });
    // Sooner than a heartbeat, which would open the stream too.
    expect((await open({ signal: AbortSignal.timeout(10_000) })).status).toBe(200);
  });

  it('that fails before its first item is an ordinary error', async () => {
    const { open } = await serve(async function* ({ session: { userId } }): Events {
      if (userId !== 'somebody else') throw notFound('operation');
      yield null;
    });
    const answer = await open();
    expect([answer.status, await answer.json()]).toMatchObject([404, { code: 'not_found' }]);
  });

  it('that fails later ends, and the log says why', async () => {
    const { open, logged } = await serve(async function* (): Events {
      yield keys('1');
      throw new Error('the store went away');
    });
    expect(await (await open()).text()).toContain('id: 1');
    expect(logged.join('\n')).toContain('the store went away');
  });

  it.each([
    [
      'its reader leaves',
      (_live: ReturnType<typeof createLiveRequests>, stop: AbortController) => stop.abort(),
    ],
    ['its session ends', (live: ReturnType<typeof createLiveRequests>) => live.endSession('s')],
  ])('ends its iterator when %s', async (_when, end) => {
    const cleanedUp = vi.fn();
    const { open, liveRequests } = await serve(async function* ({ signal }): Events {
      try {
        yield keys('1');
        await untilAborted(signal);
      } finally {
        cleanedUp();
      }
    });
    const stop = new AbortController();
    const answer = await open({ signal: stop.signal });
    const reader = answer.body?.getReader();
    await reader?.read();
    expect(cleanedUp).not.toHaveBeenCalled();
    end(liveRequests, stop);
    await vi.waitFor(() => expect(cleanedUp).toHaveBeenCalledTimes(1), 20_000);
  });

  it('ends its iterator also when a reader leaves without reading', async () => {
    const cleanedUp = vi.fn();
    let sent = 0;
    const { open } = await serve(async function* (): Events {
      try {
        for (; ; sent += 1) yield { data: { topic: 'keys', id: 'x'.repeat(60_000) } };
      } finally {
        cleanedUp();
      }
    });
    const stop = new AbortController();
    const answer = await open({ signal: stop.signal });
    let before = -1;
    await vi.waitFor(
      () => {
        const stuck = before === sent;
        before = sent;
        expect(stuck).toBe(true);
      },
      { interval: 100, timeout: 10_000 },
    );
    expect(cleanedUp).not.toHaveBeenCalled();
    stop.abort();
    await vi.waitFor(() => expect(cleanedUp).toHaveBeenCalledTimes(1), 20_000);
    expect(answer.bodyUsed).toBe(false);
  });

  it('does not keep the console from stopping', async () => {
    const { open, close } = await serve(async function* ({ signal }): Events {
      yield null;
      await untilAborted(signal);
    });
    const answer = await open();
    await close();
    expect(await answer.text()).toBe('');
  });
});
