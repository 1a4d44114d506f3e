import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { request, sendRaw } from '../testing/raw-request.ts';
import { startPlane, startUpstream, type TestPlane, type TestUpstream } from '../testing/start-plane.ts';
import { createVisitorReader, type TrustedPeers } from './trusted-peers.ts';

const secret = 'front-'.repeat(6);
const nobody: TrustedPeers = { networks: [], cdnNetworks: [], secretHash: null };
const [edge, visitor, forged] = ['198.51.100.7', '203.0.113.9', '6.6.6.6'];

let upstream: TestUpstream;
const planes: TestPlane[] = [];
beforeAll(async () => {
  upstream = await startUpstream((_req, res) => res.end());
});
afterAll(async () => {
  await Promise.all(planes.map((plane) => plane.close()));
  await upstream.close();
});

/** What a website hears of a visitor who sends these headers. */
async function heard(trusted: Partial<TrustedPeers>, headers: readonly string[]) {
  const plane = await startPlane({}, { trusted: { ...nobody, ...trusted } });
  planes.push(plane);
  plane.put('example.test', upstream.origin);
  await request(plane.port, 'GET /', headers);
  const got = upstream.seen.at(-1)?.headers ?? {};
  return {
    for: got['x-forwarded-for'],
    node: got.forwarded,
    proto: got['x-forwarded-proto'],
    connecting: got['cf-connecting-ip'],
    front: got['x-homeport-front'],
  };
}

describe('a front', () => {
  const told = [`X-Forwarded-For: ${forged}, ${visitor}`, 'X-Forwarded-Proto: https'];

  it('is believed by its address, as far as trusted addresses vouch for the one before', async () => {
    expect(await heard({ networks: ['127.0.0.1'] }, told)).toMatchObject({
      for: `${forged}, ${visitor}`,
      node: `for=${visitor};host="example.test";proto=https`,
      proto: 'https',
    });
    expect(await heard({ networks: ['127.0.0.1', visitor] }, told)).toMatchObject({
      node: `for=${forged};host="example.test";proto=https`,
    });
  });

  it('is believed by its secret, and no website hears the secret', async () => {
    const secretHash = createHash('sha256').update(secret).digest('hex');
    expect(await heard({ secretHash }, [...told, `X-Homeport-Front: ${secret}`])).toMatchObject({
      node: `for=${visitor};host="example.test";proto=https`,
      front: undefined,
    });
    for (const wrong of [`X-Homeport-Front: ${secret}x`, 'X-Homeport-Front:', 'X-Kept: 1'])
      expect(await heard({ secretHash }, [...told, wrong])).toMatchObject({
        for: '127.0.0.1',
        node: 'for=127.0.0.1;host="example.test";proto=http',
        front: undefined,
      });
  });

  it('that has shown its secret is believed no longer where a request shows another one', async () => {
    const secretHash = createHash('sha256').update(secret).digest('hex');
    const plane = await startPlane({}, { trusted: { ...nobody, secretHash } });
    planes.push(plane);
    plane.put('example.test', upstream.origin);
    upstream.seen.length = 0;
    const shows = [secret, `${secret.slice(0, -1)}x`, `${secret}x`, secret];
    const requests = shows.map(
      (shown, index) =>
        `GET /${index} HTTP/1.1\r\nHost: example.test\r\nX-Forwarded-For: ${visitor}\r\nX-Homeport-Front: ${shown}\r\n` +
        `Connection: ${index === shows.length - 1 ? 'close' : 'keep-alive'}\r\n\r\n`,
    );
    await sendRaw(plane.port, requests.join(''));
    const seen = upstream.seen.toSorted((a, b) => Number(a.url?.slice(1)) - Number(b.url?.slice(1)));
    expect(seen.map(({ headers }) => headers['x-forwarded-for'])).toEqual([
      ...[visitor, '127.0.0.1', '127.0.0.1', visitor],
    ]);
  });

  it('is known by its IPv4 address on a socket of IPv6 too', async () => {
    const read = createVisitorReader({ ...nobody, networks: ['127.0.0.1'] });
    const server = createServer((req, res) => void res.end(JSON.stringify(read(req))));
    await new Promise<void>((resolve) => server.listen(0, '::', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    const { body } = await request(port, 'GET /', [`X-Forwarded-For: ::ffff:${visitor}`]);
    server.close();
    expect(JSON.parse(body)).toMatchObject({ address: visitor, isTrustedPeer: true });
  });

  it('that nobody trusts is a visitor', async () => {
    expect(await heard({}, told)).toMatchObject({ for: '127.0.0.1', proto: 'http' });
  });
});

describe('Cloudflare in front of the front', () => {
  const behind = { networks: ['127.0.0.1'], cdnNetworks: ['198.51.100.0/24'] };

  it('says who asks, because its networks are known', async () => {
    const headers = [`X-Forwarded-For: ${forged}, ${visitor}, ${edge}`, `CF-Connecting-IP: ${visitor}`];
    expect(await heard(behind, headers)).toMatchObject({
      node: `for=${visitor};host="example.test";proto=http`,
      connecting: visitor,
    });
  });

  it('is played by nobody who reaches the front directly', async () => {
    const headers = [`X-Forwarded-For: ${visitor}`, `CF-Connecting-IP: ${forged}`];
    expect(await heard(behind, headers)).toMatchObject({
      node: `for=${visitor};host="example.test";proto=http`,
      connecting: undefined,
    });
  });
});
