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
import { measureProcesses } from './processes.ts';
import { measureSockets } from './sockets.ts';

/** Other makers' proxies, which nothing else runs. */
const otherProxies = [
  { debian: 'varnish', programs: ['varnishd'], why: 'a cache to compare with' },
  { debian: 'haproxy', programs: ['haproxy'], why: 'a proxy to compare with' },
];

/** The parts, in their order. `folder` is of this run, `site` the port of the website. */
const parts: Readonly<Record<string, (folder: string, site: number) => Promise<void>>> = {
  compare: comparePeers,
  memory: measureMemory,
  sockets: measureSockets,
  processes: measureProcesses,
  changes: measureChanges,
  endurance: measureEndurance,
};

/**
 * The data plane beside other makers' proxies, each alone on one core. The website and who asks share the other core.
 *
 * @param only names of parts: `npx tsx bench/proxy/run.ts changes`. None: all of them.
 */
async function main(only: readonly string[]): Promise<void> {
  const unknown = only.filter((name) => !(name in parts));
  if (unknown.length > 0)
    throw new Error(`There is no part ${unknown.join(', ')}. ${Object.keys(parts).join(', ')}`);
  const measures = Object.entries(parts).filter(([name]) => only.length === 0 || only.includes(name));
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
    for (const [, measure] of measures) await measure(folder, site);
  } finally {
    await website.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

await main(process.argv.slice(2));
