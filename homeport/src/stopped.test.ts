import { signUp } from '@homeport/api/testing';
import { freePort } from '@homeport/contract/testing';
import { openStore } from '@homeport/store';
import { beforeAll, expect, test, vi } from 'vitest';
import { buildServer, startConsoleProcess, temporaryFolder } from '../testing/console-process.ts';

vi.setConfig({ testTimeout: 120_000 });

beforeAll(buildServer, 120_000);

/** Saves one name after the other until the console does not answer any more. */
function keepSaving(visitor: Awaited<ReturnType<typeof signUp>>) {
  const progress = { confirmed: 0 };
  const ended = (async () => {
    for (let number = 1; number < 100_000; number += 1) {
      const answer = await visitor
        .call('PATCH /api/profile', { name: `name ${number}` })
        .catch(() => undefined);
      if (answer?.status !== 200) return;
      progress.confirmed = number;
    }
  })();
  return { visitor, progress, ended };
}

test('a console that is told to end while people save ends well, without a failure in its log, and keeps all that it confirmed', async () => {
  await using folder = await temporaryFolder();
  const port = await freePort();
  const console = startConsoleProcess(
    ['--data', folder.path, '--port', String(port), '--only', 'api,monitor'],
    {},
  );
  await console.ready();
  const url = `http://127.0.0.1:${port}`;
  const people = await Promise.all(['ines', 'ada', 'olu', 'kim'].map((name) => signUp(url, name)));
  const savers = people.map(keepSaving);
  const leastConfirmed = () => Math.min(...savers.map(({ progress }) => progress.confirmed));
  await expect.poll(leastConfirmed, { timeout: 30_000, interval: 5 }).toBeGreaterThan(2);
  const before = console.output();
  console.child.kill('SIGTERM');
  expect(await console.ended).toBe(0);
  expect(console.output().slice(before.length)).toBe('');

  await Promise.all(savers.map(({ ended }) => ended));
  const store = await openStore({ dataFolder: folder.path });
  try {
    for (const { visitor, progress } of savers) {
      const { name } = await store.db
        .selectFrom('auth.user')
        .select('name')
        .where('email', '=', visitor.email)
        .executeTakeFirstOrThrow();
      // The last one may have been saved without its confirmation.
      expect(Number(name.replace('name ', '')) - progress.confirmed).toBeOneOf([0, 1]);
    }
  } finally {
    await store.close();
  }
});
