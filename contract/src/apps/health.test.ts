import { describe, expect, it, test } from 'vitest';
import { staleAfterMs } from '../limits.ts';
import { type AppFacts, type AppState, appState, appStates, appStateText, isDeployed } from './health.ts';
import type { App } from './schema.ts';

const now = 1_795_000_000_000;
const minute = 60_000;
const crashAt = (at: number | null): NonNullable<App['crash']> => ({ at, processes: [] });

/** Every kind of value that the store can hold, and each side of each bound. */
const held = {
  stopped: [false, true],
  crash: [null, crashAt(null), crashAt(now - 3 * minute), crashAt(now - 30 * minute)],
  status: ['never', 'deploying', 'succeeded', 'failed'],
  deployedAt: [null, now - minute, now - staleAfterMs, now - 60 * minute],
  startedAt: [null, now - 2 * minute, now - 60 * minute],
  measuredAt: [undefined, null, now - minute, now - staleAfterMs + 1, now - staleAfterMs, now - 60 * minute],
} as const;

type Combination = { app: AppFacts; measuredAt: number | null | undefined; state: AppState };

const combinations: Combination[] = held.stopped.flatMap((stopped) =>
  held.crash.flatMap((crash) =>
    held.status.flatMap((status) =>
      held.deployedAt.flatMap((at) =>
        held.startedAt.flatMap((startedAt) =>
          held.measuredAt.map((measuredAt) => {
            const app = {
              stopped,
              crash,
              deployment: { status, at },
              startedAt,
              unread: false,
              missingSince: null,
            };
            return { app, measuredAt, state: appState(app, measuredAt, now) };
          }),
        ),
      ),
    ),
  ),
);
const unread: Combination[] = combinations.map(({ app, measuredAt }) => {
  const imported = { ...app, unread: true };
  return { app: imported, measuredAt, state: appState(imported, measuredAt, now) };
});
const of = (kind: AppState['kind']) => combinations.filter(({ state }) => state.kind === kind);

describe(`the state of an app, over all ${combinations.length} combinations`, () => {
  it('takes each of its values', () => {
    for (const kind of appStates.filter((each) => each !== 'unread' && each !== 'missing'))
      expect(of(kind), kind).not.toEqual([]);
  });
  it('is unread exactly where nobody asked the server since the import', () => {
    expect(of('unread')).toEqual([]);
    expect(new Set(unread.map(({ state }) => state.kind))).toEqual(new Set(['unread']));
  });
  it('is missing wherever its server no longer has the app, whatever it was before', () => {
    for (const { app, measuredAt } of [...combinations, ...unread])
      expect(appState({ ...app, missingSince: now - 12 * minute }, measuredAt, now)).toEqual({
        kind: 'missing',
        since: now - 12 * minute,
      });
    expect(appStateText({ kind: 'missing', since: now - 12 * minute }, now)).toBe(
      'Gone from its server, found 12 min ago',
    );
  });
  it('is paused exactly where somebody stopped the app', () => {
    expect(of('paused')).toEqual(combinations.filter(({ app }) => app.stopped));
  });
  it('is undeployed exactly where no deploy succeeded and nobody stopped the app', () => {
    expect(of('undeployed')).toEqual(combinations.filter(({ app }) => !app.stopped && !isDeployed(app)));
  });
  it('is crashed exactly where the store holds a crash, and no later report', () => {
    expect(of('crashed')).toEqual(
      combinations.filter(
        ({ app, measuredAt }) =>
          !app.stopped &&
          isDeployed(app) &&
          app.crash !== null &&
          !(app.crash.at !== null && (measuredAt ?? 0) > app.crash.at),
      ),
    );
  });
  it('is running only with a report, a deploy or a start of the last five minutes, or while nobody has asked for reports', () => {
    for (const { app, measuredAt } of of('running')) {
      const newest = Math.max(measuredAt ?? 0, app.deployment.at ?? 0, app.startedAt ?? 0);
      expect(measuredAt === undefined || now - newest < staleAfterMs).toBe(true);
    }
  });
  it('is silent with none of them, since the latest of the three', () => {
    for (const { app, measuredAt, state } of of('silent')) {
      const newest = Math.max(measuredAt ?? 0, app.deployment.at ?? 0, app.startedAt ?? 0);
      expect(measuredAt).not.toBeUndefined();
      expect(now - newest).toBeGreaterThanOrEqual(staleAfterMs);
      expect(state).toEqual({ kind: 'silent', since: newest || null });
    }
  });
  it('has words that no other state has', () => {
    const words = new Set(combinations.map(({ state }) => `${state.kind}: ${appStateText(state, now)}`));
    expect([...words].sort()).toEqual([
      'crashed: Crashed',
      'paused: Paused',
      'running: Running',
      'silent: Running, no report for 1 h',
      'silent: Running, no report for 5 min',
      'silent: Running, no report yet',
      'undeployed: Not deployed yet',
    ]);
  });
});

test.each([
  [12 * minute, '12 min'],
  [59 * minute, '59 min'],
  [47 * 60 * minute, '47 h'],
  [3 * 1_440 * minute, '3 days'],
])('a silence of %i ms is told as %s', (ms, words) => {
  expect(appStateText({ kind: 'silent', since: now - ms }, now)).toBe(`Running, no report for ${words}`);
});
