import type { Operation } from '@homeport/contract/operations/schema';
import type { Server } from '@homeport/contract/servers/schema';
import { type CloudflareProcess, startCloudflare } from '@homeport/stand-ins/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bodyOf, startTestApi, type TestApi, type TestVisitor } from '../../http/testing.ts';
import { begin, followToEnd, openAsPage } from '../../testing/page.ts';
import { type SandboxServer, startSandboxServer } from '../../testing/sandbox-host.ts';

// The operator has a token for the zone of the shared suffix.

const token = `cfut_${'w'.repeat(48)}`;
let cloudflare: CloudflareProcess;
let zone: string;
let api: TestApi;
let host: SandboxServer;
let ines: TestVisitor;
let server: Server;

beforeAll(async () => {
  cloudflare = await startCloudflare();
  zone = await cloudflare.addZone('example.com');
  await cloudflare.grant({ secret: token });
  api = await startTestApi({
    appDomain: 'apps.example.com',
    appDomainToken: token,
    cloudflareUrl: cloudflare.url,
  });
  host = await startSandboxServer();
  ines = await api.signUp('ines');
  const key = await ines.call('POST /api/keys', { name: 'laptop', publicKey: host.publicKeyLine });
  const added = await ines.call('POST /api/servers', {
    name: 'pier',
    ip: '127.0.0.1',
    port: host.sshd.port,
    username: host.sshd.user,
    credential: bodyOf<{ id: string }>(key, 201).id,
    subdomain: 'pier',
  });
  server = bodyOf<Server>(added, 201);
  const login = { id: server.id, user: host.sshd.user };
  await openAsPage(api.url, ines, login, host.signer, host.sshd.hostKeyFingerprint);
}, 120_000);
afterAll(async () => {
  await host?.[Symbol.asyncDispose]();
  await api?.[Symbol.asyncDispose]();
  await cloudflare?.[Symbol.asyncDispose]();
});

const install = async () => {
  const { id } = await begin(ines, `POST /api/servers/${server.id}/install`);
  return (await followToEnd(ines, id)).operation;
};
const wildcardOf = ({ steps }: Operation) => steps.find(({ key }) => key === 'wildcard');

test('an installation makes the wildcard of the claimed subdomain lead to the server, and tells a refusal without failing', async () => {
  await cloudflare.revoke(token);
  const refused = await install();
  expect(refused.state).toBe('succeeded');
  expect(wildcardOf(refused)).toMatchObject({
    state: 'warned',
    note: expect.stringContaining('*.pier.apps.example.com'),
  });
  expect(await cloudflare.recordsOf(zone)).toEqual([]);

  await cloudflare.grant({ secret: token });
  expect(wildcardOf(await install())).toMatchObject({
    state: 'done',
    note: '*.pier.apps.example.com leads to 127.0.0.1 now.',
  });
  expect(await cloudflare.recordsOf(zone)).toMatchObject([
    { type: 'A', name: '*.pier.apps.example.com', content: '127.0.0.1', proxied: false },
  ]);
  const kept = JSON.stringify([await ines.call('GET /api/operations'), api.logged]);
  expect(kept).not.toContain(token);
}, 180_000);
