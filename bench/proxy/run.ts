import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { comparePeers } from './compare.ts';
import { writeSite } from './content.ts';
import { siteCommand } from './peers.ts';
import { cores, freePort, listens, startPinned } from './pinned.ts';

/** The data plane beside other makers' proxies, each alone on one core. The website and who asks share the other core. */
async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'homeport-bench-proxy-'));
  await writeSite(join(folder, 'content'));
  const site = await freePort();
  const website = startPinned(cores.others, await siteCommand(folder, site));
  try {
    await listens(site);
    await comparePeers(folder, site);
  } finally {
    await website.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

await main();
