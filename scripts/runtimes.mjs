// `node scripts/runtimes.mjs [22 24 …]`: runs the tests that meet Node itself with each Node that is maintained (github.com/nodejs/Release), as npm
// has it. The whole suite runs with the Node of the machine alone.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled, root } from './install.mjs';

const maintained = ['22', '24', '26'];

/** A console from start to end with the options of `npm start`, password hashes, SSH to a linked server, threads, and the release. */
const tests = [
  'homeport/src/main.test.ts',
  'homeport/src/npm-start.test.ts',
  'homeport/src/proxy-service/proxy-service.test.ts',
  'api/src/identity/identity.test.ts',
  'api/src/apps/changes/create-app.test.ts',
  'api/src/proxies/rule-worker/rule-work.test.ts',
  'ssh/src/connection.test.ts',
  'proxy/src/traffic/workers.test.ts',
  'scripts/release/release.test.ts',
];
const deadlineMs = 15 * 60_000;

const asked = process.argv.slice(2);
const unknown = asked.filter((major) => !/^\d{2}$/.test(major));
if (process.platform !== 'linux' || unknown.length > 0) {
  console.error('Usage, on Linux: node scripts/runtimes.mjs [<major version of Node> …]');
  process.exit(2);
}
ensureInstalled();
if (spawnSync(process.execPath, ['scripts/build.mjs'], { cwd: root, stdio: 'inherit' }).status !== 0)
  process.exit(1);
const failed = (asked.length > 0 ? asked : maintained).filter((major) => !passesWith(major));
console.log(failed.length === 0 ? 'Passed with every Node.' : `Failed with Node ${failed.join(', ')}.`);
process.exitCode = failed.length === 0 ? 0 : 1;

/** @param {string} major @returns {boolean} */
function passesWith(major) {
  const folder = join(root, '.runtimes', major);
  mkdirSync(folder, { recursive: true });
  // The package holds the program itself; its newest version is looked up at each run.
  const installed = spawnSync(
    'npm',
    [
      'install',
      '--prefix',
      folder,
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      `node-linux-${process.arch}@${major}`,
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const bin = join(folder, `node_modules/node-linux-${process.arch}/bin`);
  const node = join(bin, 'node');
  if (installed.status !== 0 || !existsSync(node)) {
    console.error(`npm has no Node ${major} for this machine.`);
    return false;
  }
  const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  console.log(`\n── Node ${stdout.trim()}`);
  const { status } = spawnSync(node, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...tests], {
    ...{ cwd: root, stdio: 'inherit', timeout: deadlineMs },
    // Programs that the tests start by name find this Node too.
    env: { ...process.env, PATH: `${bin}:${process.env.PATH}` },
  });
  return status === 0;
}
