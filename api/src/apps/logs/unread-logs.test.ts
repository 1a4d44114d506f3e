import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { channelsPerConnection } from '@homeport/contract/limits';
import { makeKey, type Sshd, signerFor, startSshd } from '@homeport/ssh/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApi, type TestApi, type TestPerson } from '../../http/testing.ts';
import { linkServer, type TestLink } from '../../testing/link-server.ts';
import { plantApp } from '../../testing/plant.ts';

/** A hostile server whose logs never end, and readers that read nothing. */
let api: TestApi;
let eve: TestPerson;
let sshd: Sshd;
let folder: string;
let link: TestLink;
let appId: string;

const mebibyte = 1024 * 1024;
/** More logs than a connection has channels. The others wait. */
const unreadStreams = 40;
const mark = `homeport-unread-${process.pid}`;

beforeAll(async () => {
  api = await startTestApi();
  eve = await api.signUp('eve');
  folder = await mkdtemp(join(tmpdir(), 'homeport-unread-'));
  await chmod(folder, 0o755);
  const { publicKeyLine, privateKeyPem } = makeKey();
  const program = join(folder, 'answer');
  await writeFile(
    program,
    `#!/bin/sh
case $SSH_ORIGINAL_COMMAND in
  *--tail) exec yes "2026-01-01T00:00:00.000000000Z app[web.1]: ${mark} $(head -c 900 /dev/zero | tr '\\0' a)" ;;
  *) exec sh -c "$SSH_ORIGINAL_COMMAND" ;;
esac
`,
    { mode: 0o755 },
  );
  sshd = await startSshd({ authorizedKeys: [publicKeyLine], config: { ForceCommand: program } });
  link = await linkServer(api.url, eve, { sshd, publicKeyLine, signer: signerFor(privateKeyPem) });
  await link.connect();
  ({ id: appId } = await plantApp(api.store.db, eve.userId, link.server.id));
}, 60_000);
afterAll(async () => {
  await sshd?.dispose();
  await api?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** Requests the log and does not read the answer. */
function openUnread(): Socket {
  const { hostname, port, host } = new URL(api.url);
  const socket = connect(Number(port), hostname).on('error', () => {});
  socket.write(
    `GET /api/apps/${appId}/logs HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${api.url}\r\nCookie: ${eve.cookie()}\r\n\r\n`,
  );
  return socket.pause();
}

const floods = () =>
  execFileSync('ps', ['-e', '-o', 'args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.startsWith('yes ') && line.includes(mark)).length;

test('unread logs of a flooding server cost little memory, and another command on the connection is answered', async () => {
  const before = process.memoryUsage().rss;
  const sockets = Array.from({ length: unreadStreams }, openUnread);
  await expect.poll(floods, { timeout: 20_000 }).toBeGreaterThanOrEqual(channelsPerConnection - 2);
  let grownBy = 0;
  const until = performance.now() + 3_000;
  while (performance.now() < until) {
    grownBy = Math.max(grownBy, process.memoryUsage().rss - before);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect(grownBy).toBeLessThan(200 * mebibyte);

  const firewall = await eve.call(`POST /api/servers/${link.server.id}/firewall`, {});
  expect(firewall).toMatchObject({ status: 200, body: { checkedAt: expect.any(Number) } });

  for (const socket of sockets) socket.destroy();
  await expect.poll(floods, { timeout: 20_000 }).toBe(0);
}, 60_000);
