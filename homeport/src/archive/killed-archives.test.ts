import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as passes } from 'node:timers/promises';
import { openStore, type Store, tendPartitions } from '@homeport/store';
import { administer, fillTables } from '@homeport/store/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { buildServer, startConsoleProcess, temporaryFolder } from '../../testing/console-process.ts';
import { drawnMoments, seededRandom, spreadMoments } from '../../testing/seeded-moments.ts';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 240_000 });

const allMoments = 20;
const seed = Number(process.env.KILL_SEED ?? randomInt(2 ** 31));
const people = 3;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let data: string;
let store: Store;
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
  // Enough for a kill in the middle of a table.
  await store.pool.query(
    'insert into series.check_monthly select 1000 + n, n, ' +
      `${Array(26).fill('1').join(', ')} from generate_series(1, 20000) as n`,
  );
  await writeFile(join(data, 'secret'), 'the secret of a console that was backed up\n');
  await ended(['backup', inFolder('whole'), '--data', data, '--plain']);
});
afterAll(async () => {
  await store?.close();
  await folder?.[Symbol.asyncDispose]();
});

test('a backup that is killed leaves no file with its name, or a whole one, and the next backup works', async () => {
  const file = inFolder('killed');
  const backup = ['backup', file, '--data', data, '--plain'];
  for (const moment of await momentsOf(backup, () => rm(file))) {
    await killedAfter(backup, moment);
    if (existsSync(file)) await ended(['backup', 'verify', file]);
    await rm(file, { force: true });
    await ended(backup);
    await ended(['backup', 'verify', file]);
    expect(existsSync(`${file}.part`)).toBe(false);
    await rm(file);
  }
});

test('a restore that is killed leaves an empty console, or the whole one, and an empty one takes the next restore', async () => {
  const restoreInto = (target: string) => ['restore', inFolder('whole'), '--data', target];
  const moments = await momentsOf(restoreInto(inFolder('undisturbed')), async () => {});
  for (const [number, moment] of moments.entries()) {
    // A killed restore may leave an initdb that still writes for a moment, so that its folder cannot be cleared for the next one.
    const target = inFolder(`target-${number}`);
    await killedAfter(restoreInto(target), moment);
    const where = `With KILL_SEED=${seed}: killed after ${moment} ms`;
    const found = await stateOf(target);
    expect([0, people], where).toContain(found.people);
    if (found.people === 0) await ended(restoreInto(target));
    expect(await stateOf(target), where).toEqual({ people, months: 20_000 + people, unconfirmed: 1 });
  }
});

/** Runs the command once undisturbed, and draws moments over its length. The last ones are near its end, where names change. */
async function momentsOf(argv: string[], after: () => Promise<void>): Promise<number[]> {
  const from = performance.now();
  await ended(argv);
  const lengthMs = performance.now() - from;
  await after();
  const drawn = spreadMoments(drawnMoments(allMoments), lengthMs, seededRandom(seed));
  return [...drawn, Math.round(lengthMs * 0.9), Math.round(lengthMs * 0.97)];
}

async function killedAfter(argv: string[], moment: number): Promise<void> {
  const { child, ended: end } = startConsoleProcess(argv);
  await passes(moment);
  child.kill('SIGKILL');
  await end;
}

async function ended(argv: string[]): Promise<void> {
  const command = startConsoleProcess(argv);
  const exitCode = await command.ended;
  expect({ seed, exitCode, output: command.output() }).toMatchObject({ exitCode: 0 });
}

/** What a console finds that starts now. */
async function stateOf(dataFolder: string) {
  const found = await openStore({ dataFolder });
  try {
    const { rows } = await found.pool.query<{ people: number; months: number; unconfirmed: number }>(
      `select (select count(*)::integer from auth."user") as people,
         (select count(*)::integer from series.check_monthly) as months,
         (select count(*)::integer from restorations where confirmed_at is null) as unconfirmed`,
    );
    return rows[0] ?? { people: -1, months: -1, unconfirmed: -1 };
  } finally {
    await found.close();
  }
}
