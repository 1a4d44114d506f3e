import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startFlags, startVariables } from '../start-flags.ts';
import { cores, freePort, listens, type Pinned, startPinned } from './pinned.ts';

const program = fileURLToPath(new URL('./plane-process.mjs', import.meta.url));
const built = fileURLToPath(new URL('../../homeport/dist/server.js', import.meta.url));
const secret = 'b'.repeat(32);

export type BenchSite = {
  domain: string;
  source: string;
  records: readonly Record<string, string>[];
  /** The account. One for all sites that name none. */
  owner?: string;
};
export type BenchPlane = Pinned & { port: number; control: number };

/** Nothing listens there, so the proxy service serves its snapshot alone. */
const noStore = 'postgresql://nobody@127.0.0.1:1/none';

/** The proxy service as `npm start -- --only proxy` runs it: a process of its own, with these sites in its snapshot. */
export async function startPlane(
  folder: string,
  sites: Iterable<BenchSite>,
  {
    env = {},
    flags = startFlags,
    core = cores.measured,
  }: { env?: Readonly<Record<string, string>>; flags?: readonly string[]; core?: number | string } = {},
): Promise<BenchPlane> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'proxies.snapshot'), snapshotOf(sites));
  const [port, control] = [await freePort(), await freePort()];
  const plane = startPinned(
    core,
    [process.execPath, ...flags, program, built, '--data', folder, '--only', 'proxy'],
    {
      env: {
        ...startVariables,
        HOMEPORT_PROXY_PORT: String(port),
        HOMEPORT_PROXY_CONTROL_PORT: String(control),
        HOMEPORT_SECRET: secret,
        HOMEPORT_LOG_LEVEL: 'error',
        DATABASE_URL: noStore,
        ...env,
      },
    },
  );
  await listens(port);
  return { ...plane, port, control };
}

function snapshotOf(sites: Iterable<BenchSite>): string {
  const lines: unknown[] = [{ homeport: 'proxies', version: 0, writtenAt: 1 }];
  for (const { domain, source, records, owner = 'bench' } of sites) {
    const rules = records.map((rule, index) => ({ id: `r${index}`, ...rule }));
    lines.push({ id: domain, domain, owner, version: 1, text: JSON.stringify({ source, records: rules }) });
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}
