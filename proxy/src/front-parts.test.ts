import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { request as ask } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@homeport/contract/testing';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { TrustedPeers } from './armour/trusted-peers.ts';
import { type Caddy, guideCaddyfiles, runCaddy } from './testing/run-caddy.ts';
import { startPlane, startUpstream, type TestPlane, type TestUpstream } from './testing/start-plane.ts';

vi.setConfig({ testTimeout: 30_000 });

/** The parts of the operator's guide that change who is believed, as Caddy runs them. */

let folder: string;
let upstream: TestUpstream;
let plane: TestPlane;
let caddy: Caddy;
let port: number;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'homeport-front-'));
  upstream = await startUpstream((_req, res) => res.end());
  port = await freePort();
});
afterEach(async () => {
  await caddy.stop();
  await plane.close();
  await upstream.close();
  await rm(folder, { recursive: true, force: true });
});

async function start(part: 1 | 2, trusted: TrustedPeers, env: Record<string, string> = {}): Promise<void> {
  plane = await startPlane({}, { trusted });
  plane.put('example.test', upstream.origin);
  const shown = (await guideCaddyfiles())[part] ?? '';
  expect(shown).toContain('reverse_proxy 127.0.0.1:7080');
  const own = shown
    .replace('127.0.0.1:7080', `127.0.0.1:${plane.port}`)
    .replace(/trusted_proxies .*/, 'trusted_proxies 127.0.0.2/32');
  const config = `{\n\tadmin off\n\tauto_https off\n}\nhttp://:${port} {\n\tbind 127.0.0.1\n${own}}\n`;
  caddy = await runCaddy(folder, config, { port, env });
}

/** What the website hears of a visitor with this address, who sends these headers. */
async function heard(at: number, address: string, headers: Record<string, string>) {
  await new Promise((resolve, reject) => {
    const to = { port: at, host: '127.0.0.1', localAddress: address, agent: false as const };
    ask({ ...to, headers: { host: 'example.test', ...headers } }, (res) => res.resume().on('end', resolve))
      .once('error', reject)
      .end();
  });
  return /for=([^;]*)/.exec(upstream.seen.at(-1)?.headers.forwarded ?? '')?.[1];
}

it('a front with the secret says who asks, and another program on the machine does not', async () => {
  const secret = 'quay'.repeat(9);
  const secretHash = createHash('sha256').update(secret).digest('hex');
  const trusted = { networks: [], cdnNetworks: [], secretHash };
  await start(1, trusted, { HOMEPORT_PROXY_FRONT_SECRET: secret });
  expect(await heard(port, '127.0.0.3', { 'x-forwarded-for': '6.6.6.6' })).toBe('127.0.0.3');
  // Caddy replaces a secret that a visitor sends.
  expect(await heard(port, '127.0.0.3', { 'x-homeport-front': 'x'.repeat(36) })).toBe('127.0.0.3');
  expect(await heard(plane.port, '127.0.0.4', { 'x-forwarded-for': '6.6.6.6' })).toBe('127.0.0.4');
  expect(upstream.seen.some(({ headers }) => 'x-homeport-front' in headers)).toBe(false);
});

it('an edge of Cloudflare says who asks, and a visitor who reaches Caddy directly does not', async () => {
  await start(2, { networks: ['127.0.0.1'], cdnNetworks: ['127.0.0.2/32'], secretHash: null });
  const visitor = { 'x-forwarded-for': '203.0.113.9', 'cf-connecting-ip': '203.0.113.9' };
  expect(await heard(port, '127.0.0.2', visitor)).toBe('203.0.113.9');
  expect(await heard(port, '127.0.0.3', visitor)).toBe('127.0.0.3');
});
