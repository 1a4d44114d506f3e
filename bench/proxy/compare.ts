import { join } from 'node:path';
import { figure, figureAtMost, tidy } from '../figure.ts';
import { contents, snippet } from './content.ts';
import { percentileAt, sendAll } from './load.ts';
import { peers } from './peers.ts';
import { cores, freePort, listens, type Pinned, startPinned } from './pinned.ts';
import { startPlane } from './plane.ts';

const rounds = 5;
/** So many that the fastest proxy uses a tenth of a second of processor time or more. */
const requests = { 'small.bin': 12_000, 'page.html': 10_000, 'large.bin': 6_000 } as const;
const timesOfNginx = { passing: 5.5, kept: 3.5 } as const;
const snippetTimes = 2.2;
const lateMs = 5;

type Measured = { name: string; port: number; keeps: boolean; program: Pinned };
type Case = { what: string; path: string; requests: number; host: string };

/**
 * Processor time of one request, by proxy. Whoever else uses the machine only adds to it: another program empties the caches of the
 * processor. So the proxies take turns, and the round that took least counts for each of them.
 */
export async function comparePeers(folder: string, site: number): Promise<void> {
  const plane = await startPlane(join(folder, 'plane'), sites(site));
  const measured: Measured[] = [{ name: 'Homeport', port: plane.port, keeps: true, program: plane }];
  try {
    for (const peer of peers) {
      const port = await freePort();
      const command = await peer.command({ folder, port, site });
      const program = startPinned(cores.measured, command, peer.env ? { env: peer.env } : {});
      measured.push({ name: peer.name, port, keeps: peer.keeps, program });
      await listens(port);
    }
    for (const { name, what } of contents) {
      const passing = { what, path: `/${name}`, requests: requests[name], host: 'bench.test' };
      judge(`passes ${what} on`, await measureAll(measured, passing), timesOfNginx.passing);
      const kept = { ...passing, path: `/kept/${name}` };
      judge(
        `answers ${what} from its cache`,
        await measureAll(
          measured.filter(({ keeps }) => keeps),
          kept,
        ),
        timesOfNginx.kept,
      );
    }
    await comparePages(measured);
    await compareDelays(measured, folder);
  } finally {
    for (const { program } of measured) await program.stop();
  }
}

/** One site as it is, after 20 rules that do not fit; one with a snippet; one whose links get their base back. */
function* sites(site: number) {
  const target = `http://127.0.0.1:${site}`;
  const others = Array.from({ length: 20 }, (_, index) => ({
    path: `/part-${index}`,
    type: 'simple',
    target,
  }));
  yield { domain: 'bench.test', source: target, records: others };
  yield {
    domain: 'snippet.test',
    source: target,
    records: [{ path: '/page.html', type: 'simple', target, injection: snippet }],
  };
  yield { domain: 'links.test', source: target, records: [{ path: '/blog', type: 'subdirectory', target }] };
}

/** Microseconds of processor time for one request, by proxy. */
async function measureAll(measured: readonly Measured[], one: Case): Promise<Map<string, number>> {
  const found = new Map<string, number[]>();
  for (let round = 0; round <= rounds; round += 1)
    for (const { name, port, program } of measured) {
      const before = program.processorMs();
      const { failed } = await sendAll({ port, ...one }, one.requests);
      if (failed > 0)
        throw new Error(`${name} failed ${failed} of ${one.requests} requests for ${one.path}.`);
      const micros = ((program.processorMs() - before) * 1_000) / one.requests;
      // The first round warms up.
      if (round > 0) found.set(name, [...(found.get(name) ?? []), micros]);
    }
  return new Map([...found].map(([name, values]) => [name, Math.min(...values)]));
}

function judge(what: string, micros: ReadonlyMap<string, number>, atMost: number): void {
  const [own = Number.NaN, nginx = Number.NaN] = [micros.get('Homeport'), micros.get('nginx')];
  for (const [name, value] of micros)
    figure({ what: `${name} ${what}: processor time`, value: `${tidy(value)} µs` });
  figureAtMost(`Homeport ${what}, beside nginx`, own / nginx, atMost, 'times');
}

async function comparePages(measured: readonly Measured[]): Promise<void> {
  const own = measured.filter(({ name }) => name === 'Homeport');
  const ask = async (host: string, path: string) => {
    const one = { what: '', path, requests: requests['page.html'], host };
    return (await measureAll(own, one)).get('Homeport') ?? Number.NaN;
  };
  const pass = await ask('bench.test', '/page.html');
  const withSnippet = await ask('snippet.test', '/page.html');
  const withLinks = await ask('links.test', '/blog/page.html');
  figureAtMost(
    'Homeport puts a snippet into a page of 16 KiB, beside passing it on',
    withSnippet / pass,
    snippetTimes,
    'times',
  );
  figure({
    what: 'Homeport changes 121 links of a page of 16 KiB: processor time',
    value: `${tidy(withLinks)} µs`,
  });
}

/**
 * h2load sends the 1,000 requests in twenty bursts a second, each over 50 connections at once. A round is long enough that the burst
 * which opens the connections is less than a hundredth of it.
 */
async function compareDelays(measured: readonly Measured[], folder: string): Promise<void> {
  const found = new Map<string, number[]>();
  const pace = { perSecond: 1_000, seconds: 10, folder };
  for (let round = 0; round < rounds; round += 1)
    for (const { name, port } of measured) {
      if (name !== 'Homeport' && name !== 'nginx') continue;
      const { p99 } = await percentileAt({ port, host: 'bench.test', path: '/small.bin' }, pace);
      found.set(name, [...(found.get(name) ?? []), p99]);
    }
  const [own = Number.NaN, nginx = Number.NaN] = ['Homeport', 'nginx'].map((name) =>
    Math.min(...(found.get(name) ?? [])),
  );
  figure({ what: '99 % of answers at 1,000 requests a second, nginx', value: `${tidy(nginx)} ms` });
  figureAtMost('Homeport adds to that', Math.max(0, own - nginx), lateMs, 'ms');
}
