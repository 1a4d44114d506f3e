import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  countStep,
  failedInVitest,
  readPlaywrightReport,
  readVitestReport,
  sumCounts,
  summaryLine,
} from './count-tests.mjs';
import { root } from './install.mjs';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'homeport-count-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function report(content: unknown): Promise<string> {
  const file = join(folder, 'report.json');
  await writeFile(file, JSON.stringify(content));
  return file;
}

describe('countStep', () => {
  it('counts a step without a report as one check', () => {
    expect(countStep(true, undefined)).toEqual({ passed: 1, failed: 0, skipped: 0 });
    expect(countStep(false, undefined)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });

  it('counts one failure for a runner that failed outside of its tests', () => {
    expect(countStep(false, { passed: 7, failed: 0, skipped: 1 })).toEqual({
      passed: 7,
      failed: 1,
      skipped: 1,
    });
    expect(countStep(false, { passed: 7, failed: 2, skipped: 0 })).toEqual({
      passed: 7,
      failed: 2,
      skipped: 0,
    });
  });
});

describe('the reports', () => {
  it('count a Vitest file that does not load as a failure', async () => {
    const file = await report({
      numPassedTests: 5,
      numFailedTests: 1,
      numPendingTests: 2,
      numTodoTests: 1,
      testResults: [
        { status: 'failed', assertionResults: [] },
        { status: 'failed', assertionResults: [{ status: 'failed' }] },
        { status: 'passed', assertionResults: [{ status: 'passed' }] },
      ],
    });
    expect(readVitestReport(file)).toEqual({ passed: 5, failed: 2, skipped: 3 });
  });

  it('name each failed test of Vitest and each file that did not load', async () => {
    const file = await report({
      testResults: [
        { name: join(root, 'api/src/a.test.ts'), status: 'failed', assertionResults: [] },
        {
          name: join(root, 'api/src/b.test.ts'),
          status: 'failed',
          assertionResults: [
            { status: 'failed', fullName: 'refuses', failureMessages: ['expected 1 to be 2'] },
            { status: 'passed', fullName: 'answers' },
          ],
        },
      ],
    });
    expect(failedInVitest(file)).toEqual([
      'api/src/a.test.ts: did not load',
      'api/src/b.test.ts: refuses\nexpected 1 to be 2',
    ]);
  });

  it('count flaky browser tests and errors outside of tests as failures', async () => {
    const file = await report({
      stats: { expected: 9, unexpected: 1, flaky: 1, skipped: 2 },
      errors: [{ message: 'cannot load' }],
    });
    expect(readPlaywrightReport(file)).toEqual({ passed: 9, failed: 3, skipped: 2 });
  });

  it('count as a failure when they are missing', () => {
    const log = vi.spyOn(console, 'error').mockReturnValue();
    expect(readVitestReport(join(folder, 'none.json')).failed).toBe(1);
    expect(readPlaywrightReport(join(folder, 'none.json')).failed).toBe(1);
    expect(log).toHaveBeenCalledTimes(2);
    log.mockRestore();
  });
});

describe('summaryLine', () => {
  it('sums up all runners, and names skipped tests only if there are any', () => {
    const total = sumCounts([
      { passed: 1, failed: 0, skipped: 0 },
      { passed: 4, failed: 2, skipped: 0 },
    ]);
    expect(summaryLine(total)).toBe('5 passed, 2 failed');
    expect(summaryLine({ ...total, skipped: 3 })).toBe('5 passed, 2 failed, 3 skipped');
  });
});
