import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { request as requestHttps } from 'node:https';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createControlServer } from './control/control-server.ts';
import { readCertificate } from './ownership/read-certificate.ts';
import { request } from './testing/raw-request.ts';
import {
  listen,
  startPlane,
  startUpstream,
  type TestPlane,
  type TestUpstream,
} from './testing/start-plane.ts';
import { createGate } from './upstream/gate.ts';

vi.setConfig({ testTimeout: 30_000 });

const guide = fileURLToPath(new URL('../../docs/proxy-operator.md', import.meta.url));
const domain = 'shop.test';

let upstream: TestUpstream;
let plane: TestPlane;
let caddy: ChildProcess;
let folder: string;
let issuer: string;
let httpsPort: number;
let httpPort: number;
const questions: string[] = [];
const control = createControlServer({
  token: 'secret',
  allows: (name) => {
    questions.push(name);
    return plane.table.find(name) !== null;
  },
  state: () => ({ version: 1, sites: 1, store: 'reached', since: 1, processes: 1 }),
  reload: async () => ({ version: 1, sites: 1, store: 'reached', since: 1, processes: 1 }),
  purge: async () => 0,
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'homeport-front-'));
  upstream = await startUpstream((req, res) =>
    res
      .setHeader('x-seen', req.headers['x-forwarded-for'] ?? '')
      .end(`${req.headers['x-forwarded-proto']} ${req.url}`),
  );
  plane = await startPlane({}, { trusted: ['127.0.0.1'] });
  plane.put(domain, upstream.origin, [{ path: '/blog', type: 'subdirectory', target: upstream.origin }]);
  const controlPort = await listen(control);
  [httpsPort, httpPort] = [await freePort(), await freePort()];
  await writeFile(join(folder, 'Caddyfile'), await caddyfile({ control: controlPort, plane: plane.port }));
  caddy = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')], {
    stdio: ['ignore', 'ignore', 'pipe'],
    // Caddy keeps its keys here, and nothing in the home folder.
    env: { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  });
  let said = '';
  caddy.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = `${said}${text}`.slice(-20_000);
  });
  const authority = join(folder, 'caddy/pki/authorities/local/root.crt');
  issuer = await vi.waitFor(
    async () => {
      const text = await readFile(authority, 'utf8').catch(() => said);
      expect(text).toContain('BEGIN CERTIFICATE');
      expect(await answers(httpsPort)).toBe(true);
      return text;
    },
    { timeout: 20_000 },
  );
}, 60_000);

afterAll(async () => {
  if (caddy.exitCode === null && caddy.pid !== undefined) {
    const ended = once(caddy, 'exit');
    caddy.kill('SIGTERM');
    await ended;
  }
  control.closeAllConnections();
  await new Promise((resolve) => control.close(resolve));
  await plane.close();
  await upstream.close();
  await rm(folder, { recursive: true, force: true });
});

/** The operator's Caddyfile with this test's ports, on the loopback, with Caddy's own issuer. */
async function caddyfile(ports: { control: number; plane: number }): Promise<string> {
  const shown = /```caddyfile\n([\s\S]*?)```/.exec(await readFile(guide, 'utf8'))?.[1] ?? '';
  expect(shown).toContain('127.0.0.1:7081');
  const own = `{\n\thttp_port ${httpPort}\n\thttps_port ${httpsPort}\n\tlocal_certs\n\tskip_install_trust\n\tdefault_bind 127.0.0.1\n`;
  return shown
    .replace(/^\{\n/, own)
    .replaceAll('127.0.0.1:7081', `127.0.0.1:${ports.control}`)
    .replaceAll('127.0.0.1:7080', `127.0.0.1:${ports.plane}`);
}

it('a page comes by HTTP/1.1 over TLS with a certificate for its domain', async () => {
  const asked = requestHttps({
    ...{ host: '127.0.0.1', port: httpsPort, servername: domain, ca: issuer, path: '/blog/a?b=%2F' },
    headers: { host: domain, 'x-forwarded-for': '203.0.113.9' },
  }).end();
  const [answer] = await once(asked, 'response');
  let body = '';
  for await (const chunk of answer) body += String(chunk);
  expect(body).toBe('https /a?b=%2F');
  // What the visitor claims to be is dropped by the front.
  expect(answer.headers['x-seen']).toBe('127.0.0.1');
});

it('a page comes by HTTP/2, several at a time over one connection', async () => {
  const session = connectHttp2(`https://127.0.0.1:${httpsPort}`, { servername: domain, ca: issuer });
  const bodies = await Promise.all(
    ['/blog/one', '/blog/two', '/three'].map(async (path) => {
      const stream = session.request({ ':path': path, ':authority': domain });
      let body = '';
      for await (const chunk of stream) body += String(chunk);
      return body;
    }),
  );
  expect(session.alpnProtocol).toBe('h2');
  expect(bodies).toEqual(['https /one', 'https /two', 'https /three']);
  session.close();
});

it('the plane reads the certificate that visitors of a domain are shown', async () => {
  const gate = createGate(
    { allowPrivate: ['127.0.0.0/8'], own: { ports: [], names: [] } },
    // Every name of this test is this machine.
    (_name, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
  );
  const read = readCertificate(gate, httpsPort);
  const shown = await read(domain);
  expect(shown).toMatchObject({ fingerprint: expect.stringMatching(/^[0-9A-F]{64}$/) });
  expect(shown?.validFrom).toBeLessThan(Date.now());
  expect(shown?.validTo).toBeGreaterThan(Date.now());
  expect(await read('unknown.test')).toBeNull();
  const guarded = createGate({ allowPrivate: [], own: { ports: [], names: [] } });
  expect(await readCertificate(guarded, httpsPort)('localhost')).toBeNull();
});

it('an unknown domain gets no certificate', async () => {
  const socket = connectTls({ host: '127.0.0.1', port: httpsPort, servername: 'unknown.test', ca: issuer });
  const [error] = await once(socket, 'error');
  expect(error.code).toMatch(/^ERR_SSL_.*ALERT_INTERNAL_ERROR$/);
  expect(questions).toContain('unknown.test');
});

it('another domain over the connection of an allowed one gets no answer of a website', async () => {
  const asked = requestHttps({
    ...{ host: '127.0.0.1', port: httpsPort, servername: domain, ca: issuer, path: '/' },
    headers: { host: 'unknown.test' },
  }).end();
  const [answer] = await once(asked, 'response');
  expect(answer.statusCode).toBe(421);
  answer.resume();
});

it('a website with a certificate that nobody vouches for is told as such', async () => {
  const guarded = await startPlane(
    {},
    { resolve: (_name, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]) },
  );
  guarded.put('example.test', `https://${domain}:${httpsPort}`);
  expect(await request(guarded.port, 'GET /')).toMatchObject({ status: 502, body: 'certificate\n' });
  await guarded.close();
});

it('http leads to https, and the check of a domain is answered over http', async () => {
  const led = await request(httpPort, 'GET /blog/a?b', [`Host: ${domain}`]);
  expect(led).toMatchObject({ status: 308 });
  expect(led.headers.get('location')).toEqual([`https://${domain}/blog/a?b`]);
  const nonce = 'a'.repeat(32);
  const checked = await request(httpPort, `GET /.well-known/homeport/${nonce}`, ['Host: waiting.test']);
  expect(checked).toMatchObject({ status: 200, body: expect.stringMatching(/^[0-9a-f]{64}\n$/) });
});

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function answers(port: number): Promise<boolean> {
  const socket: Socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
