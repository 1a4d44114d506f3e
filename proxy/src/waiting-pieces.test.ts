import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { planeLimits } from './limits.ts';
import { startPlane, startUpstream, type TestPlane } from './testing/start-plane.ts';

// Every piece of every body waits for a later turn of the loop: nothing is lost, doubled or out of its order.

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const host = 'example.test';
/** And whenever something waits, no connection is read on. */
const everythingWaits = { turnMs: 0, turnBytes: 1 };
const large = randomBytes(3 * 1024 * 1024);
const sumOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

async function plane(limits: { turnMs: number; turnBytes?: number }): Promise<TestPlane> {
  const started = await startPlane(limits);
  closing.push(() => started.close());
  return started;
}

async function upstream(...args: Parameters<typeof startUpstream>) {
  const started = await startUpstream(...args);
  closing.push(() => started.close());
  return started;
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** @param length whether the body's length is told; else it comes in chunks */
async function ask(port: number, path: string, body?: Buffer, length = true): Promise<Buffer> {
  const headers = { host, ...(body && length ? { 'content-length': body.length } : {}) };
  const asked = request({ port, host: '127.0.0.1', path, method: body ? 'POST' : 'GET', headers });
  asked.end(body);
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  return bodyOf(answer);
}

it('bodies arrive whole, in both directions, with their length and in chunks', async () => {
  const echo = await upstream(async (req, res) => void res.end(await bodyOf(req)));
  const { port, put } = await plane(everythingWaits);
  put(host, echo.origin);
  const answers = [true, false].map((length) => ask(port, '/', large, length));
  for (const answer of await Promise.all(answers)) expect(sumOf(answer)).toBe(sumOf(large));
});

it.each([
  ['as it is', (page: Buffer) => page, {}],
  ['compressed', gzipSync, { 'content-encoding': 'gzip' }],
])('a page with links that comes %s is changed as ever', async (_what, code, headers) => {
  const page = Buffer.from(`<html><head></head>${'<a href="/part/x">a</a>\n'.repeat(20_000)}</html>`);
  const website = await upstream((_req, res) => {
    res.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(code(page));
  });
  const rule = {
    path: '/blog',
    type: 'subdirectory' as const,
    target: website.origin,
    injection: '<i>1</i>',
  };
  const pages = [everythingWaits, { turnMs: planeLimits.turnMs }].map(async (limits) => {
    const { port, put } = await plane(limits);
    put(host, website.origin, [rule]);
    return String(await ask(port, '/blog/'));
  });
  const [waited, expected] = await Promise.all(pages);
  expect(waited?.length).toBeGreaterThan(page.length);
  expect(waited).toBe(expected);
});

it('a WebSocket carries its messages both ways, and its end after them', async () => {
  const website = await upstream((_req, res) => void res.end());
  const sockets = new WebSocketServer({ server: website.server });
  sockets.on('connection', (socket) => {
    socket.on('message', (message: Buffer) => {
      socket.send(message);
      socket.send('the last', () => socket.close(1000, 'done'));
    });
  });
  const { port, put } = await plane(everythingWaits);
  put(host, website.origin);
  const visitor = new WebSocket(`ws://127.0.0.1:${port}/`, { headers: { host } });
  const messages: Buffer[] = [];
  visitor.on('message', (message: Buffer) => messages.push(message));
  visitor.once('open', () => visitor.send(large));
  const [code, reason] = (await once(visitor, 'close')) as [number, Buffer];
  expect(messages.map(sumOf)).toEqual([large, Buffer.from('the last')].map(sumOf));
  expect([code, String(reason)]).toEqual([1000, 'done']);
});
