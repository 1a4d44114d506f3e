// Runs all checks in one command: see CONTRIBUTING.md. A failed step does not stop the others, so one run shows all faults. The
// last line sums up all runners.
//
// The build comes first, so that no test file has to build. The single checks run beside the unit tests, with what these leave of the
// processor. The browser tests have the machine for themselves: they have deadlines of seconds.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chooseSteps } from './choose-steps.mjs';
import {
  countStep,
  failedInVitest,
  readPlaywrightReport,
  readVitestReport,
  sumCounts,
  summaryLine,
} from './count-tests.mjs';
import { ensureInstalled, root } from './install.mjs';
import { ensureSystemPackages } from './install-system.mjs';
import { runStep } from './run-step.mjs';
import { idlePercent, playwrightTimes, processorTimes, slowest, vitestTimes } from './test-times.mjs';

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
 *   aside?: boolean,
 *   report?: () => import('./count-tests.mjs').Count,
 *   times?: () => import('./test-times.mjs').FileTime[],
 *   failures?: () => string[],
 * }[]}
 */
const steps = [
  { name: 'build', command: ['npm', 'run', '--silent', 'build'], deadlineSeconds: 600 },
  { name: 'types', aside: true, command: ['npm', 'run', '--silent', 'types'], deadlineSeconds: 600 },
  { name: 'lint', aside: true, command: ['npm', 'run', '--silent', 'lint'], deadlineSeconds: 600 },
  { name: 'unused', aside: true, command: ['npm', 'run', '--silent', 'unused'], deadlineSeconds: 600 },
  {
    name: 'unit',
    takesParts: true,
    command: ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${vitestReport}`],
    deadlineSeconds: 5_400,
    report: () => readVitestReport(vitestReport),
    times: () => vitestTimes(vitestReport),
    failures: () => failedInVitest(vitestReport),
  },
  {
    name: 'e2e',
    takesParts: true,
    command: ['playwright', 'test', '--config=e2e/playwright.config.ts', '--reporter=list,json'],
    deadlineSeconds: 5_400,
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightReport },
    report: () => readPlaywrightReport(playwrightReport),
    times: () => playwrightTimes(playwrightReport),
  },
];

const { chosen, isDeep } = readChoice();
ensureInstalled();
ensureSystemPackages();
// Node reads this file whole at each start, and the tests start Node thousands of times. After the installation the tests use only
// the loopback, with certificates of their own.
delete process.env.NODE_EXTRA_CA_CERTS;
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

/** @typedef {(typeof chosen)[number]} Step */

/** @param {Step} step */
async function runOne({ name, command, parts, deadlineSeconds, env = {}, report, times, failures, ...step }) {
  const aside = step.aside === true && chosen.some((each) => each.name === 'unit');
  if (!aside) console.log(`\n── ${name}`);
  const [program, ...args] = command;
  const before = processorTimes();
  const outcome = await runStep(program, [...args, ...parts], {
    // A deep run draws three times as many moments.
    deadlineSeconds: isDeep ? 2 * deadlineSeconds : deadlineSeconds,
    env: { ...env, ...(isDeep ? { TEST_DEEP: '1' } : {}) },
    aside,
  });
  if (aside) console.log(`── ${name}: ${outcome.ok ? 'ok' : `failed: ${outcome.reason}`}`);
  const idle = idlePercent(before, processorTimes());
  return {
    name,
    ...outcome,
    count: countStep(outcome.ok, report?.()),
    idle,
    files: slowest(times?.() ?? []),
    failures: failures?.() ?? [],
  };
}

/** @param {readonly Step[]} wanted */
async function runInTurn(wanted) {
  const ended = [];
  for (const step of wanted) ended.push(await runOne(step));
  return ended;
}

/** @param {(step: Step) => boolean} which */
const those = (which) => chosen.filter(which);
const results = [
  ...(await runInTurn(those(({ name }) => name === 'build'))),
  ...(
    await Promise.all([
      runInTurn(those(({ aside = false }) => aside)),
      runInTurn(those(({ name }) => name === 'unit')),
    ])
  ).flat(),
  ...(await runInTurn(those(({ name }) => name === 'e2e'))),
];
writeFileSync(join(reports, 'times.json'), JSON.stringify(results, undefined, 2));

for (const { name, files } of results.filter((result) => result.files.length > 0)) {
  console.log(`\nThe slowest files of ${name}:`);
  for (const { file, seconds } of files) console.log(`${`${seconds.toFixed(1)} s`.padStart(9)}  ${file}`);
}
// The browser tests come last and print their failures themselves. Those of the unit tests stand far above.
for (const { name, failures } of results)
  for (const failure of failures) console.log(`\nFailed in ${name}: ${failure}`);
console.log('');
for (const { name, ok, seconds, reason, count, idle } of results) {
  const state = ok ? 'ok' : `failed: ${reason}`;
  const time = `${seconds.toFixed(1)} s`.padStart(9);
  console.log(`${name.padEnd(8)}${time}  processor idle ${idle} %  ${summaryLine(count)}  (${state})`);
}
const total = sumCounts(results.map(({ count }) => count));
console.log(summaryLine(total));
process.exitCode = total.failed > 0 ? 1 : 0;

/** The steps to run, each with the parts of paths that filter its test files. All steps without `--only`. */
function readChoice() {
  const names = steps.map(({ name }) => name).join(', ');
  const usage = `npm test [-- --deep --only <step>[/<part of a test file's path>][,…]]\nSteps, in order: ${names}`;
  try {
    const { values } = parseArgs({
      options: { only: { type: 'string' }, deep: { type: 'boolean' }, help: { type: 'boolean' } },
    });
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
    const chosen = wanted.flatMap(({ name, parts }) =>
      steps.filter((step) => step.name === name).map((step) => ({ ...step, parts })),
    );
    return { chosen, isDeep: values.deep === true };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${usage}`);
    process.exit(2);
  }
}
