import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cores, freePort, listens, type Pinned, startPinned } from './pinned.ts';

const program = fileURLToPath(new URL('./plane-process.ts', import.meta.url));

export type BenchSite = { domain: string; source: string; records: readonly Record<string, string>[] };
export type BenchPlane = Pinned & { port: number; control: number };

/** The proxy service as a process of its own, with these sites in its snapshot. */
export async function startPlane(
  folder: string,
  sites: Iterable<BenchSite>,
  { env = {}, flags = [], descriptors = 0 }: { env?: Record<string, string>; flags?: readonly string[]; descriptors?: number } = {},
): Promise<BenchPlane> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'proxies.snapshot'), snapshotOf(sites));
  const [port, control] = [await freePort(), await freePort()];
  const plane = startPinned(
    cores.measured,
    [process.execPath, ...flags, '--import', 'tsx', program],
    {
      env: { PLANE_PORT: String(port), PLANE_CONTROL: String(control), PLANE_FOLDER: folder, ...env },
      descriptors,
    },
  );
  await listens(port);
  return { ...plane, port, control };
}

function snapshotOf(sites: Iterable<BenchSite>): string {
  const lines: unknown[] = [{ homeport: 'proxies', version: 1, writtenAt: 1 }];
  for (const { domain, source, records } of sites) {
    const rules = records.map((rule, index) => ({ id: `r${index}`, ...rule }));
    lines.push({ id: domain, domain, version: 1, text: JSON.stringify({ source, records: rules }) });
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}
