import { setImmediate as turn } from 'node:timers/promises';
import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { headersOf, openFile } from './file-answer.ts';
import { createLog, serverOptions } from './log.ts';

const file = { name: 'a.bin', bytes: 0 };

test('a slow reader slows the file down, and one listener is enough for the whole of it', async () => {
  let handed = 0;
  const stream = await openFile({
    ...file,
    async pour(take) {
      for (; handed < 200; handed += 1) await take(Buffer.alloc(64 * 1024));
    },
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(handed).toBeLessThan(10);
  let read = 0;
  for await (const bytes of stream) {
    read += bytes.length;
    expect(stream.listenerCount('close')).toBeLessThan(10);
  }
  expect(read).toBe(200 * 64 * 1024);
});

test('pieces that are handed over without waiting are all taken once the reader has read them', async () => {
  const taken: number[] = [];
  const stream = await openFile({
    ...file,
    // As a server does, which sends as much as its window lets it.
    async pour(take) {
      await Promise.all(
        Array.from({ length: 40 }, async (_, piece) => {
          await take(Buffer.alloc(64 * 1024));
          taken.push(piece);
        }),
      );
    },
  });
  expect(taken.length).toBeLessThan(10);
  let read = 0;
  for await (const bytes of stream) read += bytes.length;
  expect(read).toBe(40 * 64 * 1024);
  expect(taken).toHaveLength(40);
});

test('a file that comes byte by byte waits for its reader in few pieces', async () => {
  const size = 200 * 1024;
  let handed = 0;
  const stream = await openFile({
    ...file,
    async pour(take) {
      for (; handed < size; handed += 1) await take(Buffer.from([handed % 251]));
    },
  });
  await expect.poll(() => handed).toBe(size);
  let pieces = 0;
  let read = 0;
  for await (const bytes of stream as AsyncIterable<Buffer>) {
    pieces += 1;
    for (const byte of bytes) {
      if (byte !== read % 251) throw new Error(`Byte ${read} is not where it was.`);
      read += 1;
    }
  }
  expect(read).toBe(size);
  expect(pieces).toBeLessThan(50);
});

test('a small piece reaches a reader who waits, also when the next one never comes', async () => {
  let finish = () => {};
  const stream = await openFile({
    ...file,
    async pour(take) {
      for (const text of ['a', 'b', 'c']) void take(Buffer.from(text));
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
    },
  });
  let text = '';
  stream.on('data', (bytes) => {
    text += String(bytes);
  });
  await expect.poll(() => text).toBe('abc');
  finish();
  await new Promise((resolve) => stream.once('end', resolve));
});

test('a file goes out without a pause at each packet of its server', async () => {
  const packet = Buffer.alloc(32 * 1024);
  const turns = 32;
  const server = fastify(serverOptions(createLog('silent')));
  let pauses = 0;
  server.get('/', async (_request, reply) => {
    const stream = await openFile({
      ...file,
      async pour(take) {
        for (let n = 0; n < turns; n += 1) {
          // As much as one read of a connection brings.
          await Promise.all([take(packet), take(packet), take(packet)]);
          await turn();
        }
      },
    });
    stream.on('pause', () => {
      pauses += 1;
    });
    return reply.send(stream);
  });
  const answer = await fetch(await server.listen({ host: '127.0.0.1', port: 0 }));
  expect((await answer.arrayBuffer()).byteLength).toBe(3 * turns * packet.length);
  await server.close();
  expect(pauses).toBeLessThan(turns);
});

test('a reader who leaves lets the file end', async () => {
  let ended = () => {};
  const poured = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const stream = await openFile({
    ...file,
    async pour(take) {
      for (let piece = 0; piece < 200; piece += 1) await take(Buffer.alloc(64 * 1024));
      ended();
    },
  });
  stream.destroy();
  await poured;
});

test('a file that fails before its first byte is refused, and one that fails later breaks off', async () => {
  const failure = new Error('The file is damaged.');
  const refused = openFile({ ...file, pour: () => Promise.reject(failure) });
  await expect(refused).rejects.toBe(failure);
  const stream = await openFile({
    ...file,
    async pour(take) {
      await take(Buffer.alloc(10));
      throw failure;
    },
  });
  await expect(stream.toArray()).rejects.toBe(failure);
});

test('a name that could end a header is never sent', () => {
  for (const name of ['a"b', 'a\nb', '../a', '', '.a'])
    expect(() => headersOf({ ...file, name, pour: async () => {} })).toThrow();
});
