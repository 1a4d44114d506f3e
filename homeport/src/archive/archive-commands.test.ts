import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { openStore, type Store, tendPartitions } from '@homeport/store';
import { administer, fillTables, proofsOf, testDatabase } from '@homeport/store/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { buildServer, temporaryFolder } from '../../testing/console-process.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 });

const program = `const { main } = await import(${JSON.stringify(
  fileURLToPath(new URL('../../dist/server.js', import.meta.url)),
)}); await main(process.argv.slice(1));`;
const secret = 'the secret of a console that was backed up';
/** What the restore itself changes, so that it differs from the backup. */
const settled = new Set([
  'public.apps',
  'public.checks',
  'public.incidents',
  'public.notice_deliveries',
  'public.notice_messages',
  'public.operation_lines',
  'public.operation_logs',
  'public.operations',
]);

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
/** A console's data, with generated rows in every table. PostgreSQL runs on it, as under a running console. */
let data: string;
let store: Store;
let proofs: Awaited<ReturnType<typeof proofsOf>>;
let recipient: string;
const inFolder = (name: string) => join(folder.path, name);

beforeAll(async () => {
  buildServer();
  folder = await temporaryFolder();
  // PostgreSQL runs as another account where root runs the tests.
  await chmod(folder.path, 0o711);
  data = inFolder('data');
  store = await openStore({ dataFolder: data });
  await tendPartitions(store.pool, Date.now());
  await administer(store.url, fillTables);
  await writeFile(join(data, 'secret'), `${secret}\n`);
  proofs = await administer(store.url, proofsOf);
  const made = await run(['backup', 'key', inFolder('identity')]);
  recipient = /age1[a-z0-9]+/.exec(made.output)?.[0] ?? '';
  await run(['backup', 'key', inFolder('other-identity')]);
  for (const [name, ...flags] of [
    ['sealed', '--recipient', recipient],
    ['plain', '--plain'],
  ] as const)
    expect((await run(['backup', inFolder(name), '--data', data, ...flags])).exitCode).toBe(0);
});
afterAll(async () => {
  await store?.close();
  await folder?.[Symbol.asyncDispose]();
});

test('backs a console up while its PostgreSQL runs, for its owner alone, and restores it into a new data folder', async () => {
  expect((await stat(inFolder('sealed'))).mode & 0o777).toBe(0o600);
  const target = inFolder('restored');
  const { exitCode, output } = await run([
    'restore',
    inFolder('sealed'),
    '--data',
    target,
    '--identity',
    inFolder('identity'),
  ]);
  expect({ exitCode, output }).toMatchObject({
    exitCode: 0,
    output: expect.stringContaining('API tokens are revoked.'),
  });
  await expectRestored({ dataFolder: target }, { tokens: false });
  expect(await readFile(join(target, 'secret'), 'utf8')).toBe(`${secret}\n`);
});

test('carries a console from the embedded PostgreSQL to a server of one’s own and back', async () => {
  await using server = await testDatabase();
  const env = { DATABASE_URL: server.url, HOMEPORT_DATA: inFolder('beside-server') };
  const there = await run(['restore', inFolder('plain'), '--keep-tokens'], env);
  expect(there).toMatchObject({ exitCode: 0 });
  expect(compared(await administer(server.url, proofsOf))).toEqual(compared(proofs));
  expect(await readFile(join(env.HOMEPORT_DATA, 'secret'), 'utf8')).toBe(`${secret}\n`);
  const back = await run(['backup', inFolder('from-server'), '--plain'], { ...env, HOMEPORT_SECRET: secret });
  expect(back).toMatchObject({ exitCode: 0 });
  const target = inFolder('back-again');
  expect(await run(['restore', inFolder('from-server'), '--data', target, '--keep-tokens'])).toMatchObject({
    exitCode: 0,
  });
  await expectRestored({ dataFolder: target }, { tokens: true });
});

test('a console that does not run is backed up too, and ends again', async () => {
  const target = inFolder('at-rest');
  await run(['restore', inFolder('plain'), '--data', target]);
  const { exitCode } = await run(['backup', inFolder('of-rest'), '--data', target, '--plain']);
  expect(exitCode).toBe(0);
  expect(existsSync(join(target, 'postgres/postmaster.pid'))).toBe(false);
  expect(await run(['backup', 'verify', inFolder('of-rest')])).toMatchObject({
    exitCode: 0,
    output: expect.stringContaining('of-rest is whole'),
  });
});

test('writes a backup to standard output, and nothing else there', async () => {
  const { stdout, exitCode } = await run(['backup', '-', '--data', data, '--recipient', recipient]);
  expect(exitCode).toBe(0);
  await writeFile(inFolder('from-output'), stdout);
  expect(
    await run(['backup', 'verify', inFolder('from-output'), '--identity', inFolder('identity')]),
  ).toMatchObject({
    exitCode: 0,
  });
});

test('a missing and a wrong key, no backup and a missing file are named in plain words', async () => {
  const sealed = inFolder('sealed');
  const identity = ['--identity', inFolder('identity')];
  for (const [argv, words] of [
    [[sealed], 'sealed is encrypted.'],
    [
      [sealed, '--identity', inFolder('other-identity')],
      `No private key in ${inFolder('other-identity')} opens ${sealed}.`,
    ],
    [[sealed, '--identity', sealed], 'holds no private key of age.'],
    [[join(data, 'secret'), ...identity], 'is no backup of Homeport.'],
    [[inFolder('nowhere'), ...identity], 'nowhere cannot be read'],
  ] as const)
    for (const command of [['backup', 'verify'], ['restore']]) {
      const { exitCode, output } = await run([...command, ...argv], { HOMEPORT_DATA: inFolder('untouched') });
      expect({ exitCode, output }).toEqual({ exitCode: 1, output: expect.stringContaining(words) });
      expect(output).toContain('Nothing was changed.');
      expect(output).not.toContain('    at ');
    }
  expect(existsSync(inFolder('untouched'))).toBe(false);
});

test.each(['sealed', 'plain'])(
  'a %s backup that was cut or changed is refused, and the console stays empty',
  async (name) => {
    const whole = await readFile(inFolder(name));
    const target = inFolder(`after-damage-${name}`);
    for (const [what, bytes] of [
      ['cut in the middle', whole.subarray(0, whole.length / 2)],
      ['cut by a byte', whole.subarray(0, whole.length - 1)],
      ['flipped', damaged(whole, Math.floor(whole.length * (0.2 + Math.random() * 0.7)))],
      ['longer', Buffer.concat([whole, Buffer.from('x')])],
    ] as const) {
      const file = inFolder(`damaged-${name}`);
      await writeFile(file, bytes);
      for (const command of [
        ['backup', 'verify', file],
        ['restore', file, '--data', target],
      ]) {
        const { exitCode, output } = await run([...command, '--identity', inFolder('identity')]);
        expect({ what, exitCode, output }).toEqual({
          what,
          exitCode: 1,
          output: expect.stringContaining('is damaged'),
        });
        expect(output).toContain('Nothing was changed.');
        expect(output).not.toContain('    at ');
      }
    }
    expect(existsSync(join(target, 'secret'))).toBe(false);
    expect(await run(['restore', inFolder('plain'), '--data', target])).toMatchObject({ exitCode: 0 });
  },
);

test('never replaces a file, and leaves nothing of a backup that found no space', async () => {
  const there = inFolder('there');
  await writeFile(there, 'mine');
  expect(await run(['backup', there, '--data', data, '--plain'])).toMatchObject({
    exitCode: 1,
    output: expect.stringContaining('there exists already.'),
  });
  expect(await readFile(there, 'utf8')).toBe('mine');

  const small = inFolder('small');
  await mkdir(small);
  // The largest file that the process may write, in blocks of 512 bytes.
  const limited = spawnSync(
    'sh',
    [
      '-c',
      'ulimit -f 16; exec "$@"',
      'sh',
      process.execPath,
      '--input-type=module',
      '--eval',
      program,
      '--',
      'backup',
      join(small, 'file'),
      '--data',
      data,
      '--plain',
    ],
    { encoding: 'utf8', env: { PATH: process.env.PATH, HOME: process.env.HOME } },
  );
  expect(limited).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('There is not enough space for'),
  });
  expect(await readdir(small)).toEqual([]);
});

test('a console with accounts is not restored over, and a running one neither', async () => {
  const target = inFolder('in-use');
  await run(['restore', inFolder('plain'), '--data', target]);
  expect(await run(['restore', inFolder('plain'), '--data', target])).toMatchObject({
    exitCode: 1,
    output: expect.stringContaining('This console has accounts already.'),
  });
  expect(await run(['restore', inFolder('plain'), '--data', data])).toMatchObject({
    exitCode: 1,
    output: expect.stringContaining('is already running on the data folder'),
  });
});

test('the secret of another console is never replaced', async () => {
  expect(
    await run(['restore', inFolder('plain'), '--data', inFolder('other-secret')], {
      HOMEPORT_SECRET: 'a secret of thirty-two letters or more',
    }),
  ).toMatchObject({
    exitCode: 1,
    output: expect.stringContaining('HOMEPORT_SECRET is not the secret of the console'),
  });
  await using server = await testDatabase();
  const beside = inFolder('beside-other');
  await mkdir(beside);
  await copyFile(inFolder('identity'), join(beside, 'secret'));
  expect(
    await run(['restore', inFolder('plain'), '--data', beside], { DATABASE_URL: server.url }),
  ).toMatchObject({ exitCode: 1, output: expect.stringContaining('holds the secret of another console') });
  expect((await server.store.pool.query('select from auth."user"')).rowCount).toBe(0);
});

test('asks for a recipient or for --plain', async () => {
  expect(await run(['backup', inFolder('unasked'), '--data', data])).toMatchObject({
    exitCode: 1,
    output: expect.stringContaining('For whom shall the backup be encrypted?'),
  });
  expect(
    await run(['backup', inFolder('unasked'), '--data', data, '--recipient', 'age1nobody']),
  ).toMatchObject({
    exitCode: 1,
    output: expect.stringContaining('is no public key of age'),
  });
  expect(
    await run(['backup', inFolder('by-setting'), '--data', data], { HOMEPORT_BACKUP_RECIPIENT: recipient }),
  ).toMatchObject({ exitCode: 0, output: expect.stringContaining('It is encrypted.') });
});

const age = spawnSync('age', ['--version']).status === 0;
test.skipIf(!age)('the program age opens a backup, and a backup sealed by it is restored', async () => {
  const opened = spawnSync('age', ['-d', '-i', inFolder('identity'), inFolder('sealed')], { maxBuffer: 1e9 });
  expect(opened.status).toBe(0);
  const sealed = spawnSync('age', ['-r', recipient, '-o', inFolder('by-age')], { input: opened.stdout });
  expect(sealed.status).toBe(0);
  expect(
    await run(['backup', 'verify', inFolder('by-age'), '--identity', inFolder('identity')]),
  ).toMatchObject({
    exitCode: 0,
  });
});

/** Runs the built program until it ends. */
async function run(argv: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program, '--', ...argv], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  const exitCode = await new Promise<number | null>((resolve) => child.once('close', resolve));
  const stdout = Buffer.concat(out);
  return {
    exitCode,
    stdout,
    output: Buffer.concat([...err, ...(stdout[0] === 0x61 ? [] : [stdout])]).toString('utf8'),
  };
}

/**
 * A backup in which a bit differs, at this place or at the first one behind it where that changes what the backup holds. Gzip may write
 * one content in several ways: a repetition that is copied from another distance is the same repetition.
 */
function damaged(bytes: Buffer, at: number): Buffer {
  const changed = Buffer.from(bytes);
  changed[at] = (changed[at] ?? 0) ^ 1;
  return holdsTheSame(bytes, changed) ? damaged(bytes, at + 1) : changed;
}

function holdsTheSame(bytes: Buffer, changed: Buffer): boolean {
  try {
    return gunzipSync(changed).equals(gunzipSync(bytes));
  } catch {
    return false;
  }
}

const compared = (all: typeof proofs) =>
  Object.fromEntries(Object.entries(all).filter(([table]) => !settled.has(table)));

async function expectRestored(
  options: { dataFolder: string },
  { tokens }: { tokens: boolean },
): Promise<void> {
  const restored = await openStore(options);
  try {
    const found = await administer(restored.url, proofsOf);
    const expected = tokens
      ? proofs
      : { ...proofs, 'public.api_tokens': found['public.api_tokens'] ?? { rows: -1, bytes: 0, sha256: '' } };
    expect(compared(found)).toEqual(compared(expected));
    expect(found['public.api_tokens']?.rows).toBe(tokens ? 3 : 0);
  } finally {
    await restored.close();
  }
}
