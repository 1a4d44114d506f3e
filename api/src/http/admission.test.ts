import { setImmediate as pass } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createAdmission } from './admission.ts';
import { ProblemError } from './problem.ts';
import { startTestApi } from './testing.ts';

/** Asks for so many at once; gives how many were let through within a few passes of the event loop, and how many refused. */
async function ask(admit: (caller: string) => Promise<void>, caller: string, count: number) {
  let [admitted, refused] = [0, 0];
  for (let index = 0; index < count; index += 1)
    admit(caller).then(
      () => {
        admitted += 1;
      },
      (error: unknown) => {
        expect(error).toBeInstanceOf(ProblemError);
        expect(error).toMatchObject({ code: 'too_many' });
        refused += 1;
      },
    );
  for (let index = 0; index < count + 2; index += 1) await pass();
  return { admitted, refused };
}

/** For tests of the long allowance alone. */
const atOnce = { atOnce: 1_000, burstPerSecond: 1_000 };

describe('admission', () => {
  it('lets a burst through, holds the next ones back and refuses the rest', async () => {
    const { admit } = createAdmission({ ...atOnce, burst: 10, perSecond: 0.001, waitMs: 5_000_000 }, () => 0);
    expect(await ask(admit, 'eve', 40)).toEqual({ admitted: 10, refused: 25 });
  });
  it('spreads a burst, so that it does not fill the event loop', async () => {
    let now = 0;
    const pace = { atOnce: 5, burstPerSecond: 0.001, burst: 50, perSecond: 0.001, waitMs: 0 };
    const { admit } = createAdmission(pace, () => now);
    expect(await ask(admit, 'eve', 8)).toEqual({ admitted: 5, refused: 3 });
    now += 2_000_000;
    expect(await ask(admit, 'eve', 8)).toEqual({ admitted: 2, refused: 6 });
  });
  it('counts each caller alone', async () => {
    const { admit } = createAdmission({ ...atOnce, burst: 3, perSecond: 1, waitMs: 0 }, () => 0);
    expect(await ask(admit, 'eve', 9)).toEqual({ admitted: 3, refused: 6 });
    expect(await ask(admit, 'ada', 2)).toEqual({ admitted: 2, refused: 0 });
  });
  it('gives the allowance back as time passes, and never more than the burst', async () => {
    let now = 0;
    const { admit } = createAdmission({ ...atOnce, burst: 4, perSecond: 2, waitMs: 0 }, () => now);
    expect(await ask(admit, 'eve', 9)).toEqual({ admitted: 4, refused: 5 });
    now += 1_000;
    expect(await ask(admit, 'eve', 9)).toEqual({ admitted: 2, refused: 7 });
    now += 60_000;
    expect(await ask(admit, 'eve', 9)).toEqual({ admitted: 4, refused: 5 });
  });
  it('says when to ask again, and lets those that wait through in the end', async () => {
    const { admit } = createAdmission({ ...atOnce, burst: 1, perSecond: 50, waitMs: 20 }, () => 0);
    const first = [admit('eve'), admit('eve')];
    await expect(admit('eve')).rejects.toMatchObject({ details: { retryAfterSeconds: 1 } });
    await Promise.all(first);
  });
});

it('the api admits the calls of a person at its pace', async () => {
  await using api = await startTestApi({}, { pace: { ...atOnce, burst: 2, perSecond: 0.001, waitMs: 0 } });
  const ada = await api.signUp('ada');
  // The first call of a session counts for the session, because its person is not known yet.
  await ada.call('GET /api/servers');
  const answers = await Promise.all([1, 2, 3].map(() => ada.call('GET /api/servers')));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 429]);
});
