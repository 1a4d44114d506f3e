import { z } from 'zod';
import { type Command, hostCommand, type Outcome } from '../command.ts';
import { linesOf, readJson } from '../output.ts';

/** All containers of deployed apps. */
export function listContainers(): Command {
  const format =
    '{{.ID}}\\t{{.Label "com.dokku.app-name"}}\\t{{.Label "com.dokku.dyno"}}\\t{{.Names}}\\t{{.State}}';
  return hostCommand(
    ['docker', 'ps', '--no-trunc', '--filter', 'label=com.dokku.container-type=deploy', '--format', format],
    { needsRoot: true },
  );
}

export type AppContainer = {
  readonly id: string;
  readonly app: string;
  readonly process: string;
  readonly state: string;
};

/**
 * Reads only the serving containers. During a deploy, starting containers (`app.web.1.upcoming-7`) and retiring ones
 * (`app.web.1.1795246066`) carry the same labels and would count twice.
 */
export function readContainers(outcome: Outcome): AppContainer[] {
  return linesOf(outcome.stdout).flatMap((line) => {
    const [id = '', app = '', process = '', name = '', state = ''] = line.split('\t');
    return /^[0-9a-f]{64}$/.test(id) && name === `${app}.${process}` ? [{ id, app, process, state }] : [];
  });
}

/** @throws RangeError for an empty list, because Docker without ids answers for every container of the host */
export function stats(containers: readonly AppContainer[]): Command {
  if (containers.length === 0) throw new RangeError('Name at least one container.');
  const ids = containers.map((container) => container.id);
  return hostCommand(['docker', 'stats', '--no-stream', '--format', '{{json .}}', ...ids], {
    needsRoot: true,
  });
}

export type ContainerStats = {
  readonly id: string;
  readonly name: string;
  /** 100 is one core. */
  readonly cpuPercent: number;
  readonly memoryBytes: number;
  /** Without a limit, the host's memory. */
  readonly memoryLimitBytes: number;
  /** Counted since the container started, so back to 0 at each deploy. */
  readonly receivedBytes: number;
  readonly sentBytes: number;
  readonly processes: number;
};

const rowSchema = z.object({
  ID: z.string(),
  Name: z.string(),
  CPUPerc: z.string(),
  MemUsage: z.string(),
  NetIO: z.string(),
  PIDs: z.string(),
});

export function readStats(outcome: Outcome): ContainerStats[] {
  return linesOf(outcome.stdout).map((line) => {
    const row = readJson('docker stats', line, rowSchema);
    const [memory, limit] = pair(row.MemUsage);
    const [received, sent] = pair(row.NetIO);
    return {
      id: row.ID,
      name: row.Name,
      cpuPercent: Number.parseFloat(row.CPUPerc) || 0,
      memoryBytes: memory,
      memoryLimitBytes: limit,
      receivedBytes: received,
      sentBytes: sent,
      processes: Number.parseInt(row.PIDs, 10) || 0,
    };
  });
}

function pair(text: string): readonly [number, number] {
  const [left = '', right = ''] = text.split(' / ');
  return [parseSize(left), parseSize(right)];
}

/** Reads the sizes of go-units: memory in KiB, MiB, GiB (1024), traffic in kB, MB, GB (1000). Zero for text that is no size. */
export function parseSize(text: string): number {
  const found = /^([\d.]+)\s*([kKMGTP]?)(i?)B$/.exec(text.trim());
  if (!found) return 0;
  const base = found[3] === 'i' ? 1024 : 1000;
  const power = ['', 'k', 'm', 'g', 't', 'p'].indexOf((found[2] ?? '').toLowerCase());
  return Math.round(Number(found[1]) * base ** power);
}
