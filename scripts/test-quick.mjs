// `npm run test:quick`: the type checker, the linter, and the unit tests in the folders of changed files. A file is changed if it
// differs from the last commit that the upstream branch has (without an upstream: from the last commit). This ends within two
// minutes. `npm test` runs everything else.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { changedFiles } from './changed-files.mjs';
import { ensureInstalled, root } from './install.mjs';
import { ensureSystemPackages } from './install-system.mjs';
import { runStep } from './run-step.mjs';

const deadlineSeconds = 120;

ensureInstalled();
ensureSystemPackages();
delete process.env.NODE_EXTRA_CA_CERTS;

const folders = [...new Set(changedFiles().map((file) => dirname(file)))].filter(
  (folder) => folder !== '.' && existsSync(join(root, folder)),
);
const startedAt = performance.now();
const left = () => Math.max(1, deadlineSeconds - (performance.now() - startedAt) / 1000);
/** @type {[string, string[]][]} */
const steps = [
  ['npm', ['run', '--silent', 'types']],
  ['npm', ['run', '--silent', 'lint']],
  ...(folders.length > 0
    ? [
        /** @type {[string, string[]]} */ ([
          'vitest',
          ['run', '--passWithNoTests', ...folders.map((folder) => `${folder}/`)],
        ]),
      ]
    : []),
];
console.log(
  folders.length > 0 ? `Unit tests of ${folders.join(', ')}` : 'No file has changed: no unit tests.',
);
for (const [command, args] of steps) {
  const { ok, reason } = await runStep(command, args, { deadlineSeconds: left() });
  if (ok) continue;
  console.error(`${command} ${args.join(' ')}: ${reason}`);
  process.exitCode = 1;
}
