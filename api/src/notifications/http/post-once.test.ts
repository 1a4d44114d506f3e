import { createServer, type Server } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { destinationLimits } from '@homeport/contract/destinations/facts';
import { expect, test } from 'vitest';
import { createNewsGate } from '../../remote/target-policy.ts';
import { openGate } from '../../testing/way-of-news.ts';
import { judgeAnswer } from './judge-answer.ts';
import { postOnce } from './post-once.ts';

type Answerer = Parameters<typeof createServer>[1];

async function listen(server: { listen(port: number, host: string, done: () => void): unknown }) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
}

async function startServer(answer: Answerer) {
  const server = createServer(answer ?? (() => {}));
  await listen(server);
  return {
    url: urlOf(server),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Writes these bytes to whoever connects. */
async function startRaw(answer: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => answer(socket));
  });
  await listen(server);
  return {
    url: urlOf(server),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

const urlOf = (server: Pick<Server, 'address'>) => {
  const address = server.address();
  return new URL(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/hook?a=b`);
};

const far = 60_000;
const post = (url: URL, tryMs = far) => postOnce(openGate, { url, body: '{"a":"ä"}' }, tryMs);

test('posts the body as it is, with its length and type, and tells the status', async () => {
  const got: unknown[] = [];
  await using server = await startServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      got.push(
        request.method,
        request.url,
        request.headers['content-type'],
        Buffer.concat(chunks).toString(),
      );
      response.end('thanks');
    });
  });
  expect(await post(server.url)).toEqual({
    kind: 'answered',
    status: 200,
    retryAfterMs: null,
    body: 'thanks',
  });
  expect(got).toEqual(['POST', '/hook?a=b', 'application/json; charset=utf-8', '{"a":"ä"}']);
});

test('follows no redirect', async () => {
  let asked = 0;
  await using server = await startServer((_request, response) => {
    asked += 1;
    response.writeHead(307, { location: 'http://127.0.0.1:9/inside' }).end();
  });
  const posted = await post(server.url);
  expect(asked).toBe(1);
  expect(judgeAnswer(posted, 'chat')).toMatchObject({ outcome: 'refused' });
});

test('reads 16 KiB of an endless answer, and the status counts', async () => {
  await using server = await startRaw((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
    const flood = () => {
      while (socket.writable && socket.write(`1000\r\n${'x'.repeat(4096)}\r\n`));
    };
    socket.on('drain', flood);
    flood();
  });
  const posted = await post(server.url);
  expect(posted).toMatchObject({ kind: 'answered', status: 200 });
  expect(posted.kind === 'answered' && posted.body).toHaveLength(destinationLimits.answerBytes);
});

test('a status counts although its answer never ends or breaks off', async () => {
  await using slow = await startRaw((socket) => socket.write('HTTP/1.1 204 No Content\r\ncontent-length: 9'));
  expect(await post(slow.url, 300)).toMatchObject({ kind: 'failed' });
  await using unended = await startRaw((socket) =>
    socket.write('HTTP/1.1 202 Accepted\r\ncontent-length: 9\r\n\r\nabc'),
  );
  expect(await post(unended.url, 2_000)).toMatchObject({ kind: 'answered', status: 202 });
  await using broken = await startRaw((socket) =>
    socket.end('HTTP/1.1 202 Accepted\r\ncontent-length: 9\r\n\r\nabc'),
  );
  expect(await post(broken.url)).toMatchObject({ kind: 'answered', status: 202 });
});

test.each([
  ['no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n', 'The answer of chat is not HTTP.'],
  ['an endless line', `HTTP/1.1 200 ${'x'.repeat(40_000)}`, 'The answer of chat is not HTTP.'],
  [
    '40,000 bytes of headers',
    `HTTP/1.1 200 OK\r\n${`a: ${'b'.repeat(1_000)}\r\n`.repeat(40)}\r\n`,
    'The answer of chat is not HTTP.',
  ],
])('an answer that is %s is a failed try, in words of ours', async (_what, bytes, answer) => {
  await using server = await startRaw((socket) => socket.end(bytes));
  expect(judgeAnswer(await post(server.url), 'chat')).toEqual({ outcome: 'failed', answer });
});

test('an end without an answer, a change of protocol and a closed port are failed tries', async () => {
  await using ends = await startRaw((socket) => socket.end());
  expect(judgeAnswer(await post(ends.url), 'chat')).toMatchObject({ outcome: 'failed' });
  await using upgrades = await startRaw((socket) =>
    socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
  );
  expect(judgeAnswer(await post(upgrades.url), 'chat')).toMatchObject({ outcome: 'failed' });
  expect(judgeAnswer(await post(new URL('http://127.0.0.1:9/')), 'chat')).toEqual({
    outcome: 'failed',
    answer: 'chat refuses connections.',
  });
});

test('a hundred interim answers are none, and the deadline ends the try', async () => {
  await using server = await startRaw((socket) =>
    socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100)),
  );
  expect(judgeAnswer(await post(server.url, 500), 'chat')).toEqual({
    outcome: 'failed',
    answer: 'chat did not answer in time.',
  });
});

test.each([
  ['7', 7_000],
  ['999999', destinationLimits.retryAfterMs],
  ['-1', null],
  ['1e3', null],
  ['Wed, 21 Oct 2026 07:28:00 GMT', null],
])('Retry-After: %s', async (value, expected) => {
  await using server = await startServer((_request, response) => {
    response.writeHead(429, { 'retry-after': value }).end();
  });
  expect(await post(server.url)).toMatchObject({ status: 429, retryAfterMs: expected });
});

/** Public addresses only, as a console on the internet. */
const strict = createNewsGate(
  { allowPrivateTargets: false, consolePorts: [7070], publicUrl: 'https://console.example.com' },
  () => false,
);

test.each([
  'http://127.0.0.1:8080/',
  'http://2130706433:8080/',
  'http://0x7f.1:8080/',
  'http://[::1]:8080/',
  'http://[::ffff:127.0.0.1]:8080/',
  'http://10.0.0.5/',
  'http://192.168.1.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://[fd00::1]/',
  'http://0.0.0.0:8080/',
  'https://console.example.com/api/destinations',
  'https://CONSOLE.example.com./',
])('nothing leaves for %s, and the answer names no address', async (address) => {
  const posted = await postOnce(strict, { url: new URL(address), body: '{}' }, far);
  expect(posted).toEqual({ kind: 'refused' });
  expect(judgeAnswer(posted, 'chat')).toEqual({
    outcome: 'broken',
    answer: 'Nothing was sent: chat is at an address that this console does not send to.',
  });
});

test('a name that leads inside and a name that does not exist are one answer', async () => {
  const said = async (host: string) =>
    judgeAnswer(await postOnce(strict, { url: new URL(`http://${host}:8080/`), body: '{}' }, far), 'chat');
  expect(await said('localhost')).toEqual({
    outcome: 'failed',
    answer: 'DNS has no address for chat that this console sends to.',
  });
  expect(await said('nobody.invalid')).toEqual(await said('localhost'));
});

test.each([
  [200, 'sent', 'chat answered 200 OK.'],
  [204, 'sent', 'chat answered 204 No Content.'],
  [400, 'refused', 'chat answered 400 Bad Request.'],
  [
    401,
    'broken',
    'chat answered 401 Unauthorized, so nothing is sent there until a test succeeds or you change it.',
  ],
  [410, 'broken', 'chat answered 410 Gone, so nothing is sent there until a test succeeds or you change it.'],
  [429, 'failed', 'chat answered 429 Too Many Requests.'],
  [503, 'failed', 'chat answered 503 Service Unavailable.'],
  [599, 'failed', 'chat answered 599.'],
  [299, 'sent', 'chat answered 299.'],
])('%i is %s, in the words of the standard', (status, outcome, answer) => {
  const posted = {
    kind: 'answered',
    status,
    retryAfterMs: null,
    body: '<script>their words</script>',
  } as const;
  expect(judgeAnswer(posted, 'chat')).toEqual({ outcome, answer });
});
