import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { drainBeforeClose } from './drain.ts';

/** A server with a request that waits until it is let go, and an event stream without an end. */
async function startServer(withinMs?: number) {
  const fastify = Fastify({ forceCloseConnections: true });
  drainBeforeClose(fastify, withinMs);
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  fastify.get('/held', async () => {
    await held;
    return 'saved';
  });
  fastify.get('/events', (_request, reply) => {
    void reply.header('content-type', 'text/event-stream');
    return reply.send(new ReadableStream({ start: (stream) => stream.enqueue('data: 1\n\n') }));
  });
  fastify.get('/readyz', async () => 'ok');
  await fastify.listen({ port: 0, host: '127.0.0.1' });
  const { port } = fastify.server.address() as AddressInfo;
  return { fastify, letGo, port };
}

async function ask(port: number, path: string): Promise<IncomingMessage> {
  const request = get({ port, path, host: '127.0.0.1' });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  return answer;
}

test('a request under way is answered whole, and nobody new connects meanwhile', async () => {
  const { fastify, letGo, port } = await startServer();
  const arrived = once(fastify.server, 'request');
  const answer = ask(port, '/held');
  await arrived;
  const closed = fastify.close();
  await expect.poll(() => fastify.server.listening).toBe(false);
  await expect(ask(port, '/readyz')).rejects.toThrow('ECONNREFUSED');
  letGo();
  expect(await text(await answer)).toBe('saved');
  await closed;
});

test('a request over an open connection is told 503 meanwhile, /readyz too', async () => {
  const { fastify, letGo, port } = await startServer();
  const socket = connect(port, '127.0.0.1');
  const answers = text(socket);
  // Pipelined: the second request reaches the server while the first one waits.
  socket.write('GET /held HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(fastify.server, 'request');
  const closed = fastify.close();
  await expect.poll(() => fastify.server.listening).toBe(false);
  const second = once(fastify.server, 'request');
  socket.write('GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n');
  await second;
  letGo();
  await closed;
  expect((await answers).match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 503']);
});

test('nothing waits for an event stream', async () => {
  const { fastify, port } = await startServer(60_000);
  const ended = text(await ask(port, '/events'));
  ended.catch(() => {});
  await fastify.close();
  await expect(ended).rejects.toThrow('aborted');
});

test('a request that takes longer than the bound is cut', async () => {
  const { fastify, port } = await startServer(20);
  const answer = ask(port, '/held');
  answer.catch(() => {});
  await once(fastify.server, 'request');
  await fastify.close();
  await expect(answer).rejects.toThrow('socket hang up');
});
