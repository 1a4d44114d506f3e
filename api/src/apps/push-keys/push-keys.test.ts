import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { keysPerCreation } from '@homeport/contract/apps/facts';
import { keysOfName, noPusherLeft, pushNamesAtMost } from '@homeport/contract/apps/push-keys/facts';
import type { PushList } from '@homeport/contract/apps/push-keys/schema';
import type { App } from '@homeport/contract/apps/schema';
import type { Known } from '@homeport/contract/apps/settings-schema';
import type { Key } from '@homeport/contract/credentials/schema';
import type { Operation, RanCommand } from '@homeport/contract/operations/schema';
import { makeKey } from '@homeport/ssh/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { bodyOf } from '../../http/testing.ts';
import { type LinkedConsole, startLinkedConsole } from '../../testing/linked-console.ts';
import { runToEnd, succeeded } from '../../testing/page.ts';
import { keyNameOf } from './deploying-key.ts';

let linked: LinkedConsole;
let app: App;
/** The name of the key with which the app was created. */
let git: string;
beforeAll(async () => {
  linked = await startLinkedConsole({ plugins: ['acl'] });
  const { ines, server, pushKey } = linked;
  succeeded(await runToEnd(ines, `POST /api/servers/${server.id}/install`));
  const creation = { name: 'ledger', serverId: server.id, keyIds: [pushKey.id] };
  const { longname } = succeeded(await runToEnd(ines, 'POST /api/apps', creation));
  app = await readApp((each) => each.longname === longname);
  git = `homeport-${pushKey.id}`;
  await dokku(['ssh-keys:add', 'alice'], `${makeKey().publicKeyLine}\n`);
}, 120_000);
afterAll(() => linked?.[Symbol.asyncDispose]());

beforeEach(async () => {
  await dokku(['acl:add', app.longname, git]).catch(() => undefined);
  for (const name of await listed()) if (name !== git) await dokku(['acl:remove', app.longname, name]);
});

async function readApp(is: (app: App) => boolean): Promise<App> {
  const found = bodyOf<App[]>(await linked.ines.call('GET /api/apps'), 200).find(is);
  if (!found) throw new Error('There is no such app.');
  return found;
}
function dokku(words: string[], input?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile('dokku', words, { env: linked.host.sandbox.env, timeout: 30_000 }, (error, out) =>
      error ? reject(error) : resolve(out),
    );
    // A command that reads no input may be over before a write reaches it.
    // A command may refuse before it reads.
    child.stdin?.on('error', () => {});
    if (input === undefined) child.stdin?.end();
    else child.stdin?.end(input);
  });
}
const listed = async () => (await dokku(['acl:list', app.longname])).split('\n').filter(Boolean);
const told = async () => bodyOf<PushList>(await linked.ines.call(`GET /api/apps/${app.id}/push-keys`), 200);
const path = () => `POST /api/apps/${app.id}/push-keys`;
type Asked = { from: string[] | null; to: string[]; add: string[] };
/** As the page sends it: a name comes with the keys that the server has under it. */
async function bodyFor({ from, to, add }: Asked) {
  const { keys } = await told();
  const fingerprintsOf = (of: string) => keys.find(({ name }) => name === of)?.fingerprints ?? [];
  return { from, to: to.map((key) => ({ key, fingerprints: fingerprintsOf(key) })), add };
}
const change = async (asked: Asked) => (await runToEnd(linked.ines, path(), await bodyFor(asked))).operation;
async function commandsOf({ id }: Operation): Promise<string[]> {
  const ran = bodyOf<RanCommand[]>(await linked.ines.call(`GET /api/operations/${id}/commands`), 200);
  return ran.map(({ command }) => command);
}
/** Takes the acl plugin from the server. The answer puts it back. */
async function withoutPlugin(): Promise<() => Promise<void>> {
  const file = join(linked.host.sandbox.root, 'settings.json');
  const before = await readFile(file, 'utf8');
  const { plugins, ...settings } = JSON.parse(before) as { plugins: { name: string }[] };
  const others = plugins.filter(({ name }) => name !== 'acl');
  await writeFile(file, JSON.stringify({ ...settings, plugins: others }));
  return () => writeFile(file, before);
}
async function addKey(name: string) {
  const { publicKeyLine } = makeKey();
  const { id } = bodyOf<Key>(
    await linked.ines.call('POST /api/keys', { name, publicKey: publicKeyLine }),
    201,
  );
  return { id, line: `${publicKeyLine}\n`, remove: () => linked.ines.call(`DELETE /api/keys/${id}`) };
}

test('the keys of the person and of the server are told with those that may push', async () => {
  const list = await told();
  expect(list).toMatchObject({ hasLists: true, more: 0, odd: 0, isTooLong: false, mayAdd: true });
  const short = list.keys.map(({ name, standing, listed: may }) => [name, standing, may]);
  expect(short).toEqual([
    [null, 'absent', false],
    [git, 'named', true],
    ['alice', 'named', false],
  ]);
});

test('a key that the server lacks and one that it has get onto the list before another comes off it', async () => {
  const desk = await addKey('desk');
  const done = await change({ from: [git], to: ['alice'], add: [desk.id] });
  expect(done).toMatchObject({ state: 'succeeded', toasts: [{ tone: 'ok', text: 'Keys changed' }] });
  expect(await listed()).toEqual(['alice', `homeport-${desk.id}`]);
  const acts = (await commandsOf(done)).flatMap(
    (command) => /(?:acl|ssh-keys):(?:add|remove)/.exec(command)?.[0] ?? [],
  );
  expect(acts).toEqual(['ssh-keys:add', 'acl:add', 'acl:add', 'acl:remove']);
  expect(done.steps.at(-1)?.note).toBe(`alice, homeport-${desk.id} may push to the app.`);
  const known = bodyOf<Known>(await linked.ines.call(`GET /api/apps/${app.id}/known`), 200);
  const list = await told();
  expect(known.pushers?.told).toEqual({ ...list, keys: list.keys.filter((key) => key.listed) });
  expect((await readApp(({ id }) => id === app.id)).keys).toEqual([desk.id]);
  await dokku(['ssh-keys:remove', `homeport-${desk.id}`]);
  await desk.remove();
}, 60_000);

test('with nobody of the person on the list, the record does not say that every key may push', async () => {
  expect(await change({ from: [git], to: ['alice'], add: [] })).toMatchObject({ state: 'succeeded' });
  expect((await readApp(({ id }) => id === app.id)).keys).toBeNull();
}, 60_000);

test('the last key does not come off, because an empty list lets every key push', async () => {
  expect(await linked.ines.call(path(), { from: [git], to: [], add: [] })).toMatchObject({
    status: 400,
    body: { fields: { to: noPusherLeft } },
  });
});

test('a list that was changed since it was shown is refused, also when the work is run again', async () => {
  await dokku(['acl:add', app.longname, 'alice']);
  const desk = await addKey('desk');
  const refused = await change({ from: [git], to: [git], add: [desk.id] });
  expect(refused).toMatchObject({
    state: 'failed',
    problem: { message: expect.stringContaining('alice may push by now') },
  });
  const again = await runToEnd(linked.ines, `POST /api/operations/${refused.id}/retry`, {});
  expect(again.operation.state).toBe('failed');
  expect(await listed()).toEqual(['alice', git]);
  // The page shows the list that refused the change, not the earlier one.
  const known = bodyOf<Known>(await linked.ines.call(`GET /api/apps/${app.id}/known`), 200);
  expect(known.pushers?.told.keys.map(({ name }) => name).toSorted()).toEqual(['alice', git].toSorted());
  // Nor did the key reach the server, where it could have pushed to apps without a list.
  expect(await dokku(['ssh-keys:list'])).not.toContain(desk.id);
  await dokku(['acl:remove', app.longname, 'alice']);
  succeeded(await runToEnd(linked.ines, `POST /api/operations/${refused.id}/retry`, {}));
  expect(await listed()).toEqual([git, `homeport-${desk.id}`].toSorted());
  await dokku(['ssh-keys:remove', `homeport-${desk.id}`]);
  await desk.remove();
}, 60_000);

test('of two changes of one list at once, one is refused', async () => {
  const desk = await addKey('desk');
  await dokku(['ssh-keys:add', 'desk'], desk.line);
  const bodies = await Promise.all(
    ['alice', 'desk'].map((name) => bodyFor({ from: [git], to: [git, name], add: [] })),
  );
  const works = await Promise.all([
    runToEnd(linked.ines, path(), bodies[0]),
    runToEnd(linked.ines, path(), bodies[1]),
  ]);
  expect(works.map(({ operation }) => operation.state).toSorted()).toEqual(['failed', 'succeeded']);
  expect(await listed()).toHaveLength(2);
  await dokku(['ssh-keys:remove', 'desk']);
  await desk.remove();
}, 60_000);

test('work that was cut off between two names goes on', async () => {
  // As a try leaves it that was killed behind its first `acl:add`.
  await dokku(['acl:add', app.longname, 'alice']);
  expect(await change({ from: [git], to: ['alice'], add: [] })).toMatchObject({ state: 'succeeded' });
  expect(await listed()).toEqual(['alice']);
}, 60_000);

test('a keypair that the person removed, and a key that left the server, change nothing', async () => {
  const desk = await addKey('desk');
  await desk.remove();
  expect(await change({ from: [git], to: [git], add: [desk.id] })).toMatchObject({
    state: 'failed',
    problem: { message: expect.stringContaining('You removed one of these keys') },
  });
  expect(await change({ from: [git], to: [git, 'bob'], add: [] })).toMatchObject({
    state: 'failed',
    problem: { message: expect.stringContaining('The server has no key bob any more') },
  });
  expect(await listed()).toEqual([git]);
}, 60_000);

test('another key that has the name of a new one is not let in', async () => {
  const desk = await addKey('desk');
  const other = makeKey();
  await dokku(['ssh-keys:add', `homeport-${desk.id}`], `${other.publicKeyLine}\n`);
  expect(await change({ from: [git], to: [git], add: [desk.id] })).toMatchObject({
    state: 'failed',
    problem: { message: expect.stringContaining('Another key has the name that desk would get') },
  });
  expect(await listed()).toEqual([git]);
  await dokku(['ssh-keys:remove', `homeport-${desk.id}`]);
  await desk.remove();
}, 60_000);

test('a name that another key got since it was shown is not let in', async () => {
  await dokku(['ssh-keys:add', 'bob'], `${makeKey().publicKeyLine}\n`);
  const shown = await bodyFor({ from: [git], to: [git, 'bob'], add: [] });
  await dokku(['ssh-keys:remove', 'bob']);
  await dokku(['ssh-keys:add', 'bob'], `${makeKey().publicKeyLine}\n`);
  expect((await runToEnd(linked.ines, path(), shown)).operation).toMatchObject({
    state: 'failed',
    problem: { message: expect.stringContaining('another key under the name bob than you saw') },
  });
  expect(await listed()).toEqual([git]);
  await dokku(['ssh-keys:remove', 'bob']);
}, 60_000);

test('a name that Homeport passes on to no command stays on the list', async () => {
  await dokku(['acl:add', app.longname, 'a b;id']);
  const desk = await addKey('desk');
  await dokku(['ssh-keys:add', 'my desk'], desk.line);
  const list = await told();
  expect(list.odd).toBe(1);
  expect(list.keys.find(({ keyId }) => keyId === desk.id)).toMatchObject({
    name: null,
    standing: 'misnamed',
  });
  expect(await change({ from: [git], to: [git], add: [desk.id] })).toMatchObject({
    state: 'failed',
    problem: { message: expect.stringContaining('under a name that Homeport passes on to no command') },
  });
  expect(await change({ from: [git], to: ['alice'], add: [] })).toMatchObject({ state: 'succeeded' });
  expect(await listed()).toEqual(['a b;id', 'alice']);
  await dokku(['ssh-keys:remove', 'my desk']);
  await desk.remove();
}, 60_000);

test('the key of a continuous deployment stays on the list, and gets onto the first one', async () => {
  const name = keyNameOf(app.id);
  await dokku(['ssh-keys:add', name], `${makeKey().publicKeyLine}\n`);
  const { db } = linked.api.store;
  const owner = linked.ines.userId;
  await db
    .insertInto('continuous_deployments')
    .values({
      ...{ app_id: app.id, owner_id: owner as never, repository: 'ines/ledger', branch: 'main' },
      created_at: Date.now(),
    })
    .execute();
  await dokku(['acl:remove', app.longname, git]);
  expect(await change({ from: [], to: [git], add: [] })).toMatchObject({ state: 'succeeded' });
  expect((await listed()).toSorted()).toEqual([git, name].toSorted());
  expect((await told()).keys.find((key) => key.name === name)).toMatchObject({ deploys: true, listed: true });
  expect(await change({ from: [git, name], to: [git], add: [] })).toMatchObject({
    state: 'failed',
    problem: { message: expect.stringContaining('GitHub deploys the app with a key') },
  });
  expect(await listed()).toHaveLength(2);
  await db.deleteFrom('continuous_deployments').where('app_id', '=', app.id).execute();
  await dokku(['ssh-keys:remove', name]);
}, 60_000);

test('without the acl plugin a key is added for every app, and a list that was shown is refused', async () => {
  const desk = await addKey('desk');
  const enable = await withoutPlugin();
  try {
    const list = await told();
    expect(list).toMatchObject({ hasLists: false, odd: 0 });
    expect(list.keys.some((key) => key.listed)).toBe(false);
    expect(await change({ from: [git], to: [git], add: [desk.id] })).toMatchObject({
      state: 'failed',
      problem: { message: expect.stringContaining('has the acl plugin no more') },
    });
    expect(await dokku(['ssh-keys:list'])).not.toContain(desk.id);
    const added = await change({ from: null, to: [], add: [desk.id] });
    expect(added).toMatchObject({ state: 'succeeded' });
    expect(added.steps.at(-1)?.note).toBe('Every key of the server may push to every app there.');
    expect(await dokku(['ssh-keys:list'])).toContain(`homeport-${desk.id}`);
    expect((await readApp(({ id }) => id === app.id)).keys).toEqual([]);
  } finally {
    await enable();
  }
  expect(await change({ from: null, to: [], add: [desk.id] })).toMatchObject({
    state: 'failed',
    problem: { message: expect.stringContaining('has the acl plugin by now') },
  });
  await dokku(['ssh-keys:remove', `homeport-${desk.id}`]);
  await desk.remove();
}, 60_000);

test('hostile values are refused before anything runs', async () => {
  const ids = (count: number) => Array.from({ length: count }, (_, at) => at.toString(16).padStart(32, '0'));
  const names = (count: number) => Array.from({ length: count }, (_, at) => `key-${at}`);
  const prints = (count: number) =>
    Array.from({ length: count }, (_, at) => `SHA256:${String(at).padStart(43, 'A')}`);
  const keys = (...of: string[]) => of.map((key) => ({ key, fingerprints: [] }));
  const refused = [
    {},
    { from: [git], to: keys(git), add: [] },
    { from: ['a', 'b'], to: keys('b', 'a'), add: [] },
    { from: null, to: keys('alice'), add: [] },
    { from: null, to: [], add: [] },
    { from: [], to: keys('alice', 'alice'), add: [] },
    { from: [], to: [], add: [...ids(1), ...ids(1)] },
    { from: [], to: [], add: ['../key'] },
    { from: [], to: [], add: ids(keysPerCreation + 1) },
    { from: [], to: keys(...names(pushNamesAtMost + 1)), add: [] },
    { from: names(pushNamesAtMost + 1), to: keys('alice'), add: [] },
    { from: [], to: ['alice'], add: [] },
    { from: [], to: [{ key: 'alice', fingerprints: ['SHA256:x'] }], add: [] },
    { from: [], to: [{ key: 'alice', fingerprints: prints(keysOfName + 1) }], add: [] },
    ...['--force', 'a b', "it's", '$(id)', 'a\nb', 'a/b', '', 'x'.repeat(65), 7, null].map((key) => ({
      ...{ from: [], to: [{ key, fingerprints: [] }], add: [] },
    })),
  ];
  for (const body of refused)
    expect((await linked.ines.call(path(), body)).status, JSON.stringify(body)).toBe(400);
  const most = {
    from: names(pushNamesAtMost),
    to: [{ key: 'alice', fingerprints: prints(keysOfName) }, ...keys(...names(pushNamesAtMost - 1))],
    add: ids(keysPerCreation),
  };
  expect((await runToEnd(linked.ines, path(), most)).operation).toMatchObject({
    state: 'failed',
    problem: { message: expect.stringContaining('You removed one of these keys') },
  });
  expect(await listed()).toEqual([git]);
}, 60_000);
