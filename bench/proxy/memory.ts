import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { figure, figureAtMost, tidy } from '../figure.ts';
import { startPlane } from './plane.ts';

const sites = 10_000;
const rules = 20;
const memoryMiB = 140;

/** Memory of a plane that serves 10,000 sites of 20 rules each, from its snapshot. */
export async function measureMemory(folder: string): Promise<void> {
  const empty = await startPlane(join(folder, 'no-sites'), []);
  await pause(2_000);
  const without = empty.memoryMiB();
  await empty.stop();
  const plane = await startPlane(join(folder, 'many-sites'), manySites());
  try {
    // What the start needed and nobody needs now is given back within seconds.
    await pause(5_000);
    figure({ what: 'Memory of the plane without sites (PSS)', value: `${tidy(without)} MiB` });
    figureAtMost(`Memory with ${sites} sites of ${rules} rules (PSS)`, plane.memoryMiB(), memoryMiB, 'MiB');
  } finally {
    await plane.stop();
  }
}

function* manySites() {
  for (let site = 0; site < sites; site += 1) {
    const target = `https://origin-${site}.example.net/site`;
    const records = Array.from({ length: rules }, (_, rule) => ({
      path: `/part-${rule}`,
      type: rule % 2 === 0 ? 'simple' : 'subdirectory',
      target: `https://part-${rule}.origin-${site}.example.net`,
      proxyPathPrefix: `/store/${rule}`,
    }));
    yield { domain: `site-${site}.example.com`, source: target, records };
  }
}
