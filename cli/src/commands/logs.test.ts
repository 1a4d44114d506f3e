import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, expect, it } from 'vitest';
import { answerJson, someToken, startLyingConsole } from '../testing/lying-console.ts';
import { testHome } from '../testing/terminal.ts';

const home = testHome();
afterAll(() => home[Symbol.dispose]());

const app = {
  ...{ id: '6f0c6b0e-1c0b-4c7e-9d4e-2f1f3a0a0a0a', name: 'blog', longname: 'blog', monitorId: 'm' },
  ...{ serverId: '6f0c6b0e-1c0b-4c7e-9d4e-2f1f3a0a0a0b', serverName: 'lantern', domains: [], url: 'blog' },
  ...{ stopped: false, crash: null, startedAt: null, unread: false, missingSince: null },
  deployment: { status: 'never', at: null },
};
const lineOf = (text: string) => ({ type: 'lines', lines: [{ at: 1, process: 'web.1', text }] });
const eventOf = (id: number, data: object) => `id: ${id}\ndata: ${JSON.stringify(data)}\n\n`;

/** Follows a log whose streams are answered in turn, until a text is printed. */
async function follow(
  streams: ((request: IncomingMessage, response: ServerResponse) => void)[],
  until: string,
) {
  const stop = new AbortController();
  const asked: (string | undefined)[] = [];
  let waits = 0;
  await using console = await startLyingConsole((request, response) => {
    const { url = '', headers } = request;
    if (url === '/api/apps') return answerJson(response, [app]);
    if (!url.includes('/logs')) return answerJson(response, {});
    const id = headers['last-event-id'];
    asked.push(Array.isArray(id) ? id[0] : id);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    (streams[asked.length - 1] ?? streams.at(-1))?.(request, response);
  });
  const ran = await home.run(['logs', 'blog', '-f'], {
    env: { HOMEPORT_URL: console.url, HOMEPORT_TOKEN: someToken },
    interrupted: stop.signal,
    onOut: (text) => text.includes(until) && stop.abort(),
    wait: async () => {
      waits += 1;
    },
  });
  return { ...ran, asked, waits };
}

it('goes on behind the last event where the connection to the console breaks in the middle', async () => {
  const { exit, out, asked } = await follow(
    [
      (request, response) => {
        response.write(eventOf(7, lineOf('first')), () => request.socket.destroy());
      },
      (_request, response) => void response.write(eventOf(8, lineOf('second'))),
    ],
    'second',
  );
  expect(exit).toBe(130);
  expect(out.split('\n').map((line) => line.split('\t')[2])).toEqual(['first', 'second', undefined]);
  expect(asked).toEqual([undefined, '7']);
});

it('goes on where the connection breaks before the first line', async () => {
  const { exit, asked } = await follow(
    [
      (request, response) => {
        response.write(`data: ${JSON.stringify({ type: 'empty' })}\n\n`, () => request.socket.destroy());
      },
      (_request, response) => void response.write(eventOf(8, lineOf('second'))),
    ],
    'second',
  );
  expect({ exit, asked }).toEqual({ exit: 130, asked: [undefined, undefined] });
});

it('waits before each stream that ended at once, and ends where the log ends again and again', async () => {
  const ends = (_request: IncomingMessage, response: ServerResponse) =>
    void response.end(eventOf(1, { type: 'ended', reason: null }));
  const { exit, asked, waits } = await follow([ends], 'never');
  expect({ exit, asked: asked.length, waits }).toEqual({ exit: 5, asked: 8, waits: 7 });
});
