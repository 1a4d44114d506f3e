import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { type ReadMemory, readMemory } from './read-in-place.ts';

const server = createServer();
let reader: Socket;

async function connected(): Promise<{ memory: ReadMemory; peer: Socket }> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const arrived = once(server, 'connection');
  const memory = readMemory();
  const port = typeof address === 'object' && address ? address.port : 0;
  reader = connect({ host: '127.0.0.1', port, onread: memory.onread });
  reader.once('connect', () => memory.handTo(reader));
  const [peer] = await arrived;
  await once(reader, 'connect');
  return { memory, peer };
}

afterEach(async () => {
  reader.destroy();
  server.close();
  await once(server, 'close');
});

/** Sends each word once the word before was read. Returns what the listener got, as it is after the last read. */
async function readWords(peer: Socket, words: readonly string[]): Promise<Buffer[]> {
  const kept: Buffer[] = [];
  for (const word of words) {
    const read = once(reader, 'data');
    peer.write(word);
    kept.push((await read)[0]);
  }
  return kept;
}

it('loses nothing that comes before somebody reads', async () => {
  const { peer } = await connected();
  peer.write('early');
  const read = once(reader, 'data');
  reader.resume();
  expect(String((await read)[0])).toBe('early');
});

it('leaves the bytes of each read alone until they may share their memory', async () => {
  const { memory, peer } = await connected();
  reader.resume();
  expect((await readWords(peer, ['one', 'two'])).map(String)).toEqual(['one', 'two']);
  memory.share(true);
  // The memory of the next read is chosen already.
  await readWords(peer, ['next']);
  const shared = await readWords(peer, ['six', 'ten']);
  expect(shared.map(String)).toEqual(['ten', 'ten']);
  expect(shared[0]?.buffer).toBe(shared[1]?.buffer);
  memory.share(false);
  await readWords(peer, ['next']);
  expect((await readWords(peer, ['one', 'two'])).map(String)).toEqual(['one', 'two']);
});

it('ends with its peer', async () => {
  const { peer } = await connected();
  reader.resume();
  const ended = once(reader, 'end');
  peer.end('last');
  await ended;
});
