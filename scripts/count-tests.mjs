import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { root } from './install.mjs';

/** @typedef {{ passed: number, failed: number, skipped: number }} Count */

/**
 * The count of one step. A runner can fail without a failed test: a file does not load, an error happens outside of any test, or
 * there is no report. Such a run counts as one failure, because otherwise the sum would show none.
 *
 * @param {boolean} ok whether the runner itself ended well
 * @param {Count | undefined} report the count in the runner's report; undefined for a step that is a single check
 * @returns {Count}
 */
export function countStep(ok, report) {
  if (!report) return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 };
  if (!ok && report.failed === 0) return { ...report, failed: 1 };
  return report;
}

/** @param {readonly Count[]} counts @returns {Count} */
export function sumCounts(counts) {
  return counts.reduce(
    (sum, { passed, failed, skipped }) => ({
      passed: sum.passed + passed,
      failed: sum.failed + failed,
      skipped: sum.skipped + skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );
}

/** The last line of `npm test`. @param {Count} count */
export function summaryLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/**
 * @param {string} file written by `vitest --reporter=json`
 * @returns {Count}
 */
export function readVitestReport(file) {
  const report = readReport(file);
  if (!report) return { passed: 0, failed: 1, skipped: 0 };
  const unloaded = report.testResults.filter(
    (/** @type {{ status: string, assertionResults: unknown[] }} */ result) =>
      result.status === 'failed' && result.assertionResults.length === 0,
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/**
 * @param {string} file written by Playwright's json reporter
 * @returns {Count}
 */
export function readPlaywrightReport(file) {
  const report = readReport(file);
  if (!report) return { passed: 0, failed: 1, skipped: 0 };
  const { expected, unexpected, flaky, skipped } = report.stats;
  return { passed: expected, failed: unexpected + flaky + report.errors.length, skipped };
}

/**
 * Each failed test of Vitest's report as "file: title", and each file that did not load. Empty where there is no report.
 *
 * @param {string} file
 * @returns {string[]}
 */
export function failedInVitest(file) {
  return (readReport(file)?.testResults ?? []).flatMap(
    (/** @type {VitestFile} */ { name, status, assertionResults }) => {
      const path = relative(root, name);
      if (assertionResults.length === 0) return status === 'failed' ? [`${path}: did not load`] : [];
      return assertionResults
        .filter((test) => test.status === 'failed')
        .map(
          ({ fullName, failureMessages = [] }) =>
            `${path}: ${fullName}\n${failureMessages.join('\n').slice(0, failureCharacters)}`,
        );
    },
  );
}

/** A log that keeps only the end of a run still says what failed there, and the summary stays in sight. */
const failureCharacters = 1_500;

/** @typedef {{ name: string, status: string, assertionResults: { status: string, fullName: string, failureMessages?: string[] }[] }} VitestFile */

/** @param {string} file */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    console.error(`No report in ${file}: ${error instanceof Error ? error.message : error}`);
    return undefined;
  }
}
