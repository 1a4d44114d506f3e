import { execFile, spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ScheduleInput } from '@homeport/contract/backups/schema';
import * as dokku from '@homeport/dokku';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type S3Server, startS3Server } from '../testing/s3-server.ts';
import { prepareSandboxHost, type SandboxHost } from './index.ts';
import { pathsOf } from './machine/paths.ts';
import { serviceKinds } from './services/kinds.ts';
import { heldDataOf } from './services/service.ts';

// Scheduled backups by Homeport's plugin, run by bash on the sandbox as cron would run them. rclone is Debian's own.

const name = dokku.serviceName('main-db');
const type = 'mysql';
let folder: string;
let host: SandboxHost;
let s3: S3Server;
/** Each start of rclone: its arguments, then its environment. */
let seen: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'homeport-schedules-'));
  host = await prepareSandboxHost({ root: join(folder, 'host'), plugins: ['mysql', 'redis', 'memcached'] });
  const place = join(host.root, 'machine/var/lib/dokku/plugins/available/homeport');
  cpSync(fileURLToPath(new URL('../../dokku/plugin', import.meta.url)), place, { recursive: true });
  await succeed(dokku.plugin.enable('homeport'));
  for (const each of [type, 'redis', 'memcached'] as const) await succeed(dokku.service.create(each, name));
  s3 = await startS3Server();
  seen = join(folder, 'seen');
  // Watches the client from where it starts: what stands there, every account of a server can read.
  const real = join(host.root, 'bin/rclone');
  const watched = join(host.root, 'bin/rclone.real');
  cpSync(real, watched);
  writeFileSync(real, `#!/bin/sh\n{ printf '%s\\n' "$@"; env; } >>'${seen}'\nexec '${watched}' "$@"\n`);
  chmodSync(real, 0o755);
}, 120_000);
afterAll(async () => {
  await s3?.[Symbol.asyncDispose]();
  await host?.dispose();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  rmSync(pathsOf(host.root).pluginData, { recursive: true, force: true });
  rmSync(join(host.root, 'crontab'), { force: true });
  writeFileSync(join(host.root, 'rclone'), '');
  writeFileSync(seen, '');
  s3.objects.clear();
  s3.refuse(null);
  writeFileSync(held(), 'rows of today');
});

const data = (...path: string[]) => join(pathsOf(host.root).pluginData, ...path);
const held = () => heldDataOf(pathsOf(host.root), serviceKinds[type], name);
const crontab = () =>
  existsSync(join(host.root, 'crontab')) ? readFileSync(join(host.root, 'crontab'), 'utf8') : '';

function run(command: dokku.Command): Promise<dokku.Outcome> {
  return new Promise((resolve) => {
    const options = { env: host.env, maxBuffer: 64 << 20 };
    const child = execFile('dokku', command.words, options, (error, stdout, stderr) =>
      resolve({ exitCode: error ? Number(error.code) : 0, stdout, stderr }),
    );
    // A command may refuse before it reads.
    child.stdin?.on('error', () => {});
    child.stdin?.end(command.stdin ?? '');
  });
}
async function succeed(command: dokku.Command): Promise<dokku.Outcome> {
  const outcome = await run(command);
  expect(outcome.exitCode, outcome.stderr).toBe(0);
  return outcome;
}

const daily: ScheduleInput = {
  cron: '17 3 * * *',
  paused: false,
  keepCount: 3,
  keepDays: null,
  restoreTest: 'never',
  target: { kind: 'server' },
};
const toS3 = (more: object = {}): ScheduleInput => ({
  ...daily,
  target: {
    kind: 's3',
    endpoint: s3.endpoint,
    region: 'us-east-1',
    bucket: 'backups',
    prefix: 'shop/prod',
    keys: { accessKey: s3.accessKey, secret: s3.secret },
    ...more,
  },
});
const write = (input: ScheduleInput) => succeed(dokku.schedules.write(type, name, input));
const told = async () => dokku.schedules.readSchedule(await succeed(dokku.schedules.read(type, name)));
const backup = () => run(dokku.schedules.run(type, name));
const dumps = async () => dokku.dumps.readDumps(await succeed(dokku.dumps.list(type, name))).dumps;
const lastRun = async () => (await told()).runs.at(-1);

/** Runs the line of the crontab, with the variables that cron gives. */
async function runCron(): Promise<number> {
  const lines = crontab().split('\n');
  const line = lines.find((each) => each.includes('homeport:backup')) ?? '';
  const command = line.split(' ').slice(5).join(' ');
  const { PATH: _, ...own } = host.env;
  const child = spawn('/bin/bash', ['-c', command], { env: { ...own, PATH: host.path }, stdio: 'ignore' });
  const [code] = await once(child, 'close');
  return Number(code);
}

describe('a schedule', () => {
  test('stands in the crontab of Dokku until it is paused or removed, and is told without secrets', async () => {
    await write(toS3());
    expect(crontab()).toContain('17 3 * * * dokku homeport:backup mysql main-db &>> /dev/null\n');
    const { schedule, ...server } = await told();
    expect(server).toMatchObject({
      inCrontab: true,
      client: true,
      runs: [],
      timeZone: expect.stringMatching(/./),
    });
    expect(schedule).toMatchObject({
      ...daily,
      target: {
        kind: 's3',
        endpoint: s3.endpoint,
        region: 'us-east-1',
        bucket: 'backups',
        prefix: 'shop/prod',
      },
      since: expect.any(Number),
    });
    expect((await run(dokku.schedules.read(type, name))).stdout).not.toContain(s3.secret);
    await write({ ...toS3({ keys: null }), paused: true });
    expect(crontab()).toBe('');
    expect((await told()).inCrontab).toBe(false);
    await succeed(dokku.schedules.remove(type, name));
    expect((await told()).schedule).toBeNull();
    expect(readdirSync(data('schedules', type))).toEqual([]);
  });

  test('leaves the crontab when the plugin is about to go, and is kept', async () => {
    await write(daily);
    await succeed(dokku.schedules.withdraw());
    expect(crontab()).toBe('');
    expect(await told()).toMatchObject({ schedule: { cron: '17 3 * * *' }, inCrontab: false });
    host.setFault('crontab', true);
    expect(await run(dokku.schedules.withdraw())).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('Dokku could not write its crontab'),
    });
    host.setFault('crontab', false);
  });

  test('lies in files that only one account may read, and its secret in no argument and no environment', async () => {
    await write(toS3());
    const mode = (...path: string[]) => statSync(data('schedules', type, name, ...path)).mode & 0o777;
    expect([mode(), mode('schedule'), mode('client')]).toEqual([0o700, 0o600, 0o600]);
    expect(await runCron()).toBe(0);
    await succeed(dokku.schedules.check(type, name, s3Target()));
    const starts = readFileSync(seen, 'utf8');
    expect(starts).toContain('copyto');
    for (const secret of [s3.secret, s3.accessKey]) expect(starts).not.toContain(secret);
    expect(readFileSync(data('runs/log'), 'utf8')).not.toContain(s3.secret);
  });

  test('is kept as it was when a new one is refused', async () => {
    await write(daily);
    const before = await told();
    const lines = [
      'cron 1 2 3 4',
      'cron * * * * *;reboot',
      'count 0',
      'days -1',
      'target ftp',
      'evil yes',
      'paused maybe',
    ];
    for (const line of lines) {
      const command = dokku.schedules.write(type, name, daily);
      const ran = await run({ ...command, stdin: `${command.stdin}${line}\n` });
      expect(ran, line).toMatchObject({ exitCode: 1 });
    }
    for (const target of [
      { endpoint: 'http://a b' },
      { bucket: '../etc' },
      { bucket: '-rf' },
      { prefix: '../..' },
      { prefix: '$(id)' },
      { region: '' },
      { keys: { accessKey: 'a b', secret: 'x' } },
      { keys: null },
    ])
      expect(await run(dokku.schedules.write(type, name, toS3(target)))).toMatchObject({ exitCode: 1 });
    expect(() => dokku.schedules.write(type, name, toS3({ endpoint: 'http://x\nsecret y' }))).toThrow();
    expect(await told()).toEqual(before);
    expect(readdirSync(data('schedules', type, name))).toEqual(['schedule']);
  });

  test('of a name that leads elsewhere is refused', async () => {
    for (const text of ['../main-db', '..', '-rf', 'a/b', '$(id)', ''])
      for (const command of ['schedule', 'schedule-write', 'schedule-delete', 'target-check', 'backup'])
        for (const words of [
          [type, text],
          [text, name],
        ])
          expect(
            await run({ program: 'dokku', words: [`homeport:${command}`, ...words], needsRoot: false }),
          ).toMatchObject({ exitCode: 1, stdout: '' });
  }, 60_000);

  test('that is damaged, or whose database is gone, takes no line of the crontab away from others', async () => {
    await write(daily);
    mkdirSync(data('schedules/redis/main-db'), { recursive: true });
    writeFileSync(data('schedules/redis/main-db/schedule'), 'cron ;;;\n\n');
    mkdirSync(data('schedules/mysql/gone'), { recursive: true });
    cpSync(data('schedules', type, name, 'schedule'), data('schedules/mysql/gone/schedule'));
    await write(daily);
    expect(crontab().split('\n').slice(3)).toEqual([
      '17 3 * * * dokku homeport:backup mysql main-db &>> /dev/null',
      '',
    ]);
  });

  test('is kept and reported when Dokku cannot write its crontab', async () => {
    host.setFault('crontab', true);
    expect(await run(dokku.schedules.write(type, name, daily))).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('Dokku could not write its crontab'),
    });
    host.setFault('crontab', false);
    expect(await told()).toMatchObject({ inCrontab: false, schedule: { cron: '17 3 * * *' } });
  });
});

function s3Target() {
  const { target } = toS3();
  if (target.kind !== 's3') throw new Error('This is no S3 address.');
  return target;
}

describe('a backup that cron starts', () => {
  test('makes a dump, and tells when, how large, its checksum and how long it took', async () => {
    await write(daily);
    expect(await runCron()).toBe(0);
    const sha256 = createHash('sha256').update('rows of today').digest('hex');
    const [dump] = await dumps();
    expect(dump).toMatchObject({ origin: 'scheduled', sha256 });
    expect((await told()).runs).toEqual([
      {
        id: dump?.id,
        state: 'succeeded',
        beganAt: expect.any(Number),
        durationSeconds: expect.any(Number),
        bytes: 13,
        sha256,
        target: 'server',
        failure: null,
        text: null,
      },
    ]);
    // The agent has an account of its own.
    expect(statSync(data('runs/log')).mode & 0o777).toBe(0o644);
    expect(statSync(data('runs')).mode & 0o777).toBe(0o755);
    expect(statSync(data()).mode & 0o777).toBe(0o711);
  });

  test('leaves as many dumps as are kept, and never takes those that a person or a restore made', async () => {
    const kept = [];
    for (const origin of ['made', 'before_restore'] as const) {
      const id = dokku.dumps.dumpId(randomUUID());
      await succeed(dokku.dumps.make(type, name, id, origin));
      kept.push(id);
    }
    await write({ ...daily, keepCount: 2 });
    const made: (string | undefined)[] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      expect(await backup()).toMatchObject({ exitCode: 0 });
      made.push((await lastRun())?.id);
      makeOlder(made, 60);
    }
    const ids = (await dumps()).map(({ id }) => String(id));
    expect(ids.toSorted()).toEqual([...kept, made[2], made[3]].toSorted());
  }, 60_000);

  test('removes dumps by their age, but for the newest', async () => {
    await write({ ...daily, keepDays: 2 });
    await backup();
    const old = (await lastRun())?.id;
    makeOlder([old], 3 * 86_400);
    writeFileSync(held(), '');
    expect(await backup()).toMatchObject({ exitCode: 1 });
    expect(
      (await dumps()).map(({ id }) => id),
      'a failed export removes nothing',
    ).toEqual([old]);
    writeFileSync(held(), 'rows of tomorrow');
    await backup();
    expect((await dumps()).map(({ id }) => id)).toEqual([(await lastRun())?.id]);
  });

  test('that fails tells why, without the password, and the dumps before stay', async () => {
    await write(daily);
    await backup();
    const before = await dumps();
    host.setFault('export', true);
    const failed = await backup();
    host.setFault('export', false);
    expect(failed).toMatchObject({ exitCode: 1 });
    expect(await lastRun()).toMatchObject({ state: 'failed', failure: 'export_failed', bytes: null });
    const password = readFileSync(join(pathsOf(host.root).services, type, name, 'PASSWORD'), 'utf8').trim();
    expect(readFileSync(data('runs/log'), 'utf8')).not.toContain(password);
    expect(await dumps()).toEqual(before);
  });

  test('finds a full disk before it writes, and says so', async () => {
    await write(daily);
    const df = join(host.root, 'bin/df');
    writeFileSync(df, '#!/bin/sh\necho Avail\necho 1\n', { mode: 0o755 });
    await backup();
    rmSync(df);
    expect(await lastRun()).toMatchObject({
      state: 'failed',
      failure: 'no_room',
      text: expect.stringContaining('Not enough room for the dump'),
    });
    expect(await dumps()).toEqual([]);
  });

  test('leaves a lock, which goes with the schedule once its database is gone and nobody works under it', async () => {
    await write(daily);
    await backup();
    const own = data('locks', `${type}.${name}`);
    expect(existsSync(own)).toBe(true);
    await succeed(dokku.schedules.remove(type, name));
    expect(existsSync(own)).toBe(true);
    const gone = dokku.serviceName('gone-db');
    const left = data('locks', `${type}.${gone}`);
    const holder = spawn('flock', [left, 'sh', '-c', 'echo held; exec cat'], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    await once(holder.stdout, 'data');
    await succeed(dokku.schedules.remove(type, gone));
    expect(existsSync(left)).toBe(true);
    holder.stdin.end();
    await once(holder, 'close');
    await succeed(dokku.schedules.remove(type, gone));
    expect(existsSync(left)).toBe(false);
  });

  test('does not begin while another one, or a restore, works on the database', async () => {
    await write(daily);
    mkdirSync(data('locks'), { recursive: true });
    const holder = spawn('flock', [data('locks', `${type}.${name}`), 'sh', '-c', 'echo held; exec cat'], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    await once(holder.stdout, 'data');
    expect(await backup()).toMatchObject({ exitCode: 1 });
    holder.stdin.end();
    await once(holder, 'close');
    expect(await lastRun()).toMatchObject({ state: 'failed', failure: 'busy' });
    expect(await backup()).toMatchObject({ exitCode: 0 });
  });

  test('that a kill ended is told as failed by the next command, and leaves no half dump', async () => {
    await write(daily);
    await backup();
    const lines = readFileSync(data('runs/log'), 'utf8').trim().split('\n');
    const id = randomUUID();
    const begun = (lines[0] ?? '').replace(/"run":"[^"]+"/, `"run":"${id}"`).replace('"seq":1,', '"seq":3,');
    writeFileSync(data('runs/log'), `${[...lines, begun].join('\n')}\n`);
    expect(await lastRun()).toMatchObject({ id, state: 'failed', failure: 'ended_early' });
  });

  test('keeps its own dump where the clock was set back, and one from the future goes like any other', async () => {
    await write({ ...daily, keepCount: 1 });
    await backup();
    const [ahead] = await dumps();
    makeOlder([ahead?.id], -86_400);
    await backup();
    expect(await lastRun()).toMatchObject({ state: 'succeeded' });
    expect(await dumps()).toMatchObject([{ id: (await lastRun())?.id }]);
  });

  test('is told in a file that stays small', async () => {
    await write(daily);
    await backup();
    const [line = ''] = readFileSync(data('runs/log'), 'utf8').split('\n');
    writeFileSync(data('runs/log'), `${line}\n`.repeat(1_000));
    await backup();
    expect(readFileSync(data('runs/log'), 'utf8').trim().split('\n').length).toBe(400);
  });
});

/** Makes dumps older, as if time had passed. */
function makeOlder(ids: readonly (string | undefined)[], seconds: number): void {
  for (const id of ids) {
    const about = data('dumps', type, name, id ?? '', 'about');
    if (!existsSync(about)) continue;
    const [origin, bytes, sum, at, took] = readFileSync(about, 'utf8').split(' ');
    writeFileSync(about, [origin, bytes, sum, Number(at) - seconds, took].join(' '));
  }
}

describe('a copy to an S3 address', () => {
  test('has the bytes of the dump, under the time and the id of the run', async () => {
    await write(toS3());
    expect(await runCron()).toBe(0);
    const run = await lastRun();
    expect(run).toMatchObject({ state: 'succeeded', target: 's3', failure: null });
    const [[object, bytes] = []] = s3.objects;
    expect(object).toMatch(new RegExp(`^backups/shop/prod/mysql/main-db/\\d{8}T\\d{6}Z-${run?.id}\\.dump$`));
    expect(String(bytes)).toBe('rows of today');
  });

  test('leaves as many copies as are kept, and other objects alone', async () => {
    await write({ ...toS3(), keepCount: 2 });
    const at = 'backups/shop/prod/mysql/main-db';
    for (const day of ['01', '02', '03'])
      s3.objects.set(`${at}/202601${day}T031700Z-${randomUUID()}.dump`, Buffer.from('old'));
    s3.objects.set(`${at}/mine.dump`, Buffer.from('mine'));
    expect(await backup()).toMatchObject({ exitCode: 0 });
    const names = [...s3.objects.keys()].toSorted();
    expect(names).toHaveLength(3);
    expect(names[0]).toContain('20260103T031700Z');
    expect(names[2]).toBe(`${at}/mine.dump`);
  });

  test('keeps its own copy where the clock was set back', async () => {
    await write({ ...toS3(), keepCount: 1 });
    const ahead = `backups/shop/prod/mysql/main-db/29990101T031700Z-${randomUUID()}.dump`;
    s3.objects.set(ahead, Buffer.from('of a clock that ran ahead'));
    expect(await backup()).toMatchObject({ exitCode: 0 });
    const names = [...s3.objects.keys()];
    expect(names).toEqual([expect.stringContaining(String((await lastRun())?.id))]);
  });

  test('that fails tells the service’s reason, and the dump stays on the server', async () => {
    await write(toS3());
    s3.refuse('PUT');
    expect(await backup()).toMatchObject({ exitCode: 1 });
    const run = await lastRun();
    expect(run).toMatchObject({ state: 'failed', failure: 'copy_failed', bytes: 13 });
    expect(run?.text).toContain('AccessDenied');
    expect(await dumps()).toMatchObject([{ id: run?.id }]);
  });

  test('whose old copies cannot be removed says that the new one is there', async () => {
    await write({ ...toS3(), keepCount: 1 });
    s3.objects.set(
      `backups/shop/prod/mysql/main-db/20260101T031700Z-${randomUUID()}.dump`,
      Buffer.from('old'),
    );
    s3.refuse('DELETE');
    await backup();
    expect(await lastRun()).toMatchObject({ state: 'failed', failure: 'prune_failed' });
    expect(s3.objects.size).toBe(2);
  });

  test('needs rclone, and says so where it is missing', async () => {
    await write(toS3());
    rmSync(join(host.root, 'rclone'));
    expect((await told()).client).toBe(false);
    await backup();
    expect(await lastRun()).toMatchObject({ state: 'failed', failure: 'client_missing', bytes: 13 });
    expect(dokku.failureOf(await run(dokku.schedules.check(type, name, s3Target())))?.code).toBe(
      'client_missing',
    );
  });

  test('keeps its secret when the schedule changes without one, and drops it with the address', async () => {
    await write(toS3());
    await write({ ...toS3({ keys: null }), cron: '5 4 * * *' });
    expect(await backup()).toMatchObject({ exitCode: 0 });
    await write(daily);
    expect(readdirSync(data('schedules', type, name))).toEqual(['schedule']);
  });
});

describe('a trial of an S3 address', () => {
  const check = async (more: object = {}) => {
    const target = { ...s3Target(), ...more };
    return dokku.schedules.readCheck(await succeed(dokku.schedules.check(type, name, target)));
  };

  test('writes an object and removes it', async () => {
    expect(await check()).toEqual({ kind: 'works' });
    expect(s3.objects.size).toBe(0);
    expect(readdirSync(data('schedules'))).toEqual([]);
  });

  test('says what the service says', async () => {
    expect(await check({ bucket: 'other' })).toMatchObject({
      kind: 'refused',
      step: 'write',
      text: expect.stringContaining('NoSuchBucket'),
    });
    expect(await check({ keys: { accessKey: s3.accessKey, secret: 'wrong' } })).toMatchObject({
      kind: 'refused',
      text: expect.stringContaining('Forbidden'),
    });
    s3.refuse('DELETE');
    expect(await check()).toMatchObject({ kind: 'refused', step: 'remove' });
  });
});

test('a backup is restored on trial as often as the schedule asks', async () => {
  await write({ ...daily, restoreTest: 'weekly' });
  const tests = async () => dokku.dumps.readDumps(await succeed(dokku.dumps.list(type, name))).tests;
  for (const turn of [1, 2]) {
    expect(await backup(), String(turn)).toMatchObject({ exitCode: 0 });
    expect(await tests()).toHaveLength(1);
  }
  await write({ ...daily, restoreTest: 'each' });
  expect(await backup()).toMatchObject({ exitCode: 0 });
  expect(await tests()).toMatchObject([{ outcome: 'same' }, {}]);
  expect((await tests()).map(({ dumpId }) => String(dumpId))).toContain((await lastRun())?.id);
});

describe('the last backup that a restore test proved', () => {
  const made = async (exitCode = 0) => {
    const before = (await dumps()).map(({ id }) => String(id));
    expect(await backup()).toMatchObject({ exitCode });
    makeOlder(before, 60);
    return (await lastRun())?.id;
  };
  const kept = async () => (await dumps()).map(({ id }) => String(id)).toSorted();
  const failing = async (work: () => Promise<unknown>) => {
    host.setFault('service', true);
    await work();
    host.setFault('service', false);
  };

  test('stays beside the number and the age that are kept, until another one is proven', async () => {
    await write({ ...daily, keepCount: 1, keepDays: 2, restoreTest: 'each' });
    const proven = await made();
    expect(await kept()).toEqual([proven]);
    await failing(async () => {
      for (let turn = 0; turn < 3; turn += 1) {
        makeOlder([proven], 3 * 86_400);
        const next = await made(1);
        expect(await lastRun()).toMatchObject({ state: 'failed', failure: 'test_failed' });
        expect(await kept()).toEqual([proven, next].toSorted());
      }
    });
    const next = await made();
    expect(await kept()).toEqual([next]);
  }, 60_000);

  test('stays while its successors are not tested, and after many other tests', async () => {
    await write({ ...daily, keepCount: 1, restoreTest: 'weekly' });
    const proven = await made();
    const untested = await made();
    expect(await kept()).toEqual([proven, untested].toSorted());
    const tests = data('dumps', type, name, '.tests');
    const [line = ''] = readFileSync(tests, 'utf8').split('\n');
    const failed = line.replace('"outcome":"same"', '"outcome":"failed"');
    expect(failed).not.toBe(line);
    writeFileSync(tests, `${failed}\n`.repeat(20));
    const last = await made();
    expect(await kept()).toEqual([proven, last].toSorted());
  });

  test('goes like any other where the schedule asks for no tests', async () => {
    await write({ ...daily, keepCount: 1, restoreTest: 'each' });
    await made();
    await write({ ...daily, keepCount: 1 });
    const next = await made();
    expect(await kept()).toEqual([next]);
  });

  test('keeps its copy too, and older copies go only after the test', async () => {
    await write({ ...toS3(), keepCount: 1, restoreTest: 'each' });
    const proven = await made();
    await failing(async () => {
      const next = await made(1);
      const copies = [...s3.objects.keys()].map((key) => key.slice(-41, -5)).toSorted();
      expect(copies).toEqual([proven, next].toSorted());
    });
    s3.refuse('PUT');
    await made(1);
    expect(s3.objects.size, 'a failed copy removes none').toBe(2);
    s3.refuse(null);
    const next = await made();
    expect([...s3.objects.keys()]).toEqual([expect.stringContaining(String(next))]);
  }, 60_000);

  test('a copy that failed does not keep the dump from its test', async () => {
    await write({ ...toS3(), restoreTest: 'each' });
    s3.refuse('PUT');
    const id = await made(1);
    expect(await lastRun()).toMatchObject({ failure: 'copy_failed' });
    const { tests } = dokku.dumps.readDumps(await succeed(dokku.dumps.list(type, name)));
    expect(tests).toMatchObject([{ dumpId: id, outcome: 'same' }]);
  });
});

test('a type without dumps makes no backup, and says why', async () => {
  await succeed(dokku.schedules.write('memcached', name, daily));
  expect(await run(dokku.schedules.run('memcached', name))).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('failed'),
  });
});
