// Where the time of a test run goes: the slowest files of both runners, and the share of the processor that nobody used.
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { relative } from 'node:path';
import { root } from './install.mjs';

/** Processor time of the whole machine since it started, in ms. On Linux from /proc/stat. */
export function processorTimes() {
  const sums = { idle: 0, all: 0 };
  for (const { times } of cpus()) {
    sums.idle += times.idle;
    for (const spent of Object.values(times)) sums.all += spent;
  }
  return sums;
}

/**
 * @param {{ idle: number, all: number }} before
 * @param {{ idle: number, all: number }} after
 */
export function idlePercent(before, after) {
  const all = after.all - before.all;
  return all > 0 ? Math.round(((after.idle - before.idle) / all) * 100) : 0;
}

/** @typedef {{ file: string, seconds: number }} FileTime */

/**
 * The time of each test file in Vitest's report, with its hooks. Empty where there is no report.
 *
 * @param {string} file
 * @returns {FileTime[]}
 */
export function vitestTimes(file) {
  return (readReport(file)?.testResults ?? []).map(
    (/** @type {{ name: string, startTime: number, endTime: number }} */ { name, startTime, endTime }) => ({
      file: relative(root, name),
      seconds: (endTime - startTime) / 1000,
    }),
  );
}

/**
 * The time of the tests of each file in Playwright's report. Empty where there is no report.
 *
 * @param {string} file
 * @returns {FileTime[]}
 */
export function playwrightTimes(file) {
  return (readReport(file)?.suites ?? []).map((/** @type {Suite} */ suite) => ({
    file: `e2e/${suite.file}`,
    seconds: millisecondsOf(suite) / 1000,
  }));
}

/**
 * @typedef {{
 *   file: string,
 *   suites?: Suite[],
 *   specs?: { tests: { results: { duration: number }[] }[] }[],
 * }} Suite
 */

/** @param {Suite} suite @returns {number} */
function millisecondsOf({ suites = [], specs = [] }) {
  const own = specs.flatMap(({ tests }) => tests.flatMap(({ results }) => results));
  return (
    own.reduce((sum, { duration }) => sum + duration, 0) +
    suites.reduce((sum, suite) => sum + millisecondsOf(suite), 0)
  );
}

/** The ten files that took longest. @param {readonly FileTime[]} times */
export function slowest(times) {
  return times.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10);
}

/** @param {string} file */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
