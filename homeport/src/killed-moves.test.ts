import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, cp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as passes } from 'node:timers/promises';
import { freePort } from '@homeport/contract/testing';
import { openStore } from '@homeport/store';
import { fillOlderData, olderFolder } from '@homeport/store/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { buildServer, startConsoleProcess, temporaryFolder } from '../testing/console-process.ts';
import { drawnMoments, seededRandom, spreadMoments } from '../testing/seeded-moments.ts';

vi.setConfig({ testTimeout: 900_000, hookTimeout: 240_000 });

const isHere = existsSync(olderFolder) || process.env.CI === 'true';
const allMoments = 20;
const seed = Number(process.env.KILL_SEED ?? randomInt(2 ** 31));

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
const inFolder = (name: string) => join(folder.path, name);

beforeAll(async () => {
  buildServer();
  folder = await temporaryFolder();
  // PostgreSQL runs as another account where root runs the tests.
  await chmod(folder.path, 0o711);
  if (isHere) await fillOlderData(inFolder('older'));
});
afterAll(() => folder?.[Symbol.asyncDispose]());

test.skipIf(!isHere)(
  'a move to a newer PostgreSQL that is killed at any moment loses no row, and the next start ends it',
  async () => {
    const expected = { sessions: 3, people: 3, months: 20_000 };
    const lengthMs = await lengthOf('undisturbed');
    expect(await rowsIn('undisturbed')).toEqual(expected);
    const drawn = spreadMoments(drawnMoments(allMoments), lengthMs, seededRandom(seed));
    const nearTheEnd = [0.8, 0.85, 0.9, 0.95].map((part) => Math.round(lengthMs * part));
    for (const [number, moment] of [...drawn, ...nearTheEnd].entries()) {
      const name = `killed-${number}`;
      const killed = await start(name);
      await passes(moment);
      killed.child.kill('SIGKILL');
      await killed.ended;
      const next = await start(name);
      await next.ready();
      next.child.kill('SIGTERM');
      const where = `With KILL_SEED=${seed}: killed after ${moment} ms`;
      expect(await next.ended, where).toBe(0);
      expect(await rowsIn(name), where).toEqual(expected);
      expect(existsSync(join(inFolder(name), 'postgres.15/PG_VERSION')), where).toBe(true);
      expect(existsSync(join(inFolder(name), 'moving')), where).toBe(false);
    }
  },
);

/** Starts a console on the data, of which it makes a copy at the first time. */
async function start(name: string) {
  if (!existsSync(inFolder(name)))
    await cp(inFolder('older'), inFolder(name), { recursive: true, preserveTimestamps: true });
  return startConsoleProcess(['--data', inFolder(name), '--port', String(await freePort())]);
}

async function lengthOf(name: string): Promise<number> {
  const from = performance.now();
  const console = await start(name);
  await console.ready();
  const lengthMs = performance.now() - from;
  console.child.kill('SIGTERM');
  await console.ended;
  return lengthMs;
}

async function rowsIn(name: string) {
  const store = await openStore({ dataFolder: inFolder(name) });
  try {
    const { rows } = await store.pool.query<{ sessions: number; people: number; months: number }>(
      `select (select count(*)::integer from auth.session) as sessions, (select count(*)::integer from auth."user") as people,
         (select count(*)::integer from series.check_monthly) as months`,
    );
    return rows[0];
  } finally {
    await store.close();
  }
}
