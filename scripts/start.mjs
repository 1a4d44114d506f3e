// `npm start`: refuses settings that cannot work, installs and builds missing or outdated parts, then becomes the console. Uses plain Node and no package.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { wrongSettings } from './check-settings.mjs';
import { ensureInstalled, root } from './install.mjs';
import { parts, staleParts } from './stale.mjs';

const argv = process.argv.slice(2);

if (argv.includes('--help') || argv.includes('-h')) {
  process.stdout.write(readFileSync(join(root, 'homeport/help.txt'), 'utf8'));
} else if (argv.includes('--version') || argv.includes('-v')) {
  console.log(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version);
} else {
  const wrong = wrongSettings(process.env);
  if (wrong.length > 0) {
    console.error(wrong.join('\n'));
    process.exit(1);
  }
  ensureInstalled();
  buildStale();
  const { main } = await import(pathToFileURL(parts.server.output).href);
  await main(argv);
}

/** Builds in a process of its own, because the bundlers would stay in the console's memory. */
function buildStale() {
  const stale = staleParts();
  if (stale.length === 0) return;
  // Standard output may be a backup.
  console.error(
    `Building ${stale.map((name) => (name === 'web' ? 'the page' : 'the server')).join(' and ')}`,
  );
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/build.mjs'), ...stale], {
    stdio: 'inherit',
  });
  if (status !== 0) {
    console.error('The build failed; its own message stands above.');
    process.exit(1);
  }
}
