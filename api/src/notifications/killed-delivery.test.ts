import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { claimMs } from './deliver-messages.ts';
import { startTold } from './testing.ts';

const program = fileURLToPath(new URL('../testing/delivery-process.ts', import.meta.url));

test('a console that is killed between deciding and sending loses no message, and its claim ends by time', async () => {
  const identifiers: (string | undefined)[] = [];
  let answers = false;
  await using told = await startTold(async ({ headers }) => {
    identifiers.push(headers['message-id']);
    return answers ? null : new Promise<never>(() => {});
  });
  await told.failWork(await told.addPerson('Ada'), 'Start');
  const teller = fork(program, {
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, DATABASE_URL: told.database.url, SMTP_URL: told.mail.url },
  });
  const killed = once(teller, 'exit');
  await expect.poll(() => identifiers.length, { timeout: 40_000 }).toBe(1);
  teller.kill('SIGKILL');
  await killed;
  expect(told.mail.mails).toEqual([]);

  answers = true;
  told.clock.now = Date.now();
  await told.tell();
  expect(identifiers, 'the claim of the killed one still holds').toHaveLength(1);
  told.clock.now += claimMs;
  await told.tell();
  expect(told.mail.mails).toHaveLength(1);
  expect(identifiers[1]).toBe(identifiers[0]);
  expect(await told.messages()).toMatchObject([{ state: 'sent', attempts: 2 }]);
}, 60_000);
