import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { App } from '@homeport/contract/apps/schema';
import type { RanCommand } from '@homeport/contract/operations/schema';
import { type CloudflareProcess, startCloudflare } from '@homeport/stand-ins/testing';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { linkToken } from '../../domains/testing/linked-zones.ts';
import { bodyOf } from '../../http/testing.ts';
import { type LinkedConsole, startLinkedConsole } from '../../testing/linked-console.ts';
import { begin, followToEnd, runToEnd, succeeded } from '../../testing/page.ts';

let cloudflare: CloudflareProcess;
let linked: LinkedConsole;
let zone: string;

/** Dokku on this server does not take one of the domains. */
const refusesOne =
  'case "$SSH_ORIGINAL_COMMAND" in *domains:add*refused.northquay.example*) echo "refused" >&2; exit 1;; esac';
/** The first addition of another one is done, and does not end while the gate is there. */
const holdsOne = `case "$SSH_ORIGINAL_COMMAND" in *domains:add*repeated.northquay.example*)
  if mkdir "$DOKKU_SANDBOX_ROOT/tried" 2>/dev/null; then
    touch "$DOKKU_SANDBOX_ROOT/gate"
    sh -c "$SSH_ORIGINAL_COMMAND"
    while [ -e "$DOKKU_SANDBOX_ROOT/gate" ]; do sleep 0.05; done
    exit 0
  fi;;
esac`;

beforeAll(async () => {
  cloudflare = await startCloudflare();
  zone = await cloudflare.addZone('northquay.example');
  linked = await startLinkedConsole(
    { beforeEach: `${refusesOne}\n${holdsOne}` },
    { cloudflareUrl: cloudflare.url },
  );
  succeeded(await runToEnd(linked.ines, `POST /api/servers/${linked.server.id}/install`));
  await linkToken({ cloudflare }, linked.ines);
}, 120_000);
afterEach(() => cloudflare.answerWell());
afterAll(async () => {
  await linked?.[Symbol.asyncDispose]();
  await cloudflare?.[Symbol.asyncDispose]();
});

/** Creates an app with this domain. The creation succeeds, whatever comes of the domain. */
async function create(name: string, ownDomain: { domain: string; seen?: string[] }) {
  const { ines, server, pushKey } = linked;
  const body = { name, serverId: server.id, keyIds: [pushKey.id], ownDomain };
  const { operation } = await runToEnd(ines, 'POST /api/apps', body);
  const { appId } = succeeded({ operation, lines: [] }).result as { appId: string };
  const step = (key: string) => operation.steps.find((each) => each.key === key);
  const app = bodyOf<App>(await ines.call(`GET /api/apps/${appId}`), 200);
  return { operation, app, record: step('own-record'), added: step('own-domain') };
}
const recordsAt = async (host: string) =>
  (await cloudflare.recordsOf(zone)).filter(({ name }) => name === `${host}.northquay.example`);

test('a new app gets a domain of the person’s own with its record, before HTTPS and beside the default one', async () => {
  const { operation, app, record, added } = await create('shop', {
    domain: 'shop.northquay.example',
    seen: [],
  });
  expect(operation.steps.map(({ title }) => title).slice(5)).toEqual([
    'Add the domain',
    'Point shop.northquay.example at the server',
    'Add shop.northquay.example',
    'Finished with deployment instructions',
  ]);
  expect([record?.state, added?.state]).toEqual(['done', 'done']);
  expect(app.domains).toEqual([`${app.longname}.lantern.localhost`, 'shop.northquay.example']);
  expect(await recordsAt('shop')).toMatchObject([{ type: 'A', content: linked.server.ip, proxied: false }]);
}, 60_000);

test('a record stays as it is where the person did not have it replaced', async () => {
  await cloudflare.addRecord(zone, { type: 'A', name: 'old', content: '203.0.113.9' });
  const { app, record, added } = await create('old', { domain: 'old.northquay.example' });
  expect([record, added?.state]).toEqual([undefined, 'done']);
  expect(app.domains).toContain('old.northquay.example');
  expect(await recordsAt('old')).toMatchObject([{ content: '203.0.113.9' }]);
}, 60_000);

test('records that the person did not see are not replaced: the app is there without the domain', async () => {
  await cloudflare.addRecord(zone, { type: 'A', name: 'taken', content: '203.0.113.9' });
  const { app, record, added, operation } = await create('taken', {
    domain: 'taken.northquay.example',
    seen: [],
  });
  expect(record).toMatchObject({
    state: 'warned',
    note: expect.stringContaining('Other records stand at this name by now'),
  });
  expect(added).toMatchObject({
    state: 'skipped',
    note: 'The app is there, and its page adds taken.northquay.example later.',
  });
  expect(app.domains).toEqual([`${app.longname}.lantern.localhost`]);
  expect(await recordsAt('taken')).toMatchObject([{ content: '203.0.113.9' }]);
  const ran = bodyOf<RanCommand[]>(
    await linked.ines.call(`GET /api/operations/${operation.id}/commands`),
    200,
  );
  expect(ran.filter(({ command }) => command.includes('northquay'))).toEqual([]);
}, 60_000);

test('a creation goes on where Cloudflare cannot be reached, and where the domain is in nobody’s linked zone', async () => {
  await cloudflare.answerBadly('hang_up');
  const away = await create('away', { domain: 'away.northquay.example', seen: [] });
  expect(away.record).toMatchObject({
    state: 'warned',
    note: expect.stringContaining('cannot reach Cloudflare'),
  });
  expect(away.app.domains).toHaveLength(1);
  await cloudflare.answerWell();
  const foreign = await create('foreign', { domain: 'www.somebody-else.example', seen: [] });
  expect(foreign.record).toMatchObject({
    state: 'warned',
    note: expect.stringContaining('is in no domain of your Cloudflare account'),
  });
  expect(foreign.app.domains).toHaveLength(1);
}, 60_000);

test('a record that an earlier try has made is no other one, and is not made twice', async () => {
  await cloudflare.addRecord(zone, { type: 'A', name: 'cutoff', content: linked.server.ip });
  const { app, record } = await create('cutoff', { domain: 'cutoff.northquay.example', seen: [] });
  expect(record).toMatchObject({ state: 'done' });
  expect(app.domains).toContain('cutoff.northquay.example');
  expect(await recordsAt('cutoff')).toHaveLength(1);
}, 60_000);

test('an addition that lost its connection is repeated, and the app has the domain once', async () => {
  const { ines, server, pushKey, host } = linked;
  const ownDomain = { domain: 'repeated.northquay.example', seen: [] };
  const body = { name: 'repeated', serverId: server.id, keyIds: [pushKey.id], ownDomain };
  const { id, longname } = await begin(ines, 'POST /api/apps', body);
  const domainsThere = () => host.dokku('domains:report', longname ?? '').catch(() => '');
  await expect.poll(domainsThere, { timeout: 20_000 }).toContain(ownDomain.domain);
  await ines.call(`DELETE /api/servers/${server.id}/connection`);
  await linked.connect();
  await rm(join(host.sandbox.root, 'gate'));
  const { appId } = succeeded(await followToEnd(ines, id)).result as { appId: string };
  const app = bodyOf<App>(await ines.call(`GET /api/apps/${appId}`), 200);
  expect(app.domains).toEqual([`${longname}.lantern.localhost`, ownDomain.domain]);
}, 60_000);

test('a domain that Dokku refuses is a warning, though its record stands', async () => {
  const { app, record, added } = await create('refused', { domain: 'refused.northquay.example', seen: [] });
  expect(record).toMatchObject({ state: 'done' });
  expect(added).toMatchObject({
    state: 'warned',
    note: expect.stringMatching(
      /^refused\.northquay\.example was not added: .* its page adds refused\.northquay\.example later\.$/,
    ),
  });
  expect(app.domains).toEqual([`${app.longname}.lantern.localhost`]);
}, 60_000);

test('what is no domain is refused beside its field, before anything is made', async () => {
  const body = { name: 'x', serverId: linked.server.id, keyIds: [linked.pushKey.id] };
  for (const domain of ['no domain', '203.0.113.24', 'localhost', '*.northquay.example'])
    expect(await linked.ines.call('POST /api/apps', { ...body, ownDomain: { domain } })).toMatchObject({
      status: 400,
      body: { fields: { 'ownDomain.domain': expect.any(String) } },
    });
});
