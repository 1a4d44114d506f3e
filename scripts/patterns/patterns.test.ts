import { expect, it } from 'vitest';
import { collectPatterns } from './collect-patterns.ts';
import { excusedPatterns } from './excused-patterns.ts';
import { keptProofs, patternsToProve, proofOf, unproven, whySlow, written } from './linear-patterns.ts';

/**
 * All requests and all output of servers share an event loop, so one request or line on a pattern that backtracks stops all others.
 * CONTRIBUTING.md says what to do about a pattern that fails here.
 */
const found = collectPatterns();
const excused = new Set(excusedPatterns.map(({ pattern }) => pattern));
/** `npm run test:deep` believes no proof that is kept. */
const isDeep = process.env.TEST_DEEP === '1';

it('runs no pattern in more than linear time', { timeout: 300_000 }, async () => {
  const slow: string[] = [];
  for (const pattern of unproven(patternsToProve(found.patterns), isDeep ? new Set() : keptProofs())) {
    const why = await whySlow(pattern);
    if (why !== undefined) slow.push(`${written(pattern)} in ${pattern.places.join(', ')}: ${why}`);
  }
  expect(slow).toEqual([]);
});

it('finds a slow pattern, and a proof of another pattern or with other flags does not excuse it', async () => {
  const slow = { source: '^(?:a+b?)+$', flags: '', places: [] };
  const others = new Set(
    [
      { ...slow, flags: 'i' },
      { ...slow, source: '^a+$' },
    ].map(proofOf),
  );
  expect(unproven([slow], others)).toEqual([slow]);
  expect(unproven([slow], new Set([proofOf(slow).slice(1)]))).toEqual([slow]);
  expect(await whySlow(slow)).toBe('exponential');
});

it.runIf(isDeep)('keeps a proof of each pattern, and no other', () => {
  const needed = patternsToProve(found.patterns).map(proofOf).toSorted();
  expect([...keptProofs()], 'Run `npx tsx scripts/patterns/prove-patterns.ts`.').toEqual(needed);
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
