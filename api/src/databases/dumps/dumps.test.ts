import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { dumpStallMs } from '@homeport/contract/databases/facts';
import type { Database, Dump, Dumps } from '@homeport/contract/databases/schema';
import { transfersPerPerson } from '@homeport/contract/limits';
import type { Operation } from '@homeport/contract/operations/schema';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bodyOf, type TestVisitor } from '../../http/testing.ts';
import { notifyChange } from '../../live/notify-change.ts';
import { type LinkedConsole, startLinkedConsole } from '../../testing/linked-console.ts';
import { runToEnd, succeeded } from '../../testing/page.ts';
import { wholeStore } from '../../testing/whole-store.ts';

let linked: LinkedConsole;
let ines: TestVisitor;
let database: Database;
/** What operations answered, to search for secrets. */
const told: string[] = [];

beforeAll(async () => {
  linked = await startLinkedConsole({ plugins: ['acl', 'letsencrypt'] });
  ({ ines } = linked);
  succeeded(await runToEnd(ines, `POST /api/servers/${linked.server.id}/install`));
  database = await create('orders', 'postgres');
}, 180_000);
afterAll(() => linked?.[Symbol.asyncDispose]());

async function create(name: string, type: string): Promise<Database> {
  const body = { name, type, serverId: linked.server.id, installPlugin: true };
  succeeded(await runToEnd(ines, 'POST /api/databases', body));
  const all = bodyOf<Database[]>(await ines.call('GET /api/databases'), 200);
  const found = all.find((each) => each.name === name);
  if (!found) throw new Error(`There is no record of ${name}.`);
  return found;
}

const address = (rest = '', of = database) => `/api/databases/${of.id}/dumps${rest}`;
const place = (...path: string[]) => join(linked.host.sandbox.root, 'lib', ...path);
const held = () => place('services/postgres', database.longname, 'data/held-by-the-sandbox');
const fileOf = (id: string) => place('data/homeport/dumps/postgres', database.longname, id, 'dump');
const rows = (text: string | Buffer) => Buffer.concat([Buffer.from('PGDMP'), Buffer.from(text)]);
const sum = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function ask(key: string, body?: unknown): Promise<Operation> {
  const ended = await runToEnd(ines, key, body);
  const commands = await ines.call(`GET /api/operations/${ended.operation.id}/commands`);
  told.push(JSON.stringify([ended, commands.body]));
  return ended.operation;
}

/** Runs `act`, and waits until the pages of the person have heard of a change of the database. */
async function toldOther(act: () => Promise<void>): Promise<void> {
  const heard: (string | null)[] = [];
  const stop = await linked.api.store.listener.on('changed', ({ topic, id }) => heard.push(`${topic} ${id}`));
  try {
    // Notifications arrive in order: after this one, none of earlier work is left.
    await notifyChange(linked.api.store.db, linked.ines.userId, 'profile', null);
    await expect.poll(() => heard.splice(0)).toContain('profile null');
    await act();
    await expect.poll(() => heard).toContain(`databases ${database.id}`);
  } finally {
    stop();
  }
}

async function list(): Promise<Dump[]> {
  const dumps = bodyOf<Dumps>(await ines.call(`GET ${address()}`), 200);
  if (dumps.kind !== 'listed') throw new Error('The server lists no dumps.');
  expect(dumps.freeBytes).toBeGreaterThan(0);
  return dumps.dumps;
}

async function make(bytes: Buffer): Promise<Dump> {
  writeFileSync(held(), bytes);
  const { id, state, result } = await ask(`POST ${address()}`);
  expect(state).toBe('succeeded');
  expect(result).toMatchObject({ bytes: bytes.length });
  const made = (await list()).find((dump) => dump.id === id);
  if (!made) throw new Error('The dump is not listed.');
  return made;
}

const fetchDump = (id: string) => ines.open(`GET ${address(`/${id}/content`)}`);
const send = (
  id: string,
  body: Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
  visitor = ines,
) =>
  visitor.open(`PUT ${address(`/${id}`)}`, {
    body,
    headers: { 'content-type': 'application/octet-stream', ...headers },
  });
const restore = (id: string) => ask(`POST ${address(`/${id}/restore`)}`, { confirmation: 'restore' });

test('a dump is made on the server, listed, and downloaded byte for byte', async () => {
  const bytes = rows(randomBytes(3 * 1024 * 1024));
  const made = await make(bytes);
  expect(made).toMatchObject({ origin: 'made', bytes: bytes.length, sha256: sum(bytes) });
  const answer = await fetchDump(made.id);
  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-length': String(bytes.length),
    'content-type': 'application/octet-stream',
    'content-disposition': expect.stringMatching(
      new RegExp(`^attachment; filename="postgres-${database.longname}-\\d{8}T\\d{6}Z\\.pgdump"$`),
    ),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  expect(sum(Buffer.from(await answer.arrayBuffer()))).toBe(made.sha256);
});

/** Has the server answer as with the plugin 1.4.0, which sends the bytes without a look at them. */
function withOlderPlugin(): Disposable {
  const plugin = join(linked.host.sandbox.root, 'machine/var/lib/dokku/plugins/available/homeport');
  const files = ['plugin.toml', 'subcommands/dump-read'].map((name) => join(plugin, name));
  const present = files.map((file) => readFileSync(file, 'utf8'));
  const older = [
    (toml: string) => toml.replace(/^version = .*$/m, 'version = "1.4.0"'),
    (program: string) => program.replace(/^main\(\) \{$[\s\S]*?^\}$/m, olderMain),
  ];
  for (const [index, file] of files.entries())
    writeFileSync(file, older[index]?.(present[index] ?? '') ?? '');
  return {
    [Symbol.dispose]() {
      for (const [index, file] of files.entries()) writeFileSync(file, present[index] ?? '');
    },
  };
}
const olderMain = 'main() {\n  require_dumps "$2" "$3"\n  exec cat -- "$folder/$4/dump"\n}';

describe.each([
  ['whose plugin compares what it sends', () => ({ [Symbol.dispose]() {} })],
  ['with an older plugin', withOlderPlugin],
])('from a server %s', (_title, prepare) => {
  test('a dump whose file was changed never arrives as a whole one', async () => {
    using _plugin = prepare();
    const small = await make(rows('lamps'));
    expect((await fetchDump(small.id)).status).toBe(200);
    writeFileSync(fileOf(small.id), rows('lambs'));
    const refused = await fetchDump(small.id);
    expect(refused.status).toBe(502);
    expect(await refused.text()).toContain('The dump on the server no longer has its checksum');
    const large = await make(rows(Buffer.alloc(2 * 1024 * 1024)));
    const changed = rows(Buffer.alloc(2 * 1024 * 1024));
    changed[1_000_000] = 1;
    for (const bytes of [changed, changed.subarray(0, -1)]) {
      writeFileSync(fileOf(large.id), bytes);
      const answer = await fetchDump(large.id);
      await expect(answer.arrayBuffer()).rejects.toThrow();
    }
  });
});

test('the log of a dump leaves out what the plugin tells the console, and shows its errors', async () => {
  writeFileSync(held(), rows('lamps'));
  expect((await runToEnd(ines, `POST ${address()}`)).lines).toEqual([]);
  writeFileSync(held(), '');
  const { operation, lines } = await runToEnd(ines, `POST ${address()}`);
  expect(operation.state).toBe('failed');
  expect(lines.map(({ text }) => text).join('')).toContain('nothing was kept');
});

test('a restore keeps the present state first, and brings the dump’s data back', async () => {
  const chosen = await make(rows('first'));
  writeFileSync(held(), rows('second'));
  const operation = await restore(chosen.id);
  expect(operation).toMatchObject({ state: 'succeeded', toasts: [{ text: 'Database restored' }] });
  expect(readFileSync(held())).toEqual(rows('first'));
  const kept = (await list()).find(({ id }) => id === operation.id);
  expect(kept).toMatchObject({ origin: 'before_restore', sha256: sum(rows('second')) });
  await restore(operation.id);
  expect(readFileSync(held())).toEqual(rows('second'));
});

test('a paused database is started before its dump is restored', async () => {
  const chosen = await make(rows('first'));
  await linked.host.dokku('postgres:pause', database.longname);
  const operation = await restore(chosen.id);
  expect(operation.state).toBe('succeeded');
  expect(operation.steps[0]).toMatchObject({ note: 'The database did not run, and was started.' });
});

test('nothing is replaced where the present state cannot be kept, and the same restore ends well later', async () => {
  const chosen = await make(rows('first'));
  writeFileSync(held(), rows('second'));
  const { sandbox } = linked.host;
  sandbox.setFault('export', true);
  const failed = await restore(chosen.id);
  expect(failed).toMatchObject({
    state: 'failed',
    problem: { message: expect.stringContaining('could not be kept, so nothing was replaced') },
  });
  expect(readFileSync(held())).toEqual(rows('second'));
  sandbox.setFault('export', false);
  expect((await ask(`POST /api/operations/${failed.id}/retry`)).state).toBe('succeeded');
  expect(readFileSync(held())).toEqual(rows('first'));
});

test('an upload is kept with its checksum, and can be restored', async () => {
  const bytes = rows(randomBytes(2 * 1024 * 1024));
  const id = randomUUID();
  await toldOther(async () => {
    const answer = await send(id, new Uint8Array(bytes));
    expect(answer.status).toBe(201);
    expect(await answer.json()).toMatchObject({ id, origin: 'uploaded', sha256: sum(bytes) });
  });
  expect((await restore(id)).state).toBe('succeeded');
  expect(sum(readFileSync(held()))).toBe(sum(bytes));
  expect((await send(id, new Uint8Array(bytes))).status).toBe(409);
});

test('an upload that the sender breaks off leaves nothing', async () => {
  const before = await list();
  const id = randomUUID();
  await new Promise<void>((resolve) => {
    const sending = request(`${linked.api.url}${address(`/${id}`)}`, {
      method: 'PUT',
      headers: {
        'content-type': 'application/octet-stream',
        'content-length': '5000000',
        origin: linked.api.url,
        cookie: ines.cookie(),
      },
    });
    sending.on('error', () => resolve());
    sending.write(Buffer.alloc(1_000_000), () => sending.destroy());
    sending.on('close', resolve);
  });
  await expect
    .poll(() => linked.host.dokku('homeport:dumps', 'postgres', database.longname))
    .not.toContain(id);
  expect(await list()).toEqual(before);
});

test('an upload without its length, of another type, or from another website is refused', async () => {
  const id = randomUUID();
  const bytes = new Uint8Array(rows('lamps'));
  expect((await send(id, new Uint8Array())).status).toBe(400);
  expect((await send(id, bytes, { 'content-type': 'application/json' })).status).toBe(400);
  expect((await send(id, bytes, { origin: 'https://example.com' })).status).toBe(403);
  expect((await send(id, bytes, {}, linked.api.visitor())).status).toBe(401);
  const eve = await linked.api.signUp('eve');
  expect((await send(id, bytes, {}, eve)).status).toBe(404);
  expect((await eve.open(`GET ${address(`/${id}/content`)}`)).status).toBe(404);
});

test('ids that are none are refused, and a dump that is not there is not found', async () => {
  for (const id of ['..%2f..%2fetc', '-rf', 'a b', '$(id)', `${randomUUID()}%0a`]) {
    const answers = [
      await fetchDump(id),
      await send(id, new Uint8Array(5)),
      await ines.call(`DELETE ${address(`/${id}`)}`),
      await ines.call(`POST ${address(`/${id}/restore`)}`, { confirmation: 'restore' }),
    ];
    for (const { status } of answers) expect([400, 404], id).toContain(status);
  }
  expect((await fetchDump(randomUUID())).status).toBe(404);
  expect((await ines.call(`DELETE ${address(`/${randomUUID()}`)}`)).status).toBe(404);
  const missing = `POST ${address(`/${randomUUID()}/restore`)}`;
  expect((await ines.call(missing, { confirmation: 'restore' })).status).toBe(404);
  expect((await ines.call(missing, { confirmation: 'yes' })).status).toBe(400);
});

test('a deleted dump is gone', async () => {
  const { id } = await make(rows('lamps'));
  await toldOther(async () => {
    expect(bodyOf(await ines.call(`DELETE ${address(`/${id}`)}`), 200)).toEqual({ removed: true });
  });
  expect((await list()).some((dump) => dump.id === id)).toBe(false);
});

test('one person fetches a few files at once, and the seats are free again afterwards', async () => {
  const { id } = await make(rows(Buffer.alloc(16 * 1024 * 1024)));
  const open = await Promise.all(Array.from({ length: transfersPerPerson }, () => fetchDump(id)));
  expect(open.map(({ status }) => status)).toEqual(open.map(() => 200));
  expect((await fetchDump(id)).status).toBe(409);
  for (const answer of open) await answer.body?.cancel();
  await expect
    .poll(
      async () => {
        const answer = await fetchDump(id);
        await answer.body?.cancel();
        return answer.status;
      },
      { timeout: dumpStallMs / 2 },
    )
    .toBe(200);
}, 60_000);

test('a type without an export has no dumps', async () => {
  const cache = await create('cache', 'memcached');
  const { status, body } = await ines.call(`GET ${address('', cache)}`);
  expect([status, body]).toMatchObject([409, { message: expect.stringContaining('memory only') }]);
  expect((await ines.call(`POST ${address('', cache)}`)).status).toBe(409);
}, 60_000);

test('a server without Homeport’s plugin says so', async () => {
  await linked.host.dokku('plugin:disable', 'homeport');
  expect(bodyOf<Dumps>(await ines.call(`GET ${address()}`), 200)).toEqual({ kind: 'plugin_missing' });
  const { problem } = await ask(`POST ${address()}`);
  expect(problem).toMatchObject({ code: 'conflict', recovery: expect.stringContaining('Install or update') });
  await linked.host.dokku('plugin:enable', 'homeport');
});

test('no log, record, answer or table holds the database’s password', async () => {
  const password = readFileSync(place('services/postgres', database.longname, 'PASSWORD'), 'utf8').trim();
  expect(password.length).toBeGreaterThan(10);
  const everything = [...told, ...linked.api.logged, await wholeStore(linked.api.store.db)].join('\n');
  expect(everything).not.toContain(password);
});
