/** Numbers from 0 to below 1, the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Divides a length into `count` equal parts and draws one moment from each, in milliseconds. */
export function spreadMoments(count: number, lengthMs: number, random: () => number): number[] {
  return Array.from({ length: count }, (_, part) => Math.round(((part + random()) / count) * lengthMs));
}

/**
 * How many of a kind's moments a run draws: all of them in `npm run test:deep`, else one in three. Every part of the work's length
 * has its moment either way, and each run draws others.
 */
export function drawnMoments(all: number): number {
  return process.env.TEST_DEEP === '1' ? all : Math.ceil(all / 3);
}
