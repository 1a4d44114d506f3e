import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAnswer, request } from '../testing/raw-request.ts';
import { listen } from '../testing/start-plane.ts';
import { createControlServer } from './control-server.ts';

const state = { version: 41, sites: 2, store: 'reached' as const, since: 1, processes: 1 };
const purges: string[] = [];
let now = 0;
let isReleased = false;
const server = createControlServer({
  clock: () => now,
  token: 'secret',
  allows: (domain) => domain === 'ok.test',
  state: () => state,
  release: () => isReleased,
  reload: async () => state,
  purge: async (startsWith) => {
    if (!startsWith.includes('://')) return null;
    purges.push(startsWith);
    return 3;
  },
});
let origin: string;
beforeAll(async () => {
  origin = `http://127.0.0.1:${await listen(server)}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const bearer = { authorization: 'Bearer secret' };
const post = (path: string, body: unknown, headers: Record<string, string> = bearer) =>
  fetch(origin + path, { method: 'POST', headers, body: JSON.stringify(body) });

describe('the control listener', () => {
  it('tells a front which domains may have a certificate', async () => {
    expect((await fetch(`${origin}/system/tls/allowed?domain=OK.test`)).status).toBe(200);
    expect((await fetch(`${origin}/system/tls/allowed?domain=no.test`)).status).toBe(404);
    expect((await fetch(`${origin}/system/tls/allowed`)).status).toBe(404);
  });

  it('reloads and purges with the service token only', async () => {
    expect((await post('/system/reload', {}, {})).status).toBe(401);
    expect((await post('/system/reload', {}, { authorization: 'Bearer guess1' })).status).toBe(401);
    expect(await (await post('/system/reload', {})).json()).toEqual(state);
    expect(await (await post('/system/cache/purge', { startsWith: 'https://ok.test/' })).json()).toEqual({
      purged: 3,
    });
    expect(purges).toEqual(['https://ok.test/']);
  });

  it('purges no domain that is not served', async () => {
    const before = purges.length;
    for (const startsWith of ['https://no.test/', 'https://ok.test.evil.test/', 'http://no.test:80/'])
      expect((await post('/system/cache/purge', { startsWith })).status).toBe(404);
    expect(purges).toHaveLength(before);
    for (const startsWith of ['http://OK.test', 'http://ok.test.:7080/a'])
      expect((await post('/system/cache/purge', { startsWith })).status).toBe(200);
  });

  it('refuses what it cannot read', async () => {
    expect((await post('/system/cache/purge', { startsWith: 'ok.test' })).status).toBe(400);
    expect((await post('/system/cache/purge', 'x'.repeat(10_000))).status).toBe(400);
    expect((await fetch(`${origin}/system/reload`)).status).toBe(404);
  });

  it.each([
    ['a purge that is too long', '/system/cache/purge', 'Bearer secret', 400],
    ['a reload, which needs no body', '/system/reload', 'Bearer secret', 200],
    ['a stranger', '/system/cache/purge', 'Bearer guess1', 401],
  ])(
    'answers %s before its body ends, takes the rest, and then closes',
    async (_what, path, token, status) => {
      const body = 'x'.repeat(900_000);
      const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${token}\r\n`;
      const socket = connect(Number(new URL(origin).port), '127.0.0.1').setEncoding('latin1');
      let text = '';
      socket.on('data', (chunk: string) => {
        text += chunk;
      });
      const ended = once(socket, 'end');
      socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body.slice(0, 6_000)}`);
      await expect.poll(() => text).toMatch(/\r\n\r\n\{.*\}$/);
      expect(readAnswer(text)).toMatchObject({ status });
      expect(text).toMatch(/\r\nconnection: close\r\n/i);
      // A connection that is reset fails here, and takes an answer away that was not read yet.
      for (let at = 6_000; at < body.length; at += 50_000)
        await new Promise<void>((resolve, reject) =>
          socket.write(body.slice(at, at + 50_000), (error) => (error ? reject(error) : resolve())),
        );
      await ended;
    },
  );

  it('takes no body without end', async () => {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    socket.on('error', () => undefined).resume();
    socket.write('POST /system/reload HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer secret\r\n');
    socket.write('Transfer-Encoding: chunked\r\n\r\n');
    let sent = 0;
    const more = () => {
      sent += 1;
      if (socket.writable) socket.write(`10000\r\n${'x'.repeat(0x1_00_00)}\r\n`, more);
    };
    more();
    await new Promise<void>((resolve) => socket.once('close', () => resolve()));
    expect(sent).toBeLessThan(1_000);
  });

  it('waits a short time only for the rest of a body', async () => {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1').setEncoding('latin1');
    socket.write('POST /system/reload HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer secret\r\n');
    socket.write('Content-Length: 9\r\n\r\n{');
    const [text] = await once(socket, 'data');
    expect(readAnswer(text).status).toBe(200);
    await once(socket, 'close');
  });

  it('gives the ports up for the service token only, and not while a console runs', async () => {
    expect((await post('/system/release', undefined, {})).status).toBe(401);
    expect((await post('/system/release', undefined)).status).toBe(409);
    isReleased = true;
    expect((await post('/system/release', undefined)).status).toBe(200);
  });

  it('counts the names that are not served, and answers for those that are', async () => {
    now = 60_000;
    const statuses: number[] = [];
    for (let index = 0; index < 601; index += 1)
      statuses.push((await fetch(`${origin}/system/tls/allowed?domain=n${index}.test`)).status);
    expect(statuses.slice(0, 600).every((status) => status === 404)).toBe(true);
    expect(statuses[600]).toBe(429);
    expect((await fetch(`${origin}/system/tls/allowed?domain=ok.test`)).status).toBe(200);
    now = 120_000;
    expect((await fetch(`${origin}/system/tls/allowed?domain=n.test`)).status).toBe(404);
  });

  it('answers no web page: neither under a name that points here, nor from another origin', async () => {
    const port = Number(new URL(origin).port);
    const ask = async (headers: string[]) => (await request(port, 'GET /healthz', headers)).status;
    expect(await ask([`Host: rebound.test:${port}`])).toBe(403);
    expect(await ask([`Host: 127.0.0.1:${port}`, 'Origin: https://evil.test'])).toBe(403);
    expect(await ask([`Host: 127.0.0.1:${port}`, 'Sec-Fetch-Site: cross-site'])).toBe(403);
    expect(await ask([`Host: 127.0.0.1:${port}`])).toBe(200);
    expect(await ask([`Host: localhost:${port}`])).toBe(200);
  });
});
