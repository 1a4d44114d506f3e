// Runs all checks in one command: see CONTRIBUTING.md. A failed step does not stop the others, so one run shows all faults. The
// last line sums up all runners.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chooseSteps } from './choose-steps.mjs';
import { countStep, readPlaywrightReport, readVitestReport, sumCounts, summaryLine } from './count-tests.mjs';
import { ensureInstalled, root } from './install.mjs';
import { ensureSystemPackages } from './install-system.mjs';
import { runStep } from './run-step.mjs';

const reports = join(root, 'test-results');
const vitestReport = join(reports, 'vitest.json');
const playwrightReport = join(reports, 'playwright.json');

/**
 * @type {readonly {
 *   name: string,
 *   command: readonly [string, ...string[]],
 *   deadlineSeconds: number,
 *   env?: Record<string, string>,
 *   takesParts?: boolean,
 *   report?: () => import('./count-tests.mjs').Count,
 * }[]}
 */
const steps = [
  { name: 'types', command: ['npm', 'run', '--silent', 'types'], deadlineSeconds: 120 },
  { name: 'lint', command: ['npm', 'run', '--silent', 'lint'], deadlineSeconds: 120 },
  { name: 'unused', command: ['npm', 'run', '--silent', 'unused'], deadlineSeconds: 240 },
  {
    name: 'unit',
    takesParts: true,
    command: ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${vitestReport}`],
    deadlineSeconds: 1_500,
    report: () => readVitestReport(vitestReport),
  },
  { name: 'build', command: ['npm', 'run', '--silent', 'build'], deadlineSeconds: 120 },
  {
    name: 'e2e',
    takesParts: true,
    command: ['playwright', 'test', '--config=e2e/playwright.config.ts', '--reporter=list,json'],
    deadlineSeconds: 1_500,
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightReport },
    report: () => readPlaywrightReport(playwrightReport),
  },
];

const chosen = readChoice();
ensureInstalled();
ensureSystemPackages();
// Node reads this file whole at each start, and the tests start Node thousands of times. After the installation the tests use only
// the loopback, with certificates of their own.
delete process.env.NODE_EXTRA_CA_CERTS;
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

const results = [];
for (const { name, command, parts, deadlineSeconds, env, report } of chosen) {
  console.log(`\n── ${name}`);
  const [program, ...args] = command;
  const outcome = await runStep(program, [...args, ...parts], { deadlineSeconds, env });
  results.push({ name, ...outcome, count: countStep(outcome.ok, report?.()) });
}

console.log('');
for (const { name, ok, seconds, reason, count } of results) {
  const state = ok ? 'ok' : `failed: ${reason}`;
  console.log(`${name.padEnd(8)}${`${seconds.toFixed(1)} s`.padStart(9)}  ${summaryLine(count)}  (${state})`);
}
const total = sumCounts(results.map(({ count }) => count));
console.log(summaryLine(total));
process.exitCode = total.failed > 0 ? 1 : 0;

/** The steps to run, each with the parts of paths that filter its test files. All steps without `--only`. */
function readChoice() {
  const names = steps.map(({ name }) => name).join(', ');
  const usage = `npm test [-- --only <step>[/<part of a test file's path>][,…]]\nSteps, in order: ${names}`;
  try {
    const { values } = parseArgs({ options: { only: { type: 'string' }, help: { type: 'boolean' } } });
    if (values.help) {
      console.log(usage);
      process.exit(0);
    }
    const wanted =
      values.only === undefined
        ? steps.map(({ name }) => ({ name, parts: /** @type {string[]} */ ([]) }))
        : chooseSteps(
            values.only,
            steps.map(({ name, takesParts = false }) => ({ name, takesParts })),
          );
    return wanted.flatMap(({ name, parts }) =>
      steps.filter((step) => step.name === name).map((step) => ({ ...step, parts })),
    );
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${usage}`);
    process.exit(2);
  }
}
