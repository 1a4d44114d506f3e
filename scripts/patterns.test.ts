import { check } from 'recheck';
import { expect, it } from 'vitest';
import { collectPatterns, type Pattern } from './collect-patterns.ts';
import { excusedPatterns } from './excused-patterns.ts';

/**
 * All requests and all output of servers share an event loop, so one request or line on a pattern that backtracks stops all others.
 * CONTRIBUTING.md says what to do about a pattern that fails here.
 */
// Runs recheck’s JavaScript in a thread of its own. Its native programs and its jar are not run.
process.env.RECHECK_BACKEND = 'worker';

/** The slowest pattern takes 4 seconds. The bound is for busy machines. */
const timeout = 60_000;
/** The seed makes recheck try the same random texts in each run. */
const options = { timeout, randomSeed: 1 };
const found = collectPatterns();
const excused = new Set(excusedPatterns.map(({ pattern }) => pattern));
const written = ({ source, flags }: Pattern) => `/${source}/${flags}`;

it('runs no pattern in more than linear time', { timeout: 300_000 }, async () => {
  const slow: string[] = [];
  for (const pattern of found.patterns) {
    if (excused.has(written(pattern))) continue;
    const verdict = await check(pattern.source, pattern.flags, options);
    const why = verdict.status === 'vulnerable' ? verdict.complexity.summary : verdict.status;
    if (verdict.status !== 'safe') slow.push(`${written(pattern)} in ${pattern.places.join(', ')}: ${why}`);
  }
  expect(slow).toEqual([]);
});

it('finds a slow pattern', async () => {
  expect((await check('^(?:a+b?)+$', '', options)).status).toBe('vulnerable');
});

it('builds no pattern from text, which no test could check', () => {
  expect(found.built.filter((place) => !excused.has(place))).toEqual([]);
});

it('excuses only patterns that the source still has', () => {
  const present = new Set([...found.patterns.map(written), ...found.built]);
  expect([...excused].filter((pattern) => !present.has(pattern))).toEqual([]);
});

it('reads the patterns of every room, and those of zod', () => {
  const places = new Set(found.patterns.flatMap(({ places }) => places.map((place) => place.split('/')[0])));
  expect([...places]).toEqual(expect.arrayContaining(['api', 'contract', 'dokku', 'homeport', 'ssh', 'web']));
  expect(found.patterns.map(({ source }) => source)).toContain(zodEmail);
});

const zodEmail = String.raw`^(?:[A-Za-z0-9_'+\-]+\.)*[A-Za-z0-9_'+\-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9\-]*\.)+[A-Za-z]{2,}$`;
