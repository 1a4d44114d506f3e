import { z } from 'zod';
import { attackForParent } from './attack-for-parent.ts';
import { attacksByRules } from './plane-attacks-by-rules.ts';
import { attacksByVisitors } from './plane-attacks-by-visitors.ts';
import { addHostileProxies } from './plane-means.ts';
import { startWebsite } from './website.ts';

/** Two hostile accounts with a website of their own, for `attacker.ts`. */
const optionsSchema = z.object({
  ...{ url: z.url(), port: z.number(), seconds: z.number().positive(), only: z.string() },
  victim: z.object({ domain: z.string(), origin: z.url() }),
});

async function main(): Promise<void> {
  const { seconds, only, ...targets } = optionsSchema.parse(JSON.parse(process.argv[2] ?? '{}'));
  await using website = await startWebsite({ ignoresEnd: true });
  const meansUntil = await addHostileProxies(targets, website);
  await attackForParent([...attacksByRules, ...attacksByVisitors], meansUntil, { seconds, only });
}

await main();
process.exit();
