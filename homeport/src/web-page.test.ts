import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addArmour, contentSecurityPolicy } from './armour.ts';
import { leadToOrigin } from './canonical-origin.ts';
import { serveWebPage } from './web-page.ts';

const script = 'console.log("home")';
let folder: string;
let fastify: FastifyInstance;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'homeport-page-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), '<title>Homeport</title>');
  await writeFile(join(folder, 'assets/home-a1b2.js'), script);
  await writeFile(join(folder, 'assets/home-a1b2.js.gz'), gzipSync(script));
  fastify = Fastify();
  addArmour(fastify, 'http://127.0.0.1:7070');
  leadToOrigin(fastify, 'http://127.0.0.1:7070');
  await serveWebPage(fastify, folder);
  fastify.get('/api/session', async () => ({ name: 'Ada' }));
});
afterAll(async () => {
  await fastify.close();
  await rm(folder, { recursive: true });
});

const visit = (url: string, headers: Record<string, string> = {}) =>
  fastify.inject({ url, headers: { host: '127.0.0.1:7070', accept: 'text/html', ...headers } });

test.each(['/', '/index.html', '/login', '/server/abc', '/app/1/a.b?tab=logs', '/no/such/page'])(
  '%s is the page, asked for anew each time',
  async (url) => {
    const answer = await visit(url);
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toBe('<title>Homeport</title>');
    expect(answer.headers['cache-control']).toBe('no-cache');
  },
);

test('a file with its hash in its name is kept for good and sent compressed', async () => {
  const answer = await visit('/assets/home-a1b2.js', { 'accept-encoding': 'gzip' });
  expect(answer.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-encoding': 'gzip',
    'content-type': expect.stringContaining('javascript'),
  });
  expect((await visit('/assets/home-a1b2.js', { 'accept-encoding': 'identity' })).body).toBe(script);
});

test.each([
  '/assets/gone.js',
  '/api/gone',
  '/monitor/gone',
  '/assets/../../package.json',
  '/%2e%2e/package.json',
])('%s is not there, and not the page either', async (url) => {
  const answer = await visit(url);
  expect(answer.body).not.toContain('"workspaces"');
  if (!url.includes('..') && !url.includes('%')) expect(answer.statusCode).toBe(404);
});

test.each(['/', '/assets/home-a1b2.js', '/api/session', '/api/gone', '/assets/gone.js'])(
  '%s carries the policy that lets no foreign script run',
  async (url) => {
    expect((await visit(url)).headers).toMatchObject({
      'content-security-policy': contentSecurityPolicy,
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
  },
);

test('the policy allows no inline script or style, no evaluation and no other origin', () => {
  expect(contentSecurityPolicy).not.toMatch(/unsafe|https?:|data:|\*/);
});

test.each(['localhost:7070', '[::1]:7070', 'console.example.com'])(
  'a page visit at %s is led to the one origin, with its path and query',
  async (host) => {
    const answer = await visit('/login?next=%2Fservers', { host });
    expect(answer.statusCode).toBe(307);
    expect(answer.headers.location).toBe('http://127.0.0.1:7070/login?next=%2Fservers');
  },
);

test('what is no page visit is answered under any name', async () => {
  const answer = await visit('/api/session', { host: 'localhost:7070', accept: 'application/json' });
  expect(answer.json()).toEqual({ name: 'Ada' });
});

test('a request line that holds a whole address leads nowhere else', async () => {
  const answer = await visit('//evil.example/x', { host: 'localhost:7070' });
  expect(new URL(String(answer.headers.location)).host).toBe('127.0.0.1:7070');
});
