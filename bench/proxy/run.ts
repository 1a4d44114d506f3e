import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../scripts/install.mjs';
import { ensureSystemPackages } from '../../scripts/install-system.mjs';
import { measureChanges } from './changes.ts';
import { comparePeers } from './compare.ts';
import { writeSite } from './content.ts';
import { measureEndurance } from './endurance.ts';
import { measureMemory } from './memory.ts';
import { siteCommand } from './peers.ts';
import { cores, freePort, listens, startPinned } from './pinned.ts';
import { measureSockets } from './sockets.ts';

/** Other makers' proxies, which nothing else runs. */
const otherProxies = [
  { debian: 'varnish', programs: ['varnishd'], why: 'a cache to compare with' },
  { debian: 'haproxy', programs: ['haproxy'], why: 'a proxy to compare with' },
];

/** The data plane beside other makers' proxies, each alone on one core. The website and who asks share the other core. */
async function main(): Promise<void> {
  ensureSystemPackages(otherProxies);
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/build.mjs'), 'server'], {
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('The server could not be built.');
  const folder = await mkdtemp(join(tmpdir(), 'homeport-bench-proxy-'));
  await writeSite(join(folder, 'content'));
  const site = await freePort();
  const website = startPinned(cores.others, await siteCommand(folder, site));
  try {
    await listens(site);
    await comparePeers(folder, site);
    await measureMemory(folder);
    await measureSockets(folder);
    await measureChanges(folder, site);
    await measureEndurance(folder, site);
  } finally {
    await website.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

await main();
