import { reportConsole } from './report-console.ts';
import { reportPlane } from './report-plane.ts';

/** The parts, in their order. */
const parts: Readonly<Record<string, () => Promise<void>>> = { console: reportConsole, plane: reportPlane };

/**
 * Measures the effect on other people while a hostile account runs every attack at once: on the console, and on the proxy service.
 *
 * @param only names of parts: `npx tsx bench/hostile/run.ts plane`. None: all of them.
 */
async function main(only: readonly string[]): Promise<void> {
  const unknown = only.filter((name) => !(name in parts));
  if (unknown.length > 0)
    throw new Error(`There is no part ${unknown.join(', ')}. ${Object.keys(parts).join(', ')}`);
  for (const [name, report] of Object.entries(parts))
    if (only.length === 0 || only.includes(name)) await report();
}

await main(process.argv.slice(2));
