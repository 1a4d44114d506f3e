import { join } from 'node:path';
import { figure, median, tidy } from '../figure.ts';
import { sendAll } from './load.ts';
import { cores } from './pinned.ts';
import { startPlane } from './plane.ts';

const rounds = 3;
const requests = 20_000;

/**
 * One process and two, each on both cores. The website and who asks have one of these cores too, so two processes answer fewer than twice
 * as many requests here. What a request costs is free of that.
 */
export async function measureProcesses(folder: string, site: number): Promise<void> {
  const sites = [{ domain: 'bench.test', source: `http://127.0.0.1:${site}`, records: [] }];
  for (const processes of [1, 2]) {
    const plane = await startPlane(join(folder, `processes-${processes}`), sites, {
      core: `${cores.measured},${cores.others}`,
      env: { HOMEPORT_PROXY_PROCESSES: String(processes) },
    });
    try {
      const found: { perSecond: number; micros: number }[] = [];
      for (let round = 0; round <= rounds; round += 1) {
        const before = plane.processorMs();
        const one = { port: plane.port, host: 'bench.test', path: '/small.bin' };
        const { failed, perSecond } = await sendAll(one, requests);
        if (failed > 0) throw new Error(`${failed} of ${requests} requests failed.`);
        const micros = ((plane.processorMs() - before) * 1_000) / requests;
        // The first round warms up.
        if (round > 0) found.push({ perSecond, micros });
      }
      const of = processes === 1 ? 'one process' : `${processes} processes`;
      const [perSecond, micros] = [
        median(found.map((one) => one.perSecond)),
        median(found.map((one) => one.micros)),
      ];
      figure({
        what: `${of} on both cores: 1 KiB passed on, of processor time`,
        value: `${tidy(micros)} µs`,
      });
      figure({ what: `${of} on both cores: requests a second`, value: tidy(perSecond) });
      figure({ what: `${of}: memory after that (PSS)`, value: `${tidy(plane.memoryMiB())} MiB` });
    } finally {
      await plane.stop();
    }
  }
}
