import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect as connectHttp2 } from 'node:http2';
import { request as requestHttps } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { promisify } from 'node:util';
import { freePort } from '@homeport/contract/testing';
import { Agent, EventSource } from 'undici';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { createControlServer } from './control/control-server.ts';
import { readCertificate } from './ownership/read-certificate.ts';
import { request } from './testing/raw-request.ts';
import { type Caddy, guideCaddyfiles, runCaddy } from './testing/run-caddy.ts';
import {
  listen,
  startPlane,
  startUpstream,
  type TestPlane,
  type TestUpstream,
} from './testing/start-plane.ts';
import { createGate } from './upstream/gate.ts';

vi.setConfig({ testTimeout: 30_000 });

const domain = 'shop.test';

let upstream: TestUpstream;
let plane: TestPlane;
let caddy: Caddy;
let folder: string;
let issuer: string;
let httpsPort: number;
let httpPort: number;
let controlPort: number;
const questions: string[] = [];
const sockets = new WebSocketServer({ noServer: true });
const control = createControlServer({
  token: 'secret',
  allows: (name) => {
    questions.push(name);
    return plane.table.find(name) !== null;
  },
  state: () => ({ version: 1, sites: 1, store: 'reached', since: 1, processes: 1 }),
  release: () => false,
  reload: async () => ({ version: 1, sites: 1, store: 'reached', since: 1, processes: 1 }),
  purge: async () => 0,
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'homeport-front-'));
  upstream = await startUpstream((req, res) => {
    if (req.url === '/events') {
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      res.write('data: one\n\n');
      return;
    }
    res.setHeader('x-seen', req.headers['x-forwarded-for'] ?? '');
    req.resume().once('end', () => res.end(`${req.headers['x-forwarded-proto']} ${req.url}`));
  });
  upstream.server.on('upgrade', (req, socket, head) =>
    sockets.handleUpgrade(req, socket, head, (client) => client.on('message', (data) => client.send(data))),
  );
  plane = await startPlane({}, { trusted: ['127.0.0.1'] });
  plane.put(domain, upstream.origin, [{ path: '/blog', type: 'subdirectory', target: upstream.origin }]);
  controlPort = await listen(control);
  [httpsPort, httpPort] = [await freePort(), await freePort()];
  issuer = await startCaddy();
}, 60_000);

/** Resolves with the issuer's certificate when Caddy answers. */
async function startCaddy(): Promise<string> {
  caddy = await runCaddy(folder, await caddyfile(), { port: httpsPort });
  const authority = join(folder, 'caddy/pki/authorities/local/root.crt');
  return vi.waitFor(
    async () => {
      const text = await readFile(authority, 'utf8');
      expect(text).toContain('BEGIN CERTIFICATE');
      return text;
    },
    { timeout: 20_000 },
  );
}

afterAll(async () => {
  await caddy.stop();
  control.closeAllConnections();
  await new Promise((resolve) => control.close(resolve));
  sockets.close();
  await plane.close();
  await upstream.close();
  await rm(folder, { recursive: true, force: true });
});

/** The operator's Caddyfile with this test's ports, on the loopback, with Caddy's own issuer. */
async function caddyfile(): Promise<string> {
  const [shown = ''] = await guideCaddyfiles();
  expect(shown).toContain('127.0.0.1:7081');
  const own = `{\n\thttp_port ${httpPort}\n\thttps_port ${httpsPort}\n\tlocal_certs\n\tskip_install_trust\n\tdefault_bind 127.0.0.1\n`;
  return shown
    .replace(/^\{\n/, own)
    .replaceAll('127.0.0.1:7081', `127.0.0.1:${controlPort}`)
    .replaceAll('127.0.0.1:7080', `127.0.0.1:${plane.port}`);
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

describe('an independent client', () => {
  const run = promisify(execFile);
  const root = () => join(folder, 'caddy/pki/authorities/local/root.crt');

  it.each(['--http1.1', '--http2'])('curl %s gets a page, and sends a body', async (version) => {
    const to = [
      '--resolve',
      `${domain}:${httpsPort}:127.0.0.1`,
      '--cacert',
      root(),
      '--silent',
      '--show-error',
    ];
    const url = `https://${domain}:${httpsPort}/blog/a?b`;
    expect((await run('curl', [version, ...to, url])).stdout).toBe('https /a?b');
    const sent = ['--data-binary', 'x'.repeat(50_000), '--write-out', ' %{http_code}'];
    expect((await run('curl', [version, ...to, ...sent, url])).stdout).toBe('https /a?b 200');
  });

  it('h2load gets every answer, over a few connections of HTTP/2', async () => {
    const to = `--connect-to=127.0.0.1:${httpsPort}`;
    const many = ['-n', '2000', '-c', '4', '-m', '25'];
    const { stdout } = await run('h2load', [...many, to, `https://${domain}/blog/a`]);
    expect(stdout).toContain('2000 succeeded, 0 failed, 0 errored, 0 timeout');
    expect(stdout).toContain('status codes: 2000 2xx');
  });

  it('a WebSocket carries messages both ways', async () => {
    const client = new WebSocket(`wss://127.0.0.1:${httpsPort}/blog/ws`, {
      ...{ ca: issuer, servername: domain },
      headers: { host: domain },
    });
    await once(client, 'open');
    client.send('over TLS');
    const [answer] = await once(client, 'message');
    expect(String(answer)).toBe('over TLS');
    client.close();
    await once(client, 'close');
  });

  it('an EventSource hears events at once', async () => {
    const dispatcher = new Agent({
      connect: {
        ca: issuer,
        servername: domain,
        lookup: (_name, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
      },
    });
    const events = new EventSource(`https://${domain}:${httpsPort}/blog/events`, { dispatcher });
    const heard = await new Promise<string>((resolve) => {
      events.onmessage = ({ data }) => resolve(String(data));
    });
    expect(heard).toBe('one');
    events.close();
    await dispatcher.destroy();
  });
});

it('no malformed request reaches a website as another one, and the next visitor is answered', async () => {
  const before = upstream.seen.length;
  for (const bytes of malformed(domain)) {
    const socket = connectTls({ host: '127.0.0.1', port: httpsPort, servername: domain, ca: issuer });
    let text = '';
    socket
      .on('error', () => undefined)
      .setEncoding('latin1')
      .on('data', (chunk: string) => {
        text += chunk;
      });
    await once(socket, 'secureConnect');
    socket.write(bytes, 'latin1');
    // A second request follows on the connection. Whoever took a part of the first one for a request shows it here.
    socket.write(`GET /follows HTTP/1.1\r\nHost: ${domain}\r\nConnection: close\r\n\r\n`);
    await expect
      .poll(() => socket.closed || text.includes('/follows'), {
        message: JSON.stringify(bytes.slice(0, 200)),
      })
      .toBe(true);
    socket.destroy();
  }
  const urls = upstream.seen.slice(before).map(({ url }) => url ?? '');
  expect(urls.filter((url) => url.includes('smuggled'))).toEqual([]);
  const asked = requestHttps({
    ...{ host: '127.0.0.1', port: httpsPort, servername: domain, ca: issuer, path: '/after' },
    headers: { host: domain },
  }).end();
  const [answer] = await once(asked, 'response');
  expect(answer.statusCode).toBe(200);
  answer.resume();
});

/** The 34 requests of the protocol armour. A body that one program reads and another does not would be a request for `/smuggled`. */
function malformed(host: string): string[] {
  const named = `Host: ${host}\r\n`;
  const post = (headers: string, body = '') => `POST /e HTTP/1.1\r\n${named}${headers}\r\n\r\n${body}`;
  const get = (path: string, headers = named, version = 'HTTP/1.1') =>
    `GET ${path} ${version}\r\n${headers}\r\n`;
  const hidden = 'GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n';
  const chunked = 'Transfer-Encoding: chunked';
  return [
    post(`Content-Length: 3\r\n${chunked}`, `0\r\n\r\n${hidden}`),
    post(`${chunked}\r\nContent-Length: ${hidden.length}`, hidden),
    post(`Content-Length: 3\r\nContent-Length: 3`, `abc${hidden}`),
    post(`Content-Length: 0\r\nContent-Length: ${hidden.length}`, hidden),
    post('Content-Length: +3', `abc${hidden}`),
    post('Content-Length: 3, 3', `abc${hidden}`),
    post('Content-Length: 0x3', `abc${hidden}`),
    post('Content-Length: -1', hidden),
    post(`${chunked}\r\n${chunked}`, `0\r\n\r\n${hidden}`),
    post('Transfer-Encoding : chunked', `0\r\n\r\n${hidden}`),
    post('Transfer-Encoding: \x0bchunked', `0\r\n\r\n${hidden}`),
    post('Transfer-Encoding: gzip, chunked', `0\r\n\r\n${hidden}`),
    post('Transfer-Encoding: xchunked', `0\r\n\r\n${hidden}`),
    post('Transfer-Encoding:\r\n chunked', `0\r\n\r\n${hidden}`),
    `POST /e HTTP/1.0\r\n${named}${chunked}\r\n\r\n0\r\n\r\n${hidden}`,
    post(chunked, `0x3\r\nabc\r\n0\r\n\r\n${hidden}`),
    post(chunked, `+3\r\nabc\r\n0\r\n\r\n${hidden}`),
    post(chunked, `3\nabc\n0\n\n${hidden}`),
    post(chunked, `ffffffffffffffff1\r\n${hidden}`),
    post(chunked, `3;a\x00b\r\nabc\r\n0\r\n\r\n${hidden}`),
    get('/x', `${named}X: a\r\n b\r\n`),
    `GET /x HTTP/1.1\n${named.replace('\r', '')}\n`,
    `GET /x HTTP/1.1\r${named}\r\r`,
    get('/x', `${named}X\x00Y: 1\r\n`),
    get('/x', `${named}X Y: 1\r\n`),
    get('/x', `${named}: 1\r\n`),
    get('/x', `${named}${named}`),
    get('/x', ''),
    get('/x#f'),
    get('/x', named, 'HTTP/1.2'),
    get('/x', named, 'HTTP/2.0'),
    get('http://else.test/x'),
    get('/x', `${named}${'X: 1\r\n'.repeat(1_500)}`),
    `TRACE /x HTTP/1.1\r\n${named}\r\n`,
  ];
}

it('a kill of the front under load costs what was under way there, and its new start has the certificate that it had', async () => {
  const shown = async () => {
    const socket = connectTls({ host: '127.0.0.1', port: httpsPort, servername: domain, ca: issuer });
    await once(socket, 'secureConnect');
    const { fingerprint256 } = socket.getPeerCertificate();
    socket.destroy();
    return fingerprint256;
  };
  const before = await shown();
  let isOver = false;
  /** Visitors in turn. Each tells the statuses that it got; 0: no answer. */
  const visitors = (ask: () => Promise<number>) =>
    Array.from({ length: 8 }, async () => {
      const statuses: number[] = [];
      while (!isOver) {
        statuses.push(await ask().catch(() => 0));
        await new Promise(setImmediate);
      }
      return statuses;
    });
  let throughFront = 0;
  const front = visitors(async () => {
    const to = { host: '127.0.0.1', port: httpsPort, servername: domain, ca: issuer, agent: false as const };
    const asked = requestHttps({ ...to, path: '/blog/a', headers: { host: domain } }).end();
    const [answer] = await once(asked, 'response');
    await once(answer.resume(), 'end');
    throughFront += 1;
    return answer.statusCode;
  });
  // Whoever reaches the plane itself is answered meanwhile.
  const direct = visitors(async () => (await request(plane.port, 'GET /x', [`Host: ${domain}`])).status);
  await expect.poll(() => throughFront).toBeGreaterThan(50);
  const ended = once(caddy.process, 'exit');
  caddy.process.kill('SIGKILL');
  await ended;
  issuer = await startCaddy();
  const since = throughFront;
  await expect.poll(() => throughFront).toBeGreaterThan(since + 50);
  isOver = true;
  expect(new Set((await Promise.all(direct)).flat())).toEqual(new Set([200]));
  for (const statuses of await Promise.all(front)) {
    // The answers end once, and begin once.
    expect(statuses.filter((status, index) => status !== statuses[index - 1])).toEqual([200, 0, 200]);
  }
  expect(await shown()).toBe(before);
});
