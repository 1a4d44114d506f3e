/// <reference types="node" />
import type { AddressInfo } from 'node:net';
import type { LiveConsoleMessage, LivePageMessage } from '@homeport/contract/live/schema';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { LiveEvent } from './live-events.ts';
import { type AskedStream, createLiveSocket } from './live-socket.ts';

/** A real WebSocket server stands in for the console, and the test's own events stand in for the window's. */
let server: WebSocketServer;
let asked: Extract<LivePageMessage, { type: 'subscribe' }>[];
let left: number[];
/** Answers one subscription. The test sends the rest of the protocol. */
let answer: (ask: { id: number; after: string | null }, say: (message: LiveConsoleMessage) => void) => void;

beforeEach(async () => {
  asked = [];
  left = [];
  answer = ({ id }, say) => say({ type: 'opened', id });
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  server.on('connection', (socket) => {
    const say = (message: LiveConsoleMessage) => socket.send(JSON.stringify(message));
    socket.on('message', (data) => {
      const message = JSON.parse(String(data)) as LivePageMessage;
      if (message.type === 'send') return;
      if (message.type === 'unsubscribe') {
        left.push(message.id);
        return;
      }
      asked.push(message);
      answer(message, say);
    });
  });
  await new Promise((resolve) => server.once('listening', resolve));
});
afterEach(async () => {
  vi.useRealTimers();
  for (const client of server.clients) client.terminate();
  await new Promise((resolve) => server.close(resolve));
});

const stop = new AbortController();
const stream = (route: string, changes: Partial<AskedStream> = {}): AskedStream => ({
  ...{ route, params: {}, query: {}, after: null, signal: stop.signal },
  ...changes,
});

function startPage() {
  const { port } = server.address() as AddressInfo;
  const events = new EventTarget();
  const document = { visibilityState: 'visible' };
  let connects = 0;
  const live = createLiveSocket(
    () => {
      connects += 1;
      const socket = new WebSocket(`ws://127.0.0.1:${port}`);
      socket.on('error', () => {});
      // Both classes have the standard methods and properties that the page uses.
      return socket as unknown as globalThis.WebSocket;
    },
    { addEventListener: (type, listener) => events.addEventListener(type, listener), document },
  );
  return {
    live,
    document,
    connects: () => connects,
    tell: (type: string) => events.dispatchEvent(new Event(type)),
  };
}

/** Reads until the stream is over. */
async function readAll(events: AsyncIterable<LiveEvent>): Promise<LiveEvent[]> {
  const read: LiveEvent[] = [];
  for await (const event of events) read.push(event);
  return read;
}

const untilClients = (count: number) => vi.waitFor(() => expect(server.clients.size).toBe(count), 20_000);

describe('the page’s socket', () => {
  it('is one for many streams, opened with the first and closed with the last', async () => {
    const { live, connects } = startPage();
    expect(connects()).toBe(0);
    const leave = [new AbortController(), new AbortController(), new AbortController()];
    await Promise.all(leave.map(({ signal }, index) => live.open(stream(`GET /api/${index}`, { signal }))));
    expect([connects(), asked.map(({ route }) => route)]).toEqual([
      1,
      ['GET /api/0', 'GET /api/1', 'GET /api/2'],
    ]);
    leave[0]?.abort();
    leave[1]?.abort();
    await vi.waitFor(() => expect(left).toEqual([1, 2]), { timeout: 10_000 });
    expect(server.clients.size).toBe(1);
    leave[2]?.abort();
    await untilClients(0);
  });

  it('brings the events of each stream to its own reader, with their ids', async () => {
    answer = ({ id, after }, say) => {
      say({ type: 'opened', id });
      say({ type: 'event', id, eventId: null, data: `first after ${after}` });
      say({ type: 'event', id, eventId: `e${id}`, data: 2 });
      say({ type: 'event', id, eventId: null, data: 3 });
      say({ type: 'end', id });
    };
    const { live } = startPage();
    const [one, two] = await Promise.all([
      live.open(stream('one')),
      live.open(stream('two', { after: 'e0' })),
    ]);
    expect(await readAll(one)).toEqual([
      { id: '', data: 'first after null' },
      { id: 'e1', data: 2 },
      { id: 'e1', data: 3 },
    ]);
    expect((await readAll(two))[0]).toEqual({ id: 'e0', data: 'first after e0' });
  });

  it('rejects a refused subscription with the console’s problem, and ends a stream that fails later', async () => {
    const problem = { code: 'not_found', message: 'There is no such app.', recovery: '' } as const;
    answer = ({ id, after }, say) => {
      if (after !== null) say({ type: 'opened', id });
      say({ type: 'failed', id, problem });
    };
    const { live } = startPage();
    await expect(live.open(stream('gone'))).rejects.toMatchObject({ code: 'not_found' });
    expect(await readAll(await live.open(stream('later', { after: '1' })))).toEqual([]);
  });

  it('rejects as unreachable when nothing answers, and with the reason when there are too many pages', async () => {
    const { live } = startPage();
    server.once('connection', (socket) => {
      const problem = { code: 'too_many', message: 'You have 200 pages open.', recovery: '' } as const;
      socket.send(JSON.stringify({ type: 'refused', problem }), () => socket.close(1013));
    });
    answer = () => {};
    await expect(live.open(stream('one'))).rejects.toMatchObject({ code: 'too_many' });
    await new Promise((resolve) => server.close(resolve));
    await expect(live.open(stream('one'))).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('ends its streams when it is lost, with the code of the close', async () => {
    const { live, connects } = startPage();
    const events = await live.open(stream('one'));
    for (const client of server.clients) client.close(1008);
    expect(await readAll(events)).toEqual([]);
    expect(live.closeCode()).toBe(1008);
    // The socket does not reconnect before a reader asks.
    expect(connects()).toBe(1);
    await live.open(stream('one'));
    expect(connects()).toBe(2);
  });

  it('resumes a dropped stream after the last event seen', async () => {
    answer = ({ id, after }, say) => {
      say({ type: 'opened', id });
      const number = Number(after ?? 0) + 1;
      say({ type: 'event', id, eventId: String(number), data: number });
      if (number < 3) say({ type: 'dropped', id, resumeFrom: String(number) });
      else say({ type: 'end', id });
    };
    const onResumed = vi.fn();
    const { live } = startPage();
    const read = await readAll(await live.open(stream('log', { onResumed })));
    expect(read.map(({ data }) => data)).toEqual([1, 2, 3]);
    expect(asked.map(({ after }) => after)).toEqual([null, '1', '2']);
    expect(onResumed).toHaveBeenCalledTimes(2);
  });

  it('says the page’s messages of an exchange, and never begins an interrupted one again', async () => {
    const said: unknown[] = [];
    server.on('connection', (socket) => socket.on('message', (data) => said.push(JSON.parse(String(data)))));
    const { live, tell } = startPage();
    const { events, say } = await live.exchange(stream('shell'));
    say({ type: 'input' });
    await vi.waitFor(() => expect(said).toContainEqual({ type: 'send', id: 1, data: { type: 'input' } }));
    const read = readAll(events);
    tell('pagehide');
    expect(await read).toEqual([]);
    tell('pageshow');
    await live.open(stream('other'));
    expect(asked.map(({ route }) => route)).toEqual(['shell', 'other']);
    say({ type: 'late' });
    expect(said).not.toContainEqual(expect.objectContaining({ data: { type: 'late' } }));
  });

  it.each([
    ['pagehide', 'pageshow'],
    ['freeze', 'resume'],
  ])('is closed at %s, and its streams resume at %s', async (hide, show) => {
    answer = ({ id }, say) => {
      say({ type: 'opened', id });
      say({ type: 'event', id, eventId: `e${id}`, data: null });
    };
    const onResumed = vi.fn();
    const { live, connects, tell } = startPage();
    const events = (await live.open(stream('one', { onResumed })))[Symbol.asyncIterator]();
    expect((await events.next()).value).toMatchObject({ id: 'e1' });
    tell(hide);
    await untilClients(0);
    // A stream that begins meanwhile waits as well.
    const later = live.open(stream('two'));
    expect(connects()).toBe(1);
    tell(show);
    expect((await events.next()).value).toMatchObject({ id: 'e2' });
    await later;
    expect(onResumed).toHaveBeenCalledTimes(1);
    expect(asked.map(({ route, after }) => `${route} after ${after}`)).toEqual([
      'one after null',
      'one after e1',
      'two after null',
    ]);
    expect([connects(), server.clients.size]).toEqual([2, 1]);
  });

  it('is lost after a minute of silence, and not while the console sends messages', async () => {
    const { live } = startPage();
    const events = await live.open(stream('one'));
    const [client] = server.clients;
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    // The tested socket opens under the clock of the test.
    client?.terminate();
    await readAll(events);
    const again = await live.open(stream('one'));
    const [now] = server.clients;
    for (let beat = 0; beat < 5; beat += 1) {
      vi.advanceTimersByTime(30_000);
      const heard = new Promise((resolve) => now?.once('pong', resolve));
      now?.send('{"type":"beat"}');
      now?.ping();
      await heard;
    }
    expect(server.clients.size).toBe(1);
    vi.advanceTimersByTime(60_000);
    expect(await readAll(again)).toEqual([]);
    expect(live.closeCode()).toBe(1006);
  });

  it('is closed on a console that sends unknown messages', async () => {
    answer = (_ask, _say) => {
      for (const client of server.clients) client.send('{"type":"event","id":1}');
    };
    const { live } = startPage();
    await expect(live.open(stream('one'))).rejects.toMatchObject({ code: 'unavailable' });
    await untilClients(0);
  });

  it('signals a retry when it is open again, when the network is back, and when the page is visible again', async () => {
    const { live, tell, document } = startPage();
    const hoped = vi.fn();
    const stopHoping = live.onHope(hoped);
    tell('online');
    document.visibilityState = 'hidden';
    tell('visibilitychange');
    document.visibilityState = 'visible';
    tell('visibilitychange');
    expect(hoped).toHaveBeenCalledTimes(2);
    await live.open(stream('one'));
    expect(hoped).toHaveBeenCalledTimes(3);
    stopHoping();
    tell('online');
    expect(hoped).toHaveBeenCalledTimes(3);
  });
});
