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
const ofFrame = ['signed-in/server-record', 'signed-in/apps-new', 'signed-in/app-record-record'];
let folder: string;
let fastify: FastifyInstance;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'homeport-page-'));
  for (const part of ['assets', 'signed-out', 'signed-in']) await mkdir(join(folder, part));
  await writeFile(join(folder, 'index.html'), '<title>Homeport</title>');
  for (const name of ['signed-out/login', 'signed-in/home', 'signed-in/other', ...ofFrame])
    await writeFile(join(folder, `${name}.html`), `<title>${name}</title>`);
  await writeFile(join(folder, 'assets/home-a1b2.js'), script);
  await writeFile(join(folder, 'assets/home-a1b2.js.gz'), gzipSync(script));
  await writeFile(join(folder, 'service-worker.js'), script);
  await writeFile(join(folder, 'manifest.webmanifest'), '{}');
  fastify = Fastify();
  addArmour(fastify, 'http://127.0.0.1:7070');
  leadToOrigin(fastify, 'http://127.0.0.1:7070');
  await serveWebPage(fastify, { folder, github: false });
  fastify.get('/api/session', async () => ({ name: 'Ada' }));
});
afterAll(async () => {
  await fastify.close();
  await rm(folder, { recursive: true });
});

const visit = (url: string, headers: Record<string, string> = {}) =>
  fastify.inject({ url, headers: { host: '127.0.0.1:7070', accept: 'text/html', ...headers } });

const cookie = 'theme=x; homeport.session_token=abc.def';

test.each([
  ['/login', {}, 'signed-out/login'],
  ['/login?next=%2Fservers', {}, 'signed-out/login'],
  ['/login', { cookie: 'homeport.session_token=; other=homeport.session_token' }, 'signed-out/login'],
  ['/verify-email', {}, 'Homeport'],
  ['/confirm-email', {}, 'Homeport'],
  ['/', { cookie }, 'signed-in/home'],
  ['/home', { cookie: '__Secure-homeport.session_token=abc.def' }, 'signed-in/home'],
  ['/server/abc', { cookie }, 'signed-in/server-record'],
  ['/server/abc/chart/cpu', { cookie }, 'signed-in/other'],
  ['/app/1/a.b?tab=logs', { cookie }, 'signed-in/app-record-record'],
  ['/apps/new', { cookie }, 'signed-in/apps-new'],
  ['/no/such/page', { cookie }, 'signed-in/other'],
])(
  'answers %s with %j by %s, which the browser requests again each time and for each cookie',
  async (url, headers, title) => {
    const answer = await visit(url, headers);
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toBe(`<title>${title}</title>`);
    expect(answer.headers['cache-control']).toBe('no-cache');
    expect(answer.headers.vary).toContain('cookie');
  },
);

test('answers a page for the signed-out with the empty document when the browser sends a session', async () => {
  expect((await visit('/login', { cookie })).body).toBe('<title>Homeport</title>');
});

test.each([
  ['/', '/login'],
  ['/home', '/login'],
  ['/servers?add=1', '/login?next=%2Fservers%3Fadd%3D1'],
])('redirects %s without a session to %s, not permanently', async (url, location) => {
  const answer = await visit(url);
  expect(answer.statusCode).toBe(302);
  expect(answer.headers).toMatchObject({ location, 'cache-control': 'no-cache', vary: 'cookie' });
});

test('lets browsers keep a file with a hash in its name for good, and sends it compressed', async () => {
  const answer = await visit('/assets/home-a1b2.js', { 'accept-encoding': 'gzip' });
  expect(answer.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-encoding': 'gzip',
    'content-type': expect.stringContaining('javascript'),
  });
  expect((await visit('/assets/home-a1b2.js', { 'accept-encoding': 'identity' })).body).toBe(script);
});

test.each([
  ['/service-worker.js', 'javascript'],
  ['/manifest.webmanifest', 'application/manifest+json'],
])('browsers ask for %s again each time, and get it under the policy', async (url, type) => {
  const answer = await visit(url, { accept: '*/*' });
  expect(answer.headers).toMatchObject({
    'cache-control': 'no-cache',
    'content-type': expect.stringContaining(type),
    'content-security-policy': contentSecurityPolicy,
  });
});

test.each([
  '/assets/gone.js',
  '/api/gone',
  '/monitor/gone',
  // Status pages are switched off, or there is none at this address.
  '/status/our-services',
  '/status/our-services/status.json',
  '/assets/../../package.json',
  '/%2e%2e/package.json',
])('answers %s with 404 and not with the page', async (url) => {
  const answer = await visit(url);
  expect(answer.body).not.toContain('"workspaces"');
  if (!url.includes('..') && !url.includes('%')) expect(answer.statusCode).toBe(404);
});

test.each(['/', '/assets/home-a1b2.js', '/api/session', '/api/gone', '/assets/gone.js'])(
  '%s has the policy that lets no foreign script run',
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
  'redirects a page visit at %s to the one origin, with its path and query',
  async (host) => {
    const answer = await visit('/login?next=%2Fservers', { host });
    expect(answer.statusCode).toBe(307);
    expect(answer.headers.location).toBe('http://127.0.0.1:7070/login?next=%2Fservers');
  },
);

test('answers a request that is no page visit under any name', async () => {
  const answer = await visit('/api/session', { host: 'localhost:7070', accept: 'application/json' });
  expect(answer.json()).toEqual({ name: 'Ada' });
});

test('does not redirect a request line with a whole address to another host', async () => {
  const answer = await visit('//evil.example/x', { host: 'localhost:7070' });
  expect(new URL(String(answer.headers.location)).host).toBe('127.0.0.1:7070');
});
