import type { Course } from '@homeport/store';

const gib = 2 ** 30;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** One server in twenty-five has a disk that fills within days, and the fourth server is the first of them. */
const fills = (number: number) => number % 25 === 4;
/** A program of these servers loses memory, so somebody restarts them each week. */
const leaks = (number: number) => number % 12 === 6;

/** The course of the simulated server with this number: the same at each start, and different for each server. */
export function courseOf(number: number): Course {
  const draw = (what: number) => drawn(number, what);
  const between = (least: number, most: number, what: number) => least + (most - least) * draw(what);
  /** Evenly over the orders of magnitude, as the sizes of real servers are. */
  const scaled = (least: number, most: number, what: number) => least * (most / least) ** draw(what);
  const receives = scaled(4_000, 2_500_000, 1);
  const [pingUs, pingEu, pingAsia] = regions[number % regions.length] ?? [95, 12, 180];
  const hasJob = number % 3 === 0;
  return {
    busy: scaled(0.03, 0.42, 2),
    swing: between(0.1, 0.6, 3),
    riseAt: between(0.2, 0.5, 4),
    job: hasJob ? between(0.12, 0.2, 5) : 0,
    jobEveryMs: ([3, 6, 12, 24][number % 4] ?? 24) * hourMs,
    jobMs: Math.round(between(0.3, 1.2, 6) * hourMs),
    growth: number % 5 === 1 ? between(0.4, 0.8, 7) : 0,
    cores: [2, 4, 4, 8, 16][Math.floor(draw(8) * 5)] ?? 4,
    memoryBytes: ([2, 4, 8, 16, 32][Math.floor(draw(9) * 5)] ?? 8) * gib,
    memory: leaks(number) ? between(0.3, 0.4, 10) : between(0.15, 0.62, 10),
    leakPerDay: leaks(number) ? 0.06 : 0,
    bootEveryMs: leaks(number) ? 7 * dayMs : Math.round(between(18, 160, 11)) * dayMs,
    bootOffsetMs: Math.round(between(0, 160, 12) * dayMs),
    diskBytes: ([20, 40, 80, 160, 320][Math.floor(draw(13) * 5)] ?? 80) * gib,
    disk: fills(number) ? 0.958 : between(0.12, 0.74, 14),
    diskPerDay: fills(number) ? 0.011 : number % 4 === 2 ? between(0.0004, 0.002, 15) : 0.00002,
    receives,
    sends: receives * scaled(0.2, 4, 16),
    pingUs,
    pingEu,
    pingAsia: number % 11 === 0 ? null : pingAsia,
    gaps: number % 6 === 5,
  };
}

/** Milliseconds to the United States, Europe and Asia from a place in each of them. */
const regions = [
  [92, 9, 168],
  [11, 88, 205],
  [178, 172, 14],
] as const;

/**
 * A number from 0 to 1, the same for the same server and question. The mixing is the last step of MurmurHash3. A plain product would
 * give a busy server a full disk as well.
 */
function drawn(number: number, what: number): number {
  let mixed = Math.imul(number, 0x9e3779b1) ^ Math.imul(what, 0x27d4eb2f);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
}
