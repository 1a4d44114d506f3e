import { setTimeout as wait } from 'node:timers/promises';
import type { Key } from '@homeport/contract/credentials/schema';
import { routes } from '@homeport/contract/routes';
import type { Server } from '@homeport/contract/servers/schema';
import { startSshd } from '@homeport/ssh/testing';
import { type CloudflareProcess, startCloudflare } from '@homeport/stand-ins/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { openAsPage, runToEnd } from '../testing/page.ts';
import { type SandboxServer, startSandboxServer } from '../testing/sandbox-host.ts';
import { type UsedCredentials, useCredentials } from '../testing/used-credentials.ts';
import { wholeBodies as bodies } from '../testing/whole-bodies.ts';
import { bodyOf, startTestApi, type TestApi, type TestVisitor } from './testing.ts';

let api: TestApi;
let cloudflare: CloudflareProcess;
let host: SandboxServer;
let ines: TestVisitor;
let keyId: string;
let server: Server;
/** Begun first: a minute has to pass after the use, and the other tests of this file take about as long. */
let used: Promise<UsedCredentials>;

beforeAll(async () => {
  used = useCredentials();
  used.catch(() => undefined);
  cloudflare = await startCloudflare();
  api = await startTestApi({ cloudflareUrl: cloudflare.url });
  host = await startSandboxServer();
  ines = await api.signUp('ines');
  const stored = await ines.call('POST /api/keys', { name: 'laptop', publicKey: host.publicKeyLine });
  keyId = bodyOf<Key>(stored, 201).id;
  server = await link(host.sshd.port, 'lantern');
}, 120_000);
afterAll(async () => {
  await (await used.catch(() => undefined))?.[Symbol.asyncDispose]();
  await host?.[Symbol.asyncDispose]();
  await api?.[Symbol.asyncDispose]();
  await cloudflare?.[Symbol.asyncDispose]();
});

async function link(port: number, name: string): Promise<Server> {
  const added = await ines.call('POST /api/servers', {
    name,
    ip: '127.0.0.1',
    port,
    username: host.sshd.user,
    credential: keyId,
    subdomain: name.replace(/[^a-z]/g, '') || 'other',
  });
  return bodyOf<Server>(added, 201);
}

const hostileTexts = [
  "'; rm -rf / #",
  '$(touch /tmp/homeport-pwned)',
  '`id`',
  'two\nlines',
  'nul\0byte',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '😀'.repeat(40),
  'x'.repeat(10_000),
  '--force',
  '',
];
const wrongTypes = [null, 7, -1, 1e308, true, [], {}, ['x'], { $ne: null }];

/** These prove the password, with a limit of tries per account. The tries are forgotten before each value. */
const provingPassword: ReadonlySet<string> = new Set([
  'PUT /api/profile/password',
  'PUT /api/profile/email-change',
  'POST /api/profile/delete',
]);

let addresses = 0;
/** One address may send 1,200 requests a minute, and there are more fields to spoil than that allows. */
const fromAnotherAddress = () => {
  addresses += 1;
  return { 'x-forwarded-for': `192.0.2.${addresses}` };
};

const changing = Object.entries(routes).filter(([, route]) => 'body' in route) as [
  keyof typeof routes,
  { body: z.ZodType },
][];

describe.each(changing.map(([key]) => key))('%s', (key) => {
  const body = bodies[key];

  test('has a body in this test whose fields can be spoiled', () => {
    expect(body, `Add a body for ${key}`).toBeDefined();
  });

  test.each(Object.keys(body ?? {}))(
    'answers a spoiled %s with a clear 4xx, or takes it as plain text',
    async (field) => {
      const path = key
        .replace(':id', crypto.randomUUID())
        .replace(':dump', crypto.randomUUID())
        .replace(':record', '0'.repeat(32))
        .replace(':rule', crypto.randomUUID());
      const from = fromAnotherAddress();
      for (const value of [...hostileTexts, ...wrongTypes, undefined]) {
        if (provingPassword.has(key)) await api.store.db.deleteFrom('attempts').execute();
        // One address has five codes of terminals that wait.
        if (key === 'POST /api/device') await api.store.db.deleteFrom('device_codes').execute();
        const { status, body: answer } = await ines.call(path, { ...body, [field]: value }, from);
        const shown = JSON.stringify(answer);
        expect(status, 'refused for its pace, so not tried').not.toBe(429);
        expect(status, `${field}=${JSON.stringify(value)?.slice(0, 60)} → ${shown}`).toBeLessThan(500);
        expect(shown).not.toMatch(/node_modules|at .+\.ts:\d+|SyntaxError|syntax error at or near/);
        if (status === 400 && !(value === undefined)) {
          expect(Object.keys((answer as { fields?: object }).fields ?? {}).join(), shown).toMatch(
            new RegExp(
              `^${field}|,${field}|credential|ip|subdomain|serverId|keyIds|publicKey|currentPassword|password|made|word`,
            ),
          );
        }
      }
    },
  );
});

test('a path on which a backtracking pattern would run for hours costs no processor time', async () => {
  const before = process.cpuUsage();
  for (const letters of [30, 60, 190]) {
    const path = `POST /api/apps/${crypto.randomUUID()}/storage`;
    const { status } = await ines.call(path, { containerPath: `/${'a'.repeat(letters)}!` });
    expect([400, 404]).toContain(status);
  }
  const { user, system } = process.cpuUsage(before);
  expect(user + system).toBeLessThan(1_000_000);
});

test('refuses bodies that are no JSON, too large, or of another type', async () => {
  expect((await ines.call('POST /api/keys', '{"name":')).status).toBe(400);
  expect((await ines.call('POST /api/keys', JSON.stringify({ name: 'x'.repeat(200_000) }))).status).toBe(413);
  expect(
    (await ines.call('POST /api/keys', 'name=x', { 'content-type': 'application/x-www-form-urlencoded' }))
      .status,
  ).toBeGreaterThanOrEqual(400);
  expect((await ines.call('POST /api/keys', { name: 'x', publicKey: 'x', extra: 1 })).status).toBe(400);
});

test('no hostile name reaches a remote shell: what the sshd received is quoted words of our own', async () => {
  await using sshd = await startSshd({
    authorizedKeys: [host.publicKeyLine],
    env: host.sandbox.env,
    recordCommands: true,
  });
  const recorded = await link(sshd.port, "o'brien; $(touch pwned) `id`");
  const account = { id: recorded.id, user: sshd.user };
  expect(await openAsPage(api.url, ines, account, host.signer, sshd.hostKeyFingerprint)).toMatchObject({
    type: 'ready',
  });
  for (const name of [
    "'; rm -rf / #",
    '$(touch /tmp/homeport-pwned)',
    '`id`',
    '../../etc',
    '<b>x</b>',
    '😀😀',
    '--force',
  ]) {
    const { operation, lines } = await runToEnd(ines, 'POST /api/apps', {
      name,
      serverId: recorded.id,
      keyIds: [keyId],
      httpsEmail: 'a+b@example.com',
    });
    expect(operation.state, JSON.stringify(lines)).toBe('succeeded');
    expect(operation.longname).toMatch(/^[a-z0-9][a-z0-9-]*-[a-z0-9]{6}$/);
  }
  for (const name of ["'; rm -rf / #", '$(touch /tmp/homeport-pwned)', '😀😀', '--force']) {
    const asked = { name, type: 'redis', serverId: recorded.id, imageVersion: '8.8.0', memoryMb: 64 };
    const { operation, lines } = await runToEnd(ines, 'POST /api/databases', asked);
    expect(operation.state, JSON.stringify(lines)).toBe('succeeded');
    expect(operation.longname).toMatch(/^[a-z0-9][a-z0-9-]*-[a-z0-9]{6}$/);
  }
  const received = sshd.received().map((line) => line.toString('utf8'));
  expect(received.length).toBeGreaterThan(40);
  for (const line of received) {
    expect(line).not.toMatch(/rm -rf|touch \/tmp|o'brien|<b>|😀|`id`/);
  }
  expect(server.id).not.toBe(recorded.id);
}, 120_000);

test('credentials of Cloudflare and GitHub that were used a minute ago are not in a snapshot of the console’s heap', async () => {
  const { cloudflare: token, github, usedAt, countInHeap } = await used;
  // Connections that were used stay open for a moment, with what was sent last.
  await wait(Math.max(0, usedAt + 60_000 - Date.now()));
  const { found, control } = await countInHeap([token, github]);
  expect(control).toBeGreaterThan(0);
  expect(found).toEqual([0, 0]);
}, 120_000);
