/// <reference types="node" />
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Operation } from '@homeport/contract/operations';
import { afterEach, describe, expect, it } from 'vitest';
import { followOperation } from './follow-operation.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A real HTTP server that answers its requests in turn, and what a reader of it was told until the work was over. */
async function follow(...answers: Answer[]) {
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(request.headers['last-event-id'] as string | undefined);
    const answer = answers.shift();
    if (answer) answer(request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => void server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const heard: string[] = [];
  await new Promise<void>((resolve) => {
    const following = followOperation(
      'op-1',
      {
        onState: ({ state }) => heard.push(state),
        onLines: (lines) => heard.push(...lines.map(({ text }) => text)),
        onConnected: () => heard.push('connected'),
        onLost: (attempt, seconds) => {
          heard.push(`lost ${attempt}, next in ${seconds}`);
          if (seconds === null) resolve();
          else following.retryNow();
        },
        onOver: () => {
          heard.push('over');
          resolve();
        },
      },
      (path, init) => fetch(origin + path, init),
    );
    closers.push(following.stop);
  });
  return { heard, asked };
}

const line = (seq: number) => ({ seq, at: 1, step: 's', stream: 'out', text: `line ${seq}` });
const lines = (...seqs: number[]) =>
  `id: ${seqs.at(-1)}\ndata: ${JSON.stringify({ type: 'lines', lines: seqs.map(line) })}\n\n`;
const state = (value: Operation['state'], id: number) =>
  `id: ${id}\ndata: ${JSON.stringify({ type: 'state', operation: { state: value } })}\n\n`;
const head = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/event-stream' });

describe('a followed operation', () => {
  it('tells its lines and ends with its last state', async () => {
    const { heard } = await follow((_request, response) => {
      head(response).end(lines(1, 2) + state('running', 2) + lines(3) + state('succeeded', 3));
    });
    expect(heard).toEqual(['connected', 'line 1', 'line 2', 'running', 'line 3', 'succeeded', 'over']);
  });

  it('goes on after the last line when the connection breaks, and repeats none', async () => {
    const { heard, asked } = await follow(
      (_request, response) => {
        head(response).write(lines(1, 2), () => response.destroy());
      },
      (_request, response) => head(response).end(lines(2, 3) + state('failed', 3)),
    );
    expect(asked).toEqual([undefined, '2']);
    expect(heard).toEqual([
      'connected',
      'line 1',
      'line 2',
      'lost 1, next in 1',
      'connected',
      'line 3',
      'failed',
      'over',
    ]);
  });

  it('waits longer each time and gives up after the fifth', async () => {
    const broken: Answer = (_request, response) => void response.writeHead(503).end();
    const { heard } = await follow(broken, broken, broken, broken, broken, broken);
    expect(heard).toEqual([
      ...[1, 2, 4, 8, 15].map((seconds, index) => `lost ${index + 1}, next in ${seconds}`),
      'lost 5, next in null',
    ]);
  });

  it('does not ask again for what it may not read', async () => {
    expect((await follow()).heard).toEqual(['lost 1, next in null']);
  });

  it('reads events that the network cut anywhere', async () => {
    const { heard } = await follow((_request, response) => {
      head(response);
      const bytes = Buffer.from(`: hello\n\n${lines(1)}${state('succeeded', 1)}`.replace('line 1', 'läne 1'));
      const send = (at: number) =>
        at < bytes.length
          ? response.write(bytes.subarray(at, at + 1), () => setImmediate(() => send(at + 1)))
          : response.end();
      send(0);
    });
    expect(heard).toEqual(['connected', 'läne 1', 'succeeded', 'over']);
  });
});
