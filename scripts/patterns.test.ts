import { check } from 'recheck';
import { expect, it } from 'vitest';
import { collectPatterns, type Pattern } from './collect-patterns.ts';
import { excusedPatterns } from './excused-patterns.ts';

/**
 * A pattern that backtracks lets one request or one line of a server’s output stop every other one: all of them share an
 * event loop. CONTRIBUTING.md says what to do about a pattern that fails here.
 */
// recheck’s JavaScript, in a thread of its own: its native programs and its jar are not run.
process.env.RECHECK_BACKEND = 'worker';

/** The slowest pattern takes 4 seconds. The bound is for machines that do other things as well. */
const timeout = 60_000;
/** Where recheck tries texts at random, the same ones in each run. */
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

it('builds no pattern from text where nothing can check it', () => {
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
