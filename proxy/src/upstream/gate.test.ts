import { createServer, type Server } from 'node:net';
import type { ResolveAll } from '@homeport/egress';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { planeLimits } from '../limits.ts';
import { askArrival } from '../ownership/ask-arrival.ts';
import { readCertificate } from '../ownership/read-certificate.ts';
import { request } from '../testing/raw-request.ts';
import { startPlane, startUpstream, type TestUpstream } from '../testing/start-plane.ts';
import { createGate } from './gate.ts';
import { createPools } from './pools.ts';

/** A website at an allowed address, and one at the same port of an address that is refused. */
let outside: TestUpstream;
let inside: Server;
let reachedInside: number;
beforeEach(async () => {
  outside = await startUpstream((_req, res) => res.end('outside'));
  reachedInside = 0;
  inside = createServer((socket) => {
    reachedInside += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => inside.listen(outside.port, '127.0.0.2', resolve));
});
afterEach(async () => {
  await outside.close();
  inside.close();
});

const allowPrivate = ['127.0.0.1/32'];
const nobody = { ports: [], names: [] };

/** A name that leads to the allowed address first and to the refused one from then on. */
function rebinding() {
  let asked = 0;
  const resolve: ResolveAll = (_name, _options, done) => {
    asked += 1;
    done(null, [{ address: asked === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }]);
  };
  return { resolve, asked: () => asked };
}

describe('a name that changes its address', () => {
  it('as a target leads to no refused address, also when its connection has to be opened again', async () => {
    const { resolve, asked } = rebinding();
    const plane = await startPlane({}, { allowPrivate, resolve });
    plane.put('example.test', `http://rebinding.test:${outside.port}`);
    expect(await request(plane.port, 'GET /')).toMatchObject({ status: 200, body: 'outside' });
    outside.server.closeAllConnections();
    await expect
      .poll(() => request(plane.port, 'GET /'))
      .toMatchObject({ status: 502, body: 'private_address\n' });
    expect(asked()).toBeGreaterThan(1);
    expect(reachedInside).toBe(0);
    await plane.close();
  });

  it('as a target leads to no refused address by a WebSocket', async () => {
    const { resolve } = rebinding();
    const plane = await startPlane({}, { allowPrivate, resolve });
    plane.put('example.test', `http://rebinding.test:${outside.port}`);
    await request(plane.port, 'GET /');
    outside.server.closeAllConnections();
    const handshake = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
    await expect
      .poll(() => request(plane.port, 'GET /', [...handshake, 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==']))
      .toMatchObject({ status: 502, body: 'private_address\n' });
    expect(reachedInside).toBe(0);
    await plane.close();
  });

  it('is no refused address when its certificate is read', async () => {
    const { resolve } = rebinding();
    const read = readCertificate(createGate({ allowPrivate, own: nobody }, resolve), outside.port);
    // The allowed address speaks no TLS, and the second question has the refused answer.
    expect([await read('rebinding.test'), await read('rebinding.test')]).toEqual([null, null]);
    expect(reachedInside).toBe(0);
  });

  it('is no refused address when it is asked for the proof of arrival', async () => {
    const { resolve } = rebinding();
    const pools = createPools(createGate({ allowPrivate, own: nobody }, resolve), planeLimits);
    const arrives = askArrival(pools, Buffer.alloc(32, 7), outside.port);
    expect(await arrives('rebinding.test')).toBe(false);
    outside.server.closeAllConnections();
    expect(await arrives('rebinding.test')).toBe(false);
    await pools.close();
    expect(reachedInside).toBe(0);
  });
});

it('an own address is no target at a port that its firewall may close', async () => {
  const plane = await startPlane({}, { allowPrivate: ['126.0.0.0/7'] });
  for (const host of ['127.0.0.1', '[::ffff:127.0.0.1]', '0.0.0.0', '[::]']) {
    plane.put('example.test', `http://${host}:${outside.port}`);
    expect(await request(plane.port, 'GET /'), host).toMatchObject({
      status: 502,
      body: 'private_address\n',
    });
  }
  expect(outside.seen).toEqual([]);
  await plane.close();
});

it('a console on the loopback serves a website on another port of the loopback, and never the console', async () => {
  const everyNetwork = ['0.0.0.0/0', '::/0'];
  const other = createGate({ allowPrivate: everyNetwork, own: { ports: [7070, 7081], names: [] } });
  expect(other.refuses('127.0.0.1', outside.port)).toBeNull();
  for (const host of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '0.0.0.0', '::'])
    for (const port of [7070, 7081]) expect(other.refuses(host, port), host).not.toBeNull();
});
