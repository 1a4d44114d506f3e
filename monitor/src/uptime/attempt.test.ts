import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createSecureContext } from 'node:tls';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { makeCertificate } from '../../testing/certificates.ts';
import { startRawServer, startWebServer } from '../../testing/web-server.ts';
import { attempt } from './attempt.ts';
import { createCheckGate } from './check-gate.ts';
import type { Reach } from './request-once.ts';
import { type Ask, createResolver } from './resolver.ts';

const now = Date.now();
const dayMs = 86_400_000;
const authority = makeCertificate({});
const nowhere: Ask = () => Promise.reject(Object.assign(new Error('none'), { code: 'ENOTFOUND' }));

function reachWith({
  allowed = ['127.0.0.1/32'],
  ask = nowhere,
  deadlineMs = 10_000,
}: {
  allowed?: string[];
  ask?: Ask;
  deadlineMs?: number;
} = {}): Reach {
  return {
    gate: createCheckGate({ allowedNetworks: allowed, consolePorts: [] }, createResolver(Date.now, ask)),
    trusted: createSecureContext({ ca: [authority.cert] }),
    deadlineMs,
  };
}

const check = (url: string, reach = reachWith()) => attempt(url, reach, now);

afterEach(() => {
  vi.useRealTimers();
});

/** A moment that a test waits for. */
function moment() {
  let come = () => {};
  const came = new Promise<void>((resolve) => {
    come = resolve;
  });
  return { came, come };
}

describe('a good answer', () => {
  test('has its status, its size and every phase', async () => {
    await using web = await startWebServer((_request, response) => response.end('hello'));
    const found = await check(`http://shop.localhost:${web.port}/health?full=1`);
    expect(found).toMatchObject({
      status: 200,
      failure: null,
      address: '127.0.0.1',
      redirects: 0,
      bytes: 5,
      truncated: false,
      certificate: null,
    });
    const { tlsHandshake, ...others } = found.phases;
    expect(tlsHandshake).toBeNull();
    for (const [phase, time] of Object.entries(others)) expect(time, phase).toBeTypeOf('number');
    expect(web.asked).toEqual(['/health?full=1']);
  });

  test('has no phase for the name where the host is an address', async () => {
    await using web = await startWebServer((_request, response) => response.end());
    const { phases, failure, bytes } = await check(`http://127.0.0.1:${web.port}/`);
    expect(failure).toBeNull();
    expect(bytes).toBe(0);
    expect(phases.dnsLookup).toBeNull();
    expect(phases.tcpConnection).toBeTypeOf('number');
  });

  test('comes on a new connection and a full handshake each time', async () => {
    const certificate = makeCertificate({ names: ['shop.localhost'], by: authority });
    const connections = new Set<unknown>();
    let resumed = 0;
    await using web = await startWebServer(
      ({ socket }, response) => {
        connections.add(socket);
        if ('isSessionReused' in socket && (socket.isSessionReused as () => boolean)()) resumed += 1;
        response.end();
      },
      { certificate },
    );
    const reach = reachWith();
    for (let i = 0; i < 3; i += 1)
      expect((await check(`https://shop.localhost:${web.port}/`, reach)).failure).toBeNull();
    expect(connections.size).toBe(3);
    expect(resumed).toBe(0);
  });

  test('may be longer than the part that is read', async () => {
    await using web = await startWebServer((_request, response) => {
      const send = () => {
        while (response.writable && response.write(Buffer.alloc(65_536)));
        response.once('drain', send);
      };
      send();
    });
    const found = await check(`http://127.0.0.1:${web.port}/`);
    expect(found).toMatchObject({ failure: null, bytes: 1_048_576, truncated: true });
  });
});

describe('a bad answer', () => {
  test.each([404, 500, 503, 304, 300])('with the status %i is a failure', async (status) => {
    await using web = await startWebServer((_request, response) => response.writeHead(status).end('secret'));
    const found = await check(`http://127.0.0.1:${web.port}/`);
    expect(found).toMatchObject({ status, failure: { cause: 'status' } });
    expect(JSON.stringify(found)).not.toContain('secret');
  });

  test('that is no HTTP differs from a closed connection', async () => {
    await using talker = await startRawServer((socket) => socket.end('220 mail.example.com ESMTP\r\n'));
    await using closer = await startRawServer((socket) => socket.once('data', () => socket.destroy()));
    expect((await check(`http://127.0.0.1:${talker.port}/`)).failure?.cause).toBe('bad_answer');
    expect((await check(`http://127.0.0.1:${closer.port}/`)).failure?.cause).toBe('connection_lost');
  });

  test('that breaks off in the middle is a failure', async () => {
    await using web = await startWebServer((_request, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('half', () => response.destroy());
    });
    expect((await check(`http://127.0.0.1:${web.port}/`)).failure?.cause).toBe('connection_lost');
  });
});

describe('no answer', () => {
  test('where nothing listens', async () => {
    const { port } = await gone();
    expect((await check(`http://127.0.0.1:${port}/`)).failure?.cause).toBe('connect_refused');
  });

  test('where the name has no address', async () => {
    const { failure, address } = await check('http://shop.example.com/');
    expect(failure).toEqual({ cause: 'dns', text: 'DNS has no address for shop.example.com.' });
    expect(address).toBeNull();
  });

  test('in time: headers, body and handshake have one deadline', async () => {
    const [asked, answered, connected, resolving] = [moment(), moment(), moment(), moment()];
    await using silent = await startWebServer(asked.come);
    await using slow = await startWebServer((_request, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('.'), 20);
      response.once('close', () => clearInterval(drip));
    });
    await using mute = await startRawServer(connected.come);
    const ask: Ask = () => {
      resolving.come();
      return new Promise(() => {});
    };
    // The deadline passes when the test says so, however late this process reads what has arrived.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const causeOf = async (url: string, { came }: { came: Promise<void> }) => {
      const checking = check(url, reachWith({ deadlineMs: 300, ask }));
      await came;
      vi.advanceTimersByTime(300);
      return (await checking).failure?.cause;
    };
    expect(await causeOf(`http://127.0.0.1:${silent.port}/`, asked)).toBe('timeout_headers');
    const headersCame = 'http.client.response.finish';
    subscribe(headersCame, answered.come);
    expect(await causeOf(`http://127.0.0.1:${slow.port}/`, answered)).toBe('timeout_body');
    unsubscribe(headersCame, answered.come);
    expect(await causeOf(`https://127.0.0.1:${mute.port}/`, connected)).toBe('connect_timeout');
    expect(await causeOf('http://shop.example.com/', resolving)).toBe('dns');
  });

  test('does not count against an app while this process is too busy to read the answer', async () => {
    await using web = await startWebServer((_request, response) => response.end());
    const checking = check(`http://127.0.0.1:${web.port}/`, reachWith({ deadlineMs: 100 }));
    const end = performance.now() + 900;
    while (performance.now() < end);
    expect((await checking).failure?.cause).toBe('checker');
  });

  test('ends at once when it is stopped', async () => {
    const stop = new AbortController();
    await using silent = await startWebServer(() => stop.abort());
    const found = await attempt(
      `http://127.0.0.1:${silent.port}/`,
      reachWith({ deadlineMs: 2 ** 30 }),
      now,
      stop.signal,
    );
    expect(found.failure).not.toBeNull();
  });
});

describe('redirects', () => {
  test('are followed, and their times are added up', async () => {
    await using web = await startWebServer(({ url }, response) => {
      if (url === '/') response.writeHead(302, { location: '/a' }).end();
      else if (url === '/a')
        response.writeHead(308, { location: `http://other.localhost:${web.port}/b` }).end();
      else response.end('there');
    });
    const found = await check(`http://shop.localhost:${web.port}/`);
    expect(found).toMatchObject({ status: 200, failure: null, redirects: 2, bytes: 5 });
    expect(web.asked).toEqual(['/', '/a', '/b']);
  });

  test('end after five', async () => {
    await using web = await startWebServer(({ url }, response) =>
      response.writeHead(307, { location: `${url}x` }).end(),
    );
    const found = await check(`http://127.0.0.1:${web.port}/`);
    expect(found).toMatchObject({ redirects: 5, failure: { cause: 'redirect_loop' } });
    expect(web.asked).toHaveLength(6);
  });

  test.each([
    'http://127.0.0.2:PORT/',
    'http://0x7f000002:PORT/',
    'http://[::1]:PORT/',
    'http://[::ffff:127.0.0.2]:PORT/',
    'http://inside.example.com:PORT/',
    'http://user:pass@127.0.0.1:PORT/',
    'http://127.0.0.1:22/',
    'file:///etc/passwd',
    '//127.0.0.2:PORT/',
  ])('to %s are refused', async (location) => {
    await using web = await startWebServer((_request, response) =>
      response.writeHead(302, { location: location.replace('PORT', String(web.port)) }).end(),
    );
    // A server at the forbidden address would answer.
    await using inside = await startWebServer((_request, response) => response.end(), {
      host: '127.0.0.2',
      port: web.port,
    });
    const ask: Ask = (_name, type) =>
      type === 'A' ? Promise.resolve([{ address: '127.0.0.2', ttl: 60 }]) : nowhere('', type);
    const found = await check(`http://127.0.0.1:${web.port}/`, reachWith({ ask }));
    expect(found.failure?.cause).toBe('blocked_address');
    expect(found.failure?.text).not.toContain('pass@');
    expect(inside.asked).toEqual([]);
    expect(web.asked).toHaveLength(1);
  });
});

describe('a name', () => {
  test('that resolves to another address each time is resolved once a check, and only the checked address is connected to', async () => {
    await using outside = await startWebServer((_request, response) => response.end());
    await using inside = await startWebServer((_request, response) => response.end(), {
      host: '127.0.0.2',
      port: outside.port,
    });
    const questions: string[] = [];
    const ask: Ask = (_name, type) => {
      questions.push(type);
      if (type === 'AAAA') return nowhere('', type);
      return Promise.resolve([{ address: questions.length > 2 ? '127.0.0.2' : '127.0.0.1', ttl: 0 }]);
    };
    const reach = reachWith({ ask });
    const url = `http://rebinding.example.com:${outside.port}/`;
    expect(await check(url, reach)).toMatchObject({ failure: null, address: '127.0.0.1' });
    expect(questions).toEqual(['A', 'AAAA']);
    expect((await check(url, reach)).failure?.cause).toBe('blocked_address');
    expect(inside.asked).toEqual([]);
  });

  test('is refused when only one of its addresses is refused', async () => {
    await using web = await startWebServer((_request, response) => response.end());
    const ask: Ask = (_name, type) =>
      Promise.resolve([type === 'A' ? { address: '127.0.0.1', ttl: 60 } : { address: 'fd00::1', ttl: 60 }]);
    const found = await check(`http://both.example.com:${web.port}/`, reachWith({ ask }));
    expect(found.failure).toMatchObject({ cause: 'blocked_address' });
    expect(found.failure?.text).toContain('fd00::1');
    expect(web.asked).toEqual([]);
  });
});

describe('a certificate', () => {
  const visit = async (certificate: ReturnType<typeof makeCertificate>) => {
    await using web = await startWebServer((_request, response) => response.end(), { certificate });
    const found = await check(`https://shop.localhost:${web.port}/`);
    return { ...found, asked: web.asked };
  };

  test('that is good is reported with its end', async () => {
    const from = Math.floor(now / 1000) * 1000 - dayMs;
    const to = from + 10 * dayMs;
    const found = await visit(makeCertificate({ names: ['shop.localhost'], by: authority, from, to }));
    expect(found.failure).toBeNull();
    expect(found.phases.tlsHandshake).toBeTypeOf('number');
    expect(found.certificate).toMatchObject({
      issuer: 'Test Authority',
      validFrom: from,
      validTo: to,
      nameMatches: true,
      refusedFor: null,
      mark: 14,
    });
  });

  test.each([
    [
      'has ended',
      { names: ['shop.localhost'], by: authority, to: now - dayMs, from: now - 9 * dayMs },
      'CERT_HAS_EXPIRED',
      0,
    ],
    [
      'is not valid yet',
      { names: ['shop.localhost'], by: authority, from: now + dayMs },
      'CERT_NOT_YET_VALID',
      null,
    ],
    [
      'is for another name',
      { names: ['other.localhost'], by: authority },
      'ERR_TLS_CERT_ALTNAME_INVALID',
      null,
    ],
    ['is signed by itself', { names: ['shop.localhost'] }, 'DEPTH_ZERO_SELF_SIGNED_CERT', null],
  ] as const)('that %s is refused and reported', async (_what, options, refusedFor, mark) => {
    const found = await visit(makeCertificate(options));
    expect(found.failure?.cause).toBe('tls');
    expect(found.certificate).toMatchObject({ refusedFor, mark });
    expect(found.certificate?.nameMatches).toBe(refusedFor !== 'ERR_TLS_CERT_ALTNAME_INVALID');
  });

  test('is missing where the port speaks no TLS', async () => {
    await using web = await startWebServer((_request, response) => response.end());
    const found = await check(`https://127.0.0.1:${web.port}/`);
    expect(found).toMatchObject({ failure: { cause: 'tls' }, certificate: null });
  });
});

/** A port on which nothing listens any more. */
async function gone(): Promise<{ port: number }> {
  await using web = await startRawServer(() => {});
  return { port: web.port };
}
