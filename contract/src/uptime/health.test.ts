import { describe, expect, it } from 'vitest';
import { uptimeStates } from './facts.ts';
import { type Standing, uptimeState, uptimeText } from './health.ts';

/** Every kind of value that the store can hold. */
const held = {
  paused: [false, true],
  confirmed: [null, 'up', 'down'],
  confirmedAt: [null, 20],
  against: [0, 1],
  turnedAt: [null, 30],
  unknownSince: [null, 40],
} as const;

const setUpAt = 10;
const combinations = held.paused.flatMap((paused) =>
  held.confirmed.flatMap((confirmed) =>
    held.confirmedAt.flatMap((confirmedAt) =>
      held.against.flatMap((against) =>
        held.turnedAt.flatMap((turnedAt) =>
          held.unknownSince.map((unknownSince) => {
            const standing: Standing = { confirmed, confirmedAt, against, turnedAt, unknownSince };
            return { paused, standing, shown: uptimeState({ ...standing, paused, setUpAt }) };
          }),
        ),
      ),
    ),
  ),
);
type Combination = (typeof combinations)[number];
const states = (fit: (of: Combination) => boolean) => [
  ...new Set(combinations.filter(fit).map(({ shown }) => `${shown.state} ${shown.online}`)),
];

describe(`the state of a check, over all ${combinations.length} combinations`, () => {
  it('takes each of its values', () => {
    expect(new Set(combinations.map(({ shown }) => shown.state))).toEqual(new Set(uptimeStates));
  });
  it('is paused exactly while the check is paused', () => {
    expect(states(({ paused }) => paused)).toEqual(['paused null']);
    expect(states(({ paused }) => !paused)).not.toContain('paused null');
  });
  it('is unknown, neither online nor offline, while checks cannot tell', () => {
    expect(states(({ paused, standing }) => !paused && standing.unknownSince !== null)).toEqual([
      'unknown null',
    ]);
  });
  it('is what checks agreed on, and pending before that', () => {
    const known = ({ paused, standing }: Combination) => !paused && standing.unknownSince === null;
    expect(states((of) => known(of) && of.standing.confirmed === null)).toEqual(['pending null']);
    expect(states((of) => known(of) && of.standing.confirmed === 'down')).toEqual(['down false']);
  });
  it('is pending and still online while a failure is not confirmed', () => {
    const up = ({ paused, standing }: Combination) =>
      !paused && standing.unknownSince === null && standing.confirmed === 'up';
    expect(states((of) => up(of) && of.standing.against === 0)).toEqual(['up true']);
    expect(states((of) => up(of) && of.standing.against > 0)).toEqual(['pending true']);
  });
  it('always has a time, and one word that says whether the app is online', () => {
    for (const { shown } of combinations) expect(shown.since).toBeGreaterThanOrEqual(setUpAt);
    const words = new Set(
      combinations.map(({ shown }) => `${shown.state} ${shown.online}: ${uptimeText(shown)}`),
    );
    expect([...words].sort()).toEqual([
      'down false: Offline',
      'paused null: Paused',
      'pending null: Checking',
      'pending true: Online',
      'unknown null: Not checked',
      'up true: Online',
    ]);
  });
});
