// Everything that must hold, in one command: see CONTRIBUTING.md. A failed step does not stop the others, so one run
// shows all that is wrong; the last line sums up all runners.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
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
 *   report?: () => import('./count-tests.mjs').Count,
 * }[]}
 */
const steps = [
  { name: 'types', command: ['npm', 'run', '--silent', 'types'], deadlineSeconds: 120 },
  { name: 'lint', command: ['npm', 'run', '--silent', 'lint'], deadlineSeconds: 120 },
  { name: 'unused', command: ['npm', 'run', '--silent', 'unused'], deadlineSeconds: 120 },
  {
    name: 'unit',
    command: ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${vitestReport}`],
    deadlineSeconds: 600,
    report: () => readVitestReport(vitestReport),
  },
  { name: 'build', command: ['npm', 'run', '--silent', 'build'], deadlineSeconds: 120 },
  {
    name: 'e2e',
    command: ['playwright', 'test', '--config=e2e/playwright.config.ts', '--reporter=list,json'],
    deadlineSeconds: 600,
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightReport },
    report: () => readPlaywrightReport(playwrightReport),
  },
];

const chosen = chooseSteps();
ensureInstalled();
ensureSystemPackages();
// Node reads this file whole at each start, and the tests start it thousands of times; once all is installed they speak to
// the loopback alone, with certificates of their own.
delete process.env.NODE_EXTRA_CA_CERTS;
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

const results = [];
for (const { name, command, deadlineSeconds, env, report } of chosen) {
  console.log(`\n── ${name}`);
  const [program, ...args] = command;
  const outcome = await runStep(program, args, { deadlineSeconds, env });
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

function chooseSteps() {
  const names = steps.map(({ name }) => name).join(', ');
  const usage = `npm test [-- --only <step>[,<step>]]\nSteps, in order: ${names}`;
  let only;
  try {
    const { values } = parseArgs({ options: { only: { type: 'string' }, help: { type: 'boolean' } } });
    if (values.help) {
      console.log(usage);
      process.exit(0);
    }
    only = values.only?.split(',');
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${usage}`);
    process.exit(2);
  }
  const unknown = only?.find((name) => !steps.some((step) => step.name === name));
  if (unknown !== undefined) {
    console.error(`There is no step "${unknown}".\n${usage}`);
    process.exit(2);
  }
  return only ? steps.filter(({ name }) => only.includes(name)) : steps;
}
