// `npm run test:changed`: types, lint, the unit tests that reach the changed files by imports or belong to their features, and the
// browser tests of these features. It says what it leaves to `npm test`.
import { changedFiles } from './changed-files.mjs';
import { chooseChanged } from './choose-changed.mjs';
import { importersOf, sourceFiles, testFiles } from './import-graph.mjs';
import { ensureInstalled } from './install.mjs';
import { ensureSystemPackages } from './install-system.mjs';
import { runStep } from './run-step.mjs';

ensureInstalled();
ensureSystemPackages();
delete process.env.NODE_EXTRA_CA_CERTS;

const tests = testFiles();
const changed = changedFiles();
const chosen = chooseChanged(changed, importersOf([...sourceFiles(), ...tests]), tests);
console.log(
  `${changed.length} changed files: ${chosen.unit.length} unit test files, ${chosen.specs.length} in the browser.`,
);

/** @type {{ name: string, command: [string, ...string[]], aside?: boolean }[]} */
const checks = [
  { name: 'types', command: ['npm', 'run', '--silent', 'types'], aside: true },
  { name: 'lint', command: ['npm', 'run', '--silent', 'lint'], aside: true },
];
/** @type {typeof checks} */
const unit = chosen.unit.length > 0 ? [{ name: 'unit', command: ['vitest', 'run', ...chosen.unit] }] : [];
/** @type {typeof checks} */
const browser =
  chosen.specs.length > 0
    ? [{ name: 'e2e', command: ['playwright', 'test', '--config=e2e/playwright.config.ts', ...chosen.specs] }]
    : [];

/** @param {typeof checks} steps @returns {Promise<string[]>} what failed */
async function runInTurn(steps) {
  const failed = [];
  for (const { name, command, aside = false } of steps) {
    const [program, ...args] = command;
    if (!aside) console.log(`\n── ${name}`);
    const { ok, seconds, reason } = await runStep(program, args, { deadlineSeconds: 1_500, aside });
    console.log(`── ${name}: ${seconds.toFixed(1)} s, ${ok ? 'ok' : reason}`);
    if (!ok) failed.push(name);
  }
  return failed;
}

const failed = (
  await Promise.all([
    runInTurn([{ name: 'build', command: ['npm', 'run', '--silent', 'build'] }, ...unit, ...browser]),
    runInTurn(checks),
  ])
).flat();

console.log(
  `\nLeft to \`npm test\`: unused, ${chosen.leftOut.length} unit test files that run all features:`,
);
for (const file of chosen.leftOut) console.log(`  ${file}`);
console.log(`and ${chosen.specsLeftOut.length} files in the browser:`);
for (const file of chosen.specsLeftOut) console.log(`  ${file}`);
if (chosen.unknown.length > 0)
  console.log(`No test is known for ${chosen.unknown.join(', ')}: run \`npm test\`.`);
console.log(failed.length > 0 ? `Failed: ${failed.join(', ')}` : 'All of these passed.');
process.exitCode = failed.length > 0 ? 1 : 0;
