import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { OpeningError } from '@homeport/ssh';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { PageChannel } from './page-channel.ts';

const password = Buffer.from('not asked for');
let server: WebSocketServer;
let page: WebSocket;
let channel: PageChannel;
/** The frames as the console's socket holds them. */
let frames: Buffer[];

beforeEach(async () => {
  frames = [];
  server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const opened = once(server, 'connection');
  page = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const [[socket]] = (await Promise.all([opened, once(page, 'open')])) as [[WebSocket], unknown];
  socket.on('message', (data: Buffer) => frames.push(data));
  channel = new PageChannel(socket);
});
afterEach(() => {
  page.terminate();
  server.close();
});

it('overwrites a password that arrives while the console asks for nothing, and ends the opening', async () => {
  page.send(password);
  await once(channel.gone, 'abort');
  expect(channel.gone.reason).toBeInstanceOf(OpeningError);
  expect(frames).toEqual([Buffer.alloc(password.length)]);
});

it('overwrites a password that arrives in place of the answer that the console asked for', async () => {
  const answer = channel.next(() => null, new AbortController().signal);
  page.send(password);
  await expect(answer).rejects.toMatchObject({ failure: { code: 'protocol' } });
  expect(frames).toEqual([Buffer.alloc(password.length)]);
});
