import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { gatherWrites } from './gather-writes.ts';

const server = createServer();
let client: Socket;

const connected = async (): Promise<{ client: Socket; peer: Socket }> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const arrived = once(server, 'connection');
  client = connect({ host: '127.0.0.1', port: typeof address === 'object' && address ? address.port : 0 });
  const [peer] = await arrived;
  await once(client, 'connect');
  return { client: gatherWrites(client), peer };
};

afterEach(async () => {
  client.destroy();
  server.close();
  await once(server, 'close');
});

it('sends all writes of one turn at once, and the next turn’s writes separately', async () => {
  const { client, peer } = await connected();
  const gone = [vi.spyOn(client, '_write'), vi.spyOn(client, '_writev')] as const;
  client.write('one ');
  client.write(Buffer.from('two '));
  client.write('three ');
  await turn();
  client.write('four');
  await turn();
  const sent = gone.map((spy) => spy.mock.calls.length);
  client.end();
  const text = (await peer.setEncoding('utf8').toArray()).join('');
  expect({ sent, text }).toEqual({ sent: [1, 1], text: 'one two three four' });
});

it('sends the last writes when the socket is ended in the same turn', async () => {
  const { client, peer } = await connected();
  client.write('one ');
  client.end('two');
  expect((await peer.setEncoding('utf8').toArray()).join('')).toBe('one two');
});
