import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type DatabaseTypeName, databaseTypes } from '@homeport/contract/databases/types/database-types';
import * as dokku from '@homeport/dokku';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { prepareSandboxHost, type SandboxHost } from './index.ts';
import { pathsOf } from './machine/paths.ts';
import { serviceKinds } from './services/kinds.ts';
import { dataFolderOf, heldDataOf } from './services/service.ts';

// The commands of Homeport's plugin that keep dumps, run by bash on the sandbox.

const name = dokku.serviceName('main-db');
let folder: string;
let host: SandboxHost;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'homeport-dumps-'));
  host = await prepareSandboxHost({
    root: join(folder, 'host'),
    plugins: ['postgres', 'mysql', 'mongo', 'redis', 'memcached', 'clickhouse'],
  });
  const place = join(host.root, 'machine/var/lib/dokku/plugins/available/homeport');
  cpSync(fileURLToPath(new URL('../../dokku/plugin', import.meta.url)), place, { recursive: true });
  await succeed(dokku.plugin.enable('homeport'));
  for (const { type } of databaseTypes) await succeed(dokku.service.create(type, name));
}, 120_000);
afterAll(async () => {
  await host?.dispose();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => rmSync(join(dumpsOf('postgres'), '..', '..'), { recursive: true, force: true }));

const run = (command: dokku.Command): Promise<dokku.Outcome> =>
  new Promise((resolve) => {
    const options = { env: host.env, encoding: 'latin1', maxBuffer: 64 << 20 } as const;
    execFile('dokku', command.words, options, (error, stdout, stderr) =>
      resolve({ exitCode: error ? Number(error.code) : 0, stdout, stderr }),
    ).stdin?.end();
  });

async function succeed(command: dokku.Command): Promise<dokku.Outcome> {
  const outcome = await run(command);
  expect(outcome).toMatchObject({ exitCode: 0 });
  return outcome;
}

async function failsWith(command: dokku.Command): Promise<string | undefined> {
  return dokku.failureOf(await run(command))?.code;
}

/** Sends input and, unless it is cut off, its end. */
function start(command: dokku.Command, input: string | Buffer, path = host.env.PATH): ChildProcess {
  const child = spawn('dokku', command.words, {
    env: { ...host.env, PATH: path },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  child.stdin?.on('error', () => {});
  child.stdin?.write(input);
  return child;
}

async function send(
  command: dokku.Command,
  input: string | Buffer,
  path?: string,
): Promise<string | undefined> {
  const child = start(command, input, path);
  let stderr = '';
  child.stderr?.on('data', (text) => {
    stderr += text;
  });
  child.stdin?.end();
  const [exitCode] = await once(child, 'close');
  return dokku.failureOf({ exitCode, stdout: '', stderr })?.code;
}

const dumpsOf = (type: DatabaseTypeName) => join(pathsOf(host.root).pluginData, 'dumps', type, name);
const held = (type: DatabaseTypeName) => heldDataOf(pathsOf(host.root), serviceKinds[type], name);
const id = () => dokku.dumps.dumpId(randomUUID());
const list = async (type: DatabaseTypeName) =>
  dokku.dumps.readDumps(await succeed(dokku.dumps.list(type, name)));
const sum = (text: string | Buffer) => createHash('sha256').update(text).digest('hex');
/** What lies in the folder of dumps, hidden or not. */
const inFolder = (type: DatabaseTypeName) => readdirSync(dumpsOf(type)).toSorted();

const withDumps = databaseTypes.flatMap(({ type, dump }) => (dump.kind === 'file' ? [type] : []));
const heads: Partial<Record<DatabaseTypeName, string>> = { postgres: 'PGDMP', redis: 'REDIS' };
const rows = (type: DatabaseTypeName, text: string) => `${heads[type] ?? ''}${text}`;

describe.each(withDumps)('a dump of %s', (type) => {
  test('holds the bytes of the export, is told with its checksum, and brings the data back', async () => {
    const before = rows(type, ' lamps\0\n\xff');
    writeFileSync(held(type), before, 'latin1');
    const made = id();
    await succeed(dokku.dumps.make(type, name, made, 'made'));
    const told = {
      id: made,
      origin: 'made',
      bytes: before.length,
      sha256: sum(Buffer.from(before, 'latin1')),
      madeAt: expect.any(Number),
      durationSeconds: expect.any(Number),
      // The client of the stand-in counts lines.
      counts: { parts: type === 'redis' ? 0 : 1, least: 1, most: 1 },
    };
    expect(await list(type)).toEqual({ dumps: [told], freeBytes: expect.any(Number), tests: [] });
    expect((await succeed(dokku.dumps.read(type, name, made))).stdout).toBe(before);
    writeFileSync(held(type), rows(type, 'later'));
    await succeed(dokku.dumps.restore(type, name, made, id()));
    expect(readFileSync(held(type), 'latin1')).toBe(before);
    expect(dokku.service.readInfo(await succeed(dokku.service.info(type, name))).state).toBe('running');
  });
});

test('types without an export make no dump, and leave nothing behind', async () => {
  for (const type of ['memcached', 'clickhouse'] as const) {
    expect(await failsWith(dokku.dumps.make(type, name, id(), 'made'))).toBe('export_failed');
    expect(inFolder(type)).toEqual([]);
  }
});

test('only the user dokku may read the folder and the files', async () => {
  const made = id();
  await succeed(dokku.dumps.make('mysql', name, made, 'made'));
  const mode = (...path: string[]) => statSync(join(dumpsOf('mysql'), ...path)).mode & 0o777;
  expect([mode(), mode('..'), mode('..', '..'), mode(made)]).toEqual([0o700, 0o700, 0o700, 0o700]);
  expect([mode(made, 'dump'), mode(made, 'about')]).toEqual([0o600, 0o600]);
});

test('a dump that is made again under its id stays as it is', async () => {
  const made = id();
  writeFileSync(held('mysql'), 'first');
  await succeed(dokku.dumps.make('mysql', name, made, 'before_restore'));
  writeFileSync(held('mysql'), 'second');
  const again = await succeed(dokku.dumps.make('mysql', name, made, 'before_restore'));
  expect(again.stdout).toContain(sum('first'));
  expect((await list('mysql')).dumps).toMatchObject([{ id: made, origin: 'before_restore' }]);
});

test('a failed or an empty export leaves nothing', async () => {
  writeFileSync(held('mysql'), '');
  expect(await failsWith(dokku.dumps.make('mysql', name, id(), 'made'))).toBe('dump_empty');
  writeFileSync(held('mysql'), 'rows');
  await succeed(dokku.service.pause('mysql', name));
  expect(await failsWith(dokku.dumps.make('mysql', name, id(), 'made'))).toBe('export_failed');
  await succeed(dokku.service.start('mysql', name));
  expect(inFolder('mysql')).toEqual([]);
});

test('more data than the disk has room for are refused before the export', async () => {
  const big = join(dataFolderOf(pathsOf(host.root), serviceKinds.mysql, name), 'big');
  await succeed(dokku.service.pause('mysql', name));
  writeFileSync(big, '');
  truncateSync(big, 4 * 1024 ** 4);
  expect(await failsWith(dokku.dumps.make('mysql', name, id(), 'made'))).toBe('dump_no_room');
  rmSync(big);
  await succeed(dokku.service.start('mysql', name));
  expect(inFolder('mysql')).toEqual([]);
});

describe('an upload', () => {
  test('is kept when all of it arrived', async () => {
    const sent = id();
    expect(await send(dokku.dumps.write('mysql', name, sent, 5), 'lamps')).toBeUndefined();
    expect((await list('mysql')).dumps).toMatchObject([
      { id: sent, origin: 'uploaded', sha256: sum('lamps') },
    ]);
    expect(await send(dokku.dumps.write('mysql', name, sent, 5), 'other')).toBe('dump_exists');
  });

  test('keeps the checksum that its sender took, and takes its own where the sender sent none', async () => {
    const taken = sum('what the sender read');
    const input = Buffer.concat([Buffer.from('lamps'), dokku.dumps.checksumLine(taken)]);
    expect(await send(dokku.dumps.write('mysql', name, id(), 5), input)).toBeUndefined();
    expect((await list('mysql')).dumps).toMatchObject([{ bytes: 5, sha256: taken }]);
    for (const behind of ['', '\n', 'no checksum\n', taken.toUpperCase(), 'f'.repeat(100)]) {
      const sent = id();
      expect(await send(dokku.dumps.write('mysql', name, sent, 5), `lamps${behind}`)).toBeUndefined();
      expect((await list('mysql')).dumps.find((dump) => dump.id === sent)).toMatchObject({
        bytes: 5,
        sha256: sum('lamps'),
      });
    }
  });

  test('that ends early, that is ended, or that the disk has no room for leaves nothing', async () => {
    expect(await send(dokku.dumps.write('mysql', name, id(), 6), 'lamps')).toBe('dump_cut_off');
    expect(await send(dokku.dumps.write('mysql', name, id(), 10 ** 14), 'lamps')).toBe('dump_no_room');
    expect(inFolder('mysql')).toEqual([]);
  });

  /** The programs of the host, with one in front of its own. */
  function withProgram(program: string, script: string): string {
    const programs = mkdtempSync(join(folder, 'program-'));
    writeFileSync(join(programs, program), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return `${programs}:${host.env.PATH}`;
  }

  test.each(['dd', 'sync'])('that the disk does not take leaves nothing: %s fails', async (program) => {
    const path = withProgram(program, 'exit 1');
    expect(await send(dokku.dumps.write('mysql', name, id(), 5), 'lamps', path)).toBe('dump_not_on_disk');
    expect(inFolder('mysql')).toEqual([]);
  });

  test.each([0, 1])(
    'of whole blocks and %i bytes is kept where the disk can be written directly, and where not',
    async (more) => {
      const bytes = randomBytes(2 * 1024 ** 2 + more);
      const noDirect = withProgram('dd', 'case "$*" in *direct*) exit 1 ;; esac; exec /bin/dd "$@"');
      for (const path of [host.env.PATH, noDirect]) {
        const sent = id();
        expect(await send(dokku.dumps.write('mysql', name, sent, bytes.length), bytes, path)).toBeUndefined();
        const kept = (await list('mysql')).dumps.find((dump) => dump.id === sent);
        expect(kept).toMatchObject({ bytes: bytes.length, sha256: sum(bytes) });
      }
    },
  );

  test('whose command was killed leaves nothing after the next command', async () => {
    const child = start(dokku.dumps.write('mysql', name, id(), 100), 'lamps');
    await expect.poll(() => inFolder('mysql')).toHaveLength(1);
    const pid = Number(inFolder('mysql')[0]?.split('.')[2]);
    // The list of dumps never shows what is not whole, and takes nothing from a command that still runs.
    expect((await list('mysql')).dumps).toEqual([]);
    expect(inFolder('mysql')).toHaveLength(1);
    process.kill(pid, 'SIGKILL');
    child.stdin?.end();
    await once(child, 'close');
    await list('mysql');
    expect(inFolder('mysql')).toEqual([]);
  });
});

describe('the checksum of a dump', () => {
  const works = '[ "$1 $2 $3" = "dgst -sha256 -r" ] && echo asked >>"$0.asked" && exec sha256sum';
  test.each([
    ['comes from OpenSSL, which is faster', works, true],
    ['is right where OpenSSL fails', 'exit 1', false],
    ['is right where OpenSSL prints another sum', 'cat >/dev/null; echo 00 "*stdin"', false],
  ])('%s', async (_title, script, isAsked) => {
    const programs = mkdtempSync(join(folder, 'openssl-'));
    const openssl = join(programs, 'openssl');
    writeFileSync(openssl, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const made = id();
    const input = rows('postgres', ' sum');
    const path = `${programs}:${host.env.PATH}`;
    expect(await send(dokku.dumps.write('postgres', name, made, input.length), input, path)).toBeUndefined();
    expect((await list('postgres')).dumps).toMatchObject([{ id: made, sha256: sum(input) }]);
    expect(existsSync(`${openssl}.asked`)).toBe(isAsked);
  });
});

describe('a dump that is sent', () => {
  const change = (made: string, bytes: Buffer) => writeFileSync(join(dumpsOf('mysql'), made, 'dump'), bytes);

  test('is compared with its checksum, and a changed one is told behind its bytes', async () => {
    const bytes = randomBytes(300_000);
    writeFileSync(held('mysql'), bytes);
    const made = id();
    await succeed(dokku.dumps.make('mysql', name, made, 'made'));
    const sent = await succeed(dokku.dumps.read('mysql', name, made));
    expect(Buffer.from(sent.stdout, 'latin1').equals(bytes)).toBe(true);
    const changed = Buffer.from(bytes);
    changed[200_000] = (changed[200_000] ?? 0) ^ 1;
    for (const other of [changed, bytes.subarray(0, -1), Buffer.alloc(0)]) {
      change(made, other);
      const ran = await run(dokku.dumps.read('mysql', name, made));
      expect(dokku.failureOf(ran)?.code).toBe('dump_damaged');
      expect(Buffer.from(ran.stdout, 'latin1').equals(other)).toBe(true);
    }
  });

  test('leaves no program behind when nobody takes its bytes any more', async () => {
    writeFileSync(held('mysql'), 'rows');
    const made = id();
    await succeed(dokku.dumps.make('mysql', name, made, 'made'));
    // A file of 256 GiB without a byte on the disk keeps the program of the checksum at work.
    rmSync(join(dumpsOf('mysql'), made, 'dump'));
    const file = join(dumpsOf('mysql'), made, 'dump');
    writeFileSync(file, '');
    truncateSync(file, 256 * 1024 ** 3);
    const child = spawn('dokku', dokku.dumps.read('mysql', name, made).words, {
      env: host.env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const readers = () => programsThatRead(file);
    await expect.poll(readers).toHaveLength(2);
    child.stdout?.destroy();
    await once(child, 'exit');
    await expect.poll(readers).toEqual([]);
  });
});

/** The processes that have this file open (proc(5)). */
function programsThatRead(file: string): string[] {
  const opened = (pid: string) => {
    try {
      return readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
    } catch {
      // The process, or its file, is gone meanwhile, or belongs to somebody else.
      return [];
    }
  };
  return readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && opened(pid).includes(file));
}

test('a deleted dump is gone', async () => {
  const made = id();
  await succeed(dokku.dumps.make('mysql', name, made, 'made'));
  await succeed(dokku.dumps.remove('mysql', name, made));
  expect(inFolder('mysql')).toEqual([]);
  expect(await failsWith(dokku.dumps.remove('mysql', name, made))).toBe('dump_missing');
  expect(await failsWith(dokku.dumps.read('mysql', name, made))).toBe('dump_missing');
});

describe('a restore', () => {
  test('touches nothing where the dump is missing, empty or damaged', async () => {
    writeFileSync(held('redis'), 'REDIS kept');
    const made = id();
    await succeed(dokku.dumps.make('redis', name, made, 'made'));
    expect(await failsWith(dokku.dumps.restore('redis', name, id(), id()))).toBe('dump_missing');
    for (const bytes of ['REDIS kepd', '']) {
      writeFileSync(join(dumpsOf('redis'), made, 'dump'), bytes);
      expect(await failsWith(dokku.dumps.restore('redis', name, made, id()))).toBe('dump_damaged');
    }
    expect(readFileSync(held('redis'), 'utf8')).toBe('REDIS kept');
  });

  test('of a file that is no snapshot of Redis touches nothing', async () => {
    writeFileSync(held('redis'), 'REDIS kept');
    const sent = id();
    await send(dokku.dumps.write('redis', name, sent, 5), 'lamps');
    const ran = await run(dokku.dumps.restore('redis', name, sent, id()));
    expect(dokku.failureOf(ran)?.code).toBe('import_failed');
    expect(ran.stderr).toContain('This file is no snapshot of Redis. Nothing was replaced.');
    expect(readFileSync(held('redis'), 'utf8')).toBe('REDIS kept');
  });

  test('that ended well is not made a second time under its name', async () => {
    writeFileSync(held('mysql'), 'dumped');
    const [made, attempt] = [id(), id()];
    await succeed(dokku.dumps.make('mysql', name, made, 'made'));
    await succeed(dokku.dumps.restore('mysql', name, made, attempt));
    writeFileSync(held('mysql'), 'written since');
    await succeed(dokku.dumps.restore('mysql', name, made, attempt));
    expect(readFileSync(held('mysql'), 'utf8')).toBe('written since');
    await succeed(dokku.dumps.restore('mysql', name, made, id()));
    expect(readFileSync(held('mysql'), 'utf8')).toBe('dumped');
  });
});

test('names and ids that lead elsewhere are refused before anything is made', async () => {
  const hostile = ['../main-db', '..', '-rf', 'a/b', '$(id)', 'main-db\n', ''];
  for (const text of hostile) {
    const commands = [
      ['homeport:dump', 'mysql', text, id(), 'made'],
      ['homeport:dumps', 'mysql', text],
      ['homeport:dumps', text, name],
      ['homeport:dump', 'mysql', name, text, 'made'],
      ['homeport:dump', 'mysql', name, id(), text],
      ['homeport:dump-read', 'mysql', name, text],
      ['homeport:dump-write', 'mysql', name, text, '5'],
      ['homeport:dump-write', 'mysql', name, id(), text],
      ['homeport:dump-delete', 'mysql', name, text],
      ['homeport:restore', 'mysql', name, text, id()],
      ['homeport:restore', 'mysql', name, id(), text],
    ];
    for (const words of commands)
      expect(await run({ program: 'dokku', words, needsRoot: false })).toMatchObject({
        exitCode: 1,
        stdout: '',
      });
  }
  expect(inFolder('mysql')).toEqual([]);
}, 120_000);
