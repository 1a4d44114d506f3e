import type { Standing } from '@homeport/contract/uptime/health';
import { expect, test } from 'vitest';
import { judge, type Verdict } from './judge.ts';

const nothingKnown: Standing = {
  confirmed: null,
  confirmedAt: null,
  against: 0,
  turnedAt: null,
  unknownSince: null,
};

/** The standing and the events after a row of checks, one a second. */
function after(verdicts: readonly Verdict[], deployed = true, before = nothingKnown) {
  const events: string[] = [];
  let standing = before;
  let soon = false;
  for (const [at, verdict] of verdicts.entries()) {
    const judged = judge(standing, verdict, { at, deployed });
    ({ standing, soon } = judged);
    if (judged.wentDownAt !== null) events.push(`down at ${judged.wentDownAt}`);
    if (judged.cameUpAt !== null) events.push(`up at ${judged.cameUpAt}`);
  }
  return { standing, soon, events };
}

test('an app is up from its first good check', () => {
  expect(after(['up'])).toEqual({
    standing: { ...nothingKnown, confirmed: 'up', confirmedAt: 0 },
    soon: false,
    events: [],
  });
});

test('one failed check decides nothing, and the app is checked again soon', () => {
  const { standing, soon, events } = after(['up', 'down']);
  expect(standing).toMatchObject({ confirmed: 'up', confirmedAt: 0, against: 1, turnedAt: 1 });
  expect({ soon, events }).toEqual({ soon: true, events: [] });
  expect(after(['up', 'down', 'up']).standing).toMatchObject({
    confirmed: 'up',
    confirmedAt: 0,
    turnedAt: null,
  });
});

test('the second failed check in a row makes the app down since the first, once', () => {
  const { standing, events } = after(['up', 'down', 'down', 'down', 'down']);
  expect(standing).toMatchObject({ confirmed: 'down', confirmedAt: 1, against: 0 });
  expect(events).toEqual(['down at 1']);
});

test('an app is up again after two good checks in a row', () => {
  expect(after(['up', 'down', 'down', 'up']).standing).toMatchObject({ confirmed: 'down' });
  expect(after(['up', 'down', 'down', 'up', 'down', 'up']).events).toEqual(['down at 1']);
  expect(after(['up', 'down', 'down', 'up', 'up']).events).toEqual(['down at 1', 'up at 3']);
});

test('an app that was never up can be down', () => {
  expect(after(['down', 'down']).events).toEqual(['down at 0']);
});

test('an app that was never deployed is not down, and its count starts at the first deploy', () => {
  const undeployed = after(['down', 'down', 'down'], false);
  expect(undeployed).toEqual({ standing: nothingKnown, soon: false, events: [] });
  expect(after(['down'], true, undeployed.standing).events).toEqual([]);
  expect(after(['down', 'down'], true, undeployed.standing).events).toEqual(['down at 0']);
});

test('a check without a finding changes nothing', () => {
  const { standing, events } = after(['up', 'down', 'nothing', 'nothing']);
  expect(standing).toMatchObject({ confirmed: 'up', against: 1, turnedAt: 1, unknownSince: 2 });
  expect(events).toEqual([]);
  expect(after(['up', 'nothing', 'up']).standing).toMatchObject({ confirmedAt: 0, unknownSince: null });
});
