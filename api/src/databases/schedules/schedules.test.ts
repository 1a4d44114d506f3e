import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type {
  BackupSchedule,
  Backups,
  ScheduleInput,
  ServerSchedule,
} from '@homeport/contract/backups/schema';
import type { Database, Dumps } from '@homeport/contract/databases/schema';
import type { Operation } from '@homeport/contract/operations/schema';
import { pluginRemoval } from '@homeport/contract/servers/facts';
import type { ServerRemoval } from '@homeport/contract/servers/schema';
import { type S3Server, startS3Server } from '@homeport/sandbox/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bodyOf, type TestVisitor } from '../../http/testing.ts';
import { linkServer } from '../../testing/link-server.ts';
import { type LinkedConsole, startLinkedConsole } from '../../testing/linked-console.ts';
import { followToEnd, runToEnd, succeeded } from '../../testing/page.ts';
import { wholeStore } from '../../testing/whole-store.ts';

let linked: LinkedConsole;
let ines: TestVisitor;
let database: Database;
let s3: S3Server;
/** Every answer, to search for secrets. */
const told: string[] = [];

beforeAll(async () => {
  linked = await startLinkedConsole({
    plugins: ['acl', 'letsencrypt'],
    beforeEach: `printf '%s\\n' "$SSH_ORIGINAL_COMMAND" >>"$DOKKU_SANDBOX_ROOT/commands"`,
  });
  ({ ines } = linked);
  s3 = await startS3Server();
  succeeded(await runToEnd(ines, `POST /api/servers/${linked.server.id}/install`));
  database = await create('orders', 'postgres');
}, 180_000);
afterAll(async () => {
  await s3?.[Symbol.asyncDispose]();
  await linked?.[Symbol.asyncDispose]();
});

async function create(name: string, type: string): Promise<Database> {
  const body = { name, type, serverId: linked.server.id, installPlugin: true };
  succeeded(await runToEnd(ines, 'POST /api/databases', body));
  const found = bodyOf<Database[]>(await ines.call('GET /api/databases'), 200).find(
    (each) => each.name === name,
  );
  if (!found) throw new Error(`There is no record of ${name}.`);
  writeFileSync(place('lib/services', type, found.longname, 'data/held-by-the-sandbox'), 'PGDMP rows');
  return found;
}

const place = (...path: string[]) => join(linked.host.sandbox.root, ...path);
const at = (rest: string, of = database) => `/api/databases/${of.id}/${rest}`;
const crontab = () => (existsSync(place('crontab')) ? readFileSync(place('crontab'), 'utf8') : '');
async function call(key: string, body?: unknown) {
  const answer = await ines.call(key, body);
  told.push(JSON.stringify(answer));
  return answer;
}

const daily: ScheduleInput = {
  cron: '17 3 * * *',
  paused: false,
  keepCount: 3,
  keepDays: 30,
  restoreTest: 'never',
  target: { kind: 'server' },
};
const address = () => ({
  kind: 's3' as const,
  endpoint: s3.endpoint,
  region: 'us-east-1',
  bucket: 'backups',
  prefix: 'shop',
  keys: { accessKey: s3.accessKey, secret: s3.secret },
});
const put = async (input: object) => bodyOf<Backups>(await call(`PUT ${at('schedule')}`, input), 200);
const onServer = async () => {
  const read = bodyOf<ServerSchedule>(await call(`GET ${at('schedule')}`), 200);
  if (read.kind !== 'told') throw new Error('The server has no plugin.');
  return read;
};
const known = async () => bodyOf<Backups>(await call(`GET ${at('backups')}`), 200);

test('a schedule is written on the server, recorded, changed, paused and removed', async () => {
  expect(await known()).toEqual({ schedule: null, unsure: false, runs: [], missedAt: null });
  const written = await put(daily);
  expect(written.schedule).toMatchObject({
    ...daily,
    timeZone: expect.any(String),
    since: expect.any(Number),
  });
  expect(crontab()).toContain(`17 3 * * * dokku homeport:backup postgres ${database.longname} &>> /dev/null`);
  expect(await onServer()).toMatchObject({ recorded: true, inCrontab: true, schedule: written.schedule });
  expect((await put({ ...daily, paused: true })).schedule).toMatchObject({ paused: true });
  expect(crontab()).toBe('');
  expect(bodyOf<Backups>(await call(`DELETE ${at('schedule')}`), 200).schedule).toBeNull();
  expect((await onServer()).schedule).toBeNull();
});

test('a backup that is made now is a dump of the schedule, and a run with its facts', async () => {
  await put(daily);
  succeeded(await runToEnd(ines, `POST ${at('schedule/run')}`));
  const [run] = (await known()).runs;
  const dumps = bodyOf<Dumps>(await call(`GET ${at('dumps')}`), 200);
  expect(dumps).toMatchObject({ dumps: [{ id: run?.id, origin: 'scheduled', sha256: run?.sha256 }] });
  expect(run).toMatchObject({ state: 'succeeded', bytes: 10, target: 'server', failure: null });
});

test('a backup that fails is a problem of the database until one succeeds', async () => {
  await put(daily);
  await letASecondPass();
  linked.host.sandbox.setFault('export', true);
  const { operation } = await runToEnd(ines, `POST ${at('schedule/run')}`);
  linked.host.sandbox.setFault('export', false);
  expect(operation).toMatchObject({ state: 'failed', problem: { code: 'remote_failed' } });
  const problem = async () =>
    bodyOf<Database>(await call(`GET /api/databases/${database.id}`), 200).backupProblem;
  expect((await known()).runs[0]).toMatchObject({ state: 'failed', failure: 'export_failed' });
  expect(await problem()).toMatchObject({ kind: 'failed' });
  await letASecondPass();
  succeeded(await runToEnd(ines, `POST ${at('schedule/run')}`));
  expect(await problem()).toBeNull();
});

/** Servers tell in whole seconds when a run began. A run of the sandbox may take less than a second. */
async function letASecondPass(): Promise<void> {
  await linked.api.store.db
    .updateTable('backup_runs')
    .set((eb) => ({ began_at: eb('began_at', '-', 1_000) }))
    .execute();
}

describe('an S3 address', () => {
  test('is tried, gets copies once rclone is installed, and its secret stands on the server alone', async () => {
    expect((await onServer()).client).toBe(false);
    expect(await call(`POST ${at('schedule/check')}`, { target: address() })).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('rclone') },
    });
    succeeded(await runToEnd(ines, `POST ${at('backup-client')}`));
    expect((await onServer()).client).toBe(true);
    const check = (more: object = {}) =>
      call(`POST ${at('schedule/check')}`, { target: { ...address(), ...more } });
    expect(await check()).toMatchObject({ status: 200, body: { kind: 'works' } });
    expect(await check({ bucket: 'other' })).toMatchObject({
      body: { kind: 'refused', step: 'write', text: expect.stringContaining('NoSuchBucket') },
    });
    await put({ ...daily, target: address() });
    succeeded(await runToEnd(ines, `POST ${at('schedule/run')}`));
    expect([...s3.objects.keys()]).toEqual([
      expect.stringContaining(`backups/shop/postgres/${database.longname}/`),
    ]);
    // Without new ones, the kept access key and secret stay.
    await put({ ...daily, cron: '0 4 * * *', target: { ...address(), keys: null } });
    succeeded(await runToEnd(ines, `POST ${at('schedule/run')}`));
    s3.refuse('PUT');
    const { operation } = await runToEnd(ines, `POST ${at('schedule/run')}`);
    s3.refuse(null);
    told.push(JSON.stringify(operation));
    expect(operation).toMatchObject({ problem: { message: expect.stringContaining('AccessDenied') } });
  }, 60_000);

  test('has no secret in the store, a log, an answer or a command', async () => {
    const commands = readFileSync(place('commands'), 'utf8');
    expect(commands).toContain('homeport:schedule-write');
    const operations = await ines.call('GET /api/operations');
    const everything = [
      await wholeStore(linked.api.store.db),
      commands,
      ...told,
      JSON.stringify(operations.body),
    ];
    for (const secret of [s3.secret, s3.accessKey])
      for (const text of everything) expect(text.includes(secret)).toBe(false);
    const client = place('lib/data/homeport/schedules/postgres', database.longname, 'client');
    expect(readFileSync(client, 'utf8')).toContain(s3.secret);
  });

  test('without keys is refused beside their field where the server keeps none', async () => {
    await put(daily);
    expect(
      await call(`PUT ${at('schedule')}`, { ...daily, target: { ...address(), keys: null } }),
    ).toMatchObject({ status: 400, body: { fields: { 'target.keys': expect.any(String) } } });
    expect(await known()).toMatchObject({ unsure: false, schedule: { target: { kind: 'server' } } });
  });
});

test.each([
  [{ cron: '' }, 'cron'],
  [{ cron: '* * * * *' }, 'cron'],
  [{ cron: '0 3 * * *;reboot' }, 'cron'],
  [{ cron: '0 $(reboot) * * *' }, 'cron'],
  [{ cron: '0 3 * * *\nsecret x' }, 'cron'],
  [{ cron: '1'.repeat(5_000) }, 'cron'],
  [{ keepCount: 0 }, 'keepCount'],
  [{ keepCount: 1e9 }, 'keepCount'],
  [{ keepDays: -1 }, 'keepDays'],
  [{ restoreTest: 'always' }, 'restoreTest'],
  [{ target: { kind: 'ftp' } }, 'target.kind'],
  [{ target: { ...s3Form(), endpoint: 'file:///etc/passwd' } }, 'target.endpoint'],
  [{ target: { ...s3Form(), endpoint: 'https://x/y' } }, 'target.endpoint'],
  [{ target: { ...s3Form(), endpoint: 'https://x\nsecret y' } }, 'target.endpoint'],
  [{ target: { ...s3Form(), region: '$(id)' } }, 'target.region'],
  [{ target: { ...s3Form(), bucket: '../x' } }, 'target.bucket'],
  [{ target: { ...s3Form(), bucket: '--config=/x' } }, 'target.bucket'],
  [{ target: { ...s3Form(), prefix: '../../x' } }, 'target.prefix'],
  [{ target: { ...s3Form(), prefix: 'a'.repeat(10_000) } }, 'target.prefix'],
  [{ target: { ...s3Form(), keys: { accessKey: 'a b', secret: 'c' } } }, 'target.keys.accessKey'],
  [{ target: { ...s3Form(), keys: { accessKey: 'a', secret: '`id`' } } }, 'target.keys.secret'],
])('%j is refused beside its field, and the schedule stays', async (more, field) => {
  const before = await put(daily);
  const answer = await call(`PUT ${at('schedule')}`, { ...daily, ...more });
  expect(answer).toMatchObject({ status: 400, body: { fields: { [field]: expect.any(String) } } });
  expect(await known()).toMatchObject({ schedule: { cron: before.schedule?.cron }, unsure: false });
});

function s3Form() {
  return {
    kind: 's3',
    endpoint: 'https://s3.example.com',
    region: 'eu',
    bucket: 'backups',
    prefix: '',
    keys: null,
  };
}

test('a console that ended while it wrote is unsure, and then records what the server keeps', async () => {
  await put(daily);
  // As a kill leaves the store: the server has the new schedule, and nobody heard its answer.
  const schedule = place('lib/data/homeport/schedules/postgres', database.longname, 'schedule');
  writeFileSync(schedule, readFileSync(schedule, 'utf8').replace('17 3', '5 5'));
  await linked.api.store.db.updateTable('backup_schedules').set({ unsure: true }).execute();
  expect(await known()).toMatchObject({ unsure: true });
  expect(await onServer()).toMatchObject({ recorded: false, schedule: { cron: '5 5 * * *' } });
  const settled = bodyOf<Backups>(await call(`POST ${at('schedule/refresh')}`), 200);
  expect(settled).toMatchObject({ unsure: false, schedule: { cron: '5 5 * * *' } });
  expect((await onServer()).recorded).toBe(true);
});

test('Dokku’s refusal to write its crontab is told, and the page knows what the server keeps', async () => {
  await put(daily);
  linked.host.sandbox.setFault('crontab', true);
  const answer = await call(`PUT ${at('schedule')}`, { ...daily, cron: '30 6 * * *' });
  linked.host.sandbox.setFault('crontab', false);
  expect(answer).toMatchObject({ status: 502, body: { message: expect.stringContaining('crontab') } });
  expect((await known()).schedule satisfies BackupSchedule | null).toMatchObject({ cron: '30 6 * * *' });
});

test('a deleted database leaves no schedule and no secret', async () => {
  const other = await create('gone', 'postgres');
  bodyOf(await call(`PUT ${at('schedule', other)}`, { ...daily, target: address() }), 200);
  succeeded(await runToEnd(ines, `POST /api/databases/${other.id}/delete`, { confirmation: 'delete' }));
  expect(readdirSync(place('lib/data/homeport/schedules/postgres'))).not.toContain(other.longname);
  expect(crontab()).not.toContain(other.longname);
}, 60_000);

test('a type without dumps has no schedule, and says why', async () => {
  const cache = await create('cache', 'memcached');
  expect(await call(`PUT ${at('schedule', cache)}`, daily)).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('nothing to back up') },
  });
}, 60_000);

// The last tests of this file: the server is gone afterwards.
describe('a server that is removed', () => {
  const removal = () => `POST /api/servers/${linked.server.id}/remove`;

  test('names its databases and what is known of their schedules first', async () => {
    await put(daily);
    const read = await call(`GET /api/servers/${linked.server.id}/removal`);
    expect(bodyOf<ServerRemoval>(read, 200).databases).toContainEqual({
      id: database.id,
      name: 'orders',
      schedule: 'runs',
    });
    await put({ ...daily, paused: true });
    const paused = await call(`GET /api/servers/${linked.server.id}/removal`);
    expect(bodyOf<ServerRemoval>(paused, 200).databases).toContainEqual(
      expect.objectContaining({ id: database.id, schedule: 'paused' }),
    );
    await linked.api.store.db.updateTable('backup_schedules').set({ unsure: true }).execute();
    const unsure = await call(`GET /api/servers/${linked.server.id}/removal`);
    expect(bodyOf<ServerRemoval>(unsure, 200).databases).toContainEqual(
      expect.objectContaining({ id: database.id, schedule: 'unknown' }),
    );
    await put(daily);
  });

  test('loses the plugin only with the typed word, and only with the agent', async () => {
    const refused = async (body: object) => (await call(removal(), body)).status;
    expect(await refused({ uninstall: true, plugin: { confirmation: 'yes' } })).toBe(400);
    expect(await refused({ uninstall: false, plugin: { confirmation: pluginRemoval.word } })).toBe(400);
    expect(crontab()).toContain('homeport:backup');
  });

  test('goes on to make its scheduled backups', async () => {
    const body = bodyOf<{ operation: Operation }>(await call(removal(), { uninstall: true }), 202);
    const { steps } = succeeded(await followToEnd(ines, body.operation.id));
    expect(steps.map(({ key }) => key)).not.toContain('plugin');
    expect(crontab()).toContain(`homeport:backup postgres ${database.longname}`);
    expect(await linked.host.dokku('plugin:list')).toMatch(/homeport .*enabled/);
  }, 60_000);

  test('keeps its schedules and no line of them in its crontab when the plugin goes by choice', async () => {
    const eve = await linked.api.signUp('eve');
    const again = await linkServer(linked.api.url, eve, linked.host);
    await again.connect();
    succeeded(await runToEnd(eve, `POST /api/servers/${again.server.id}/install`));
    expect(crontab()).toContain('homeport:backup');
    const body = bodyOf<{ operation: Operation }>(
      await eve.call(`POST /api/servers/${again.server.id}/remove`, {
        uninstall: true,
        plugin: { confirmation: pluginRemoval.word },
      }),
      202,
    );
    const { steps } = succeeded(await followToEnd(eve, body.operation.id));
    expect(steps.find(({ key }) => key === 'plugin')).toMatchObject({ state: 'done', note: null });
    expect(crontab()).not.toContain('homeport:backup');
    expect(existsSync(place('lib/data/homeport/schedules/postgres', database.longname, 'schedule'))).toBe(
      true,
    );
  }, 120_000);
});
