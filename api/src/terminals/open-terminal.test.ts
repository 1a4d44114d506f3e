import { terminalsPerPerson, terminalsPerServer, terminalTimes } from '@homeport/contract/terminals/facts';
import { expect, test } from 'vitest';
import { ProblemError } from '../http/problem.ts';
import { createSeats } from '../http/seats.ts';
import { openTerminal, type TerminalDeps } from './open-terminal.ts';
import type { TerminalPlace } from './place.ts';

const reached = new Error('The server was asked.');

/** Places that hold their terminal as long as the test wants: the server answers when the test says so. */
function start() {
  const seats = { person: createSeats(terminalsPerPerson), server: createSeats(terminalsPerServer) };
  const answers: (() => void)[] = [];
  const place = (serverId: string): TerminalPlace => ({
    look: async () => 'calm',
    reach: async () => ({
      ...{ owner: 'ada' as never, serverId, where: 'somewhere' },
      requireRight: async () => {},
      open: () => new Promise((_, reject) => answers.push(() => reject(reached))),
    }),
  });
  const changes = {
    async *follow() {
      yield null;
    },
  };
  const deps = {
    ...{
      seats,
      changes,
      times: terminalTimes,
      store: {},
      parting: { hold: () => () => {} },
      log: { error: () => {} },
    },
  } as unknown as TerminalDeps;
  const open = (serverId: string, userId = 'ada') => {
    const asked = {
      ...{ query: { columns: 80, rows: 24 }, signal: new AbortController().signal, hear: () => {} },
      session: { userId, sessionId: 'one' } as never,
    };
    return openTerminal(deps, asked, place(serverId)).next();
  };
  return { open, answers };
}

const refusal = async (opening: Promise<unknown>) => {
  const error = await opening.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ProblemError)) throw new Error('The terminal was not refused.', { cause: error });
  return error.toProblem();
};

test('an account has a number of terminals on all its servers, and another account has its own', async () => {
  const { open, answers } = start();
  const held = Array.from({ length: terminalsPerPerson }, (_, at) => open(`server-${at}`));
  await expect.poll(() => answers.length).toBe(terminalsPerPerson);
  expect(await refusal(open('one-more'))).toMatchObject({
    code: 'limit_reached',
    message: `You have ${terminalsPerPerson} terminals open, which is the most for one account. This one was not opened; the others go on.`,
  });
  held.push(open('of-eve', 'eve'));
  await expect.poll(() => answers.length).toBe(terminalsPerPerson + 1);
  for (const answer of answers) answer();
  expect(await Promise.allSettled(held)).toEqual(
    held.map(() => expect.objectContaining({ status: 'rejected' })),
  );
});

test('a server that is full refuses one more without taking a place of the account for it', async () => {
  const { open, answers } = start();
  const held = Array.from({ length: terminalsPerServer }, () => open('lantern'));
  await expect.poll(() => answers.length).toBe(terminalsPerServer);
  for (let at = 0; at < terminalsPerPerson; at += 1)
    expect(await refusal(open('lantern'))).toMatchObject({
      ...{ code: 'limit_reached', message: expect.stringContaining('the most for one server') },
    });
  held.push(open('beacon'));
  await expect.poll(() => answers.length).toBe(terminalsPerServer + 1);
  for (const answer of answers.splice(0)) answer();
  await Promise.allSettled(held);
  // A terminal that could not be opened leaves its places.
  const next = open('lantern');
  await expect.poll(() => answers.length).toBe(1);
  for (const answer of answers) answer();
  await expect(next).rejects.toThrow();
});
