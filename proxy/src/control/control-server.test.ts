import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { request } from '../testing/raw-request.ts';
import { listen } from '../testing/start-plane.ts';
import { createControlServer } from './control-server.ts';

const state = { version: 41, sites: 2, store: 'reached' as const, since: 1, processes: 1 };
const purges: string[] = [];
let now = 0;
const server = createControlServer({
  clock: () => now,
  token: 'secret',
  allows: (domain) => domain === 'ok.test',
  state: () => state,
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

  it('refuses what it cannot read', async () => {
    expect((await post('/system/cache/purge', { startsWith: 'ok.test' })).status).toBe(400);
    expect((await post('/system/cache/purge', 'x'.repeat(10_000))).status).toBe(400);
    expect((await fetch(`${origin}/system/reload`)).status).toBe(404);
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
