import { z } from 'zod';
import { type Command, dokku, type Outcome } from '../command.ts';
import type { AppName } from '../names/app-name.ts';
import { readJson, reportSchema, reportValue } from '../output.ts';

/** For an app that was never deployed, `start`, `stop` and `restart` end with 0, and `failureOf` returns `not_deployed`. */
export function start(app: AppName): Command {
  return dokku('ps:start', app);
}

export function stop(app: AppName): Command {
  return dokku('ps:stop', app);
}

export function restart(app: AppName): Command {
  return dokku('ps:restart', app);
}

/** Takes the deploy lock. Closing the stream ends the rebuild half-way. */
export function rebuild(app: AppName): Command {
  return dokku('ps:rebuild', app);
}

export function report(app: AppName): Command {
  return dokku('ps:report', app, '--format', 'json');
}

/** One value of the report, which costs the server a seventh of the whole. */
export function reportFlag(app: AppName, flag: 'deployed' | 'restore'): Command {
  return dokku('ps:report', app, `--${flag}`);
}

export function readFlag(outcome: Outcome): boolean {
  return outcome.stdout.trim() === 'true';
}

export type ProcessStatus = {
  /** `web.1` */
  readonly name: string;
  /** Docker's word: `running`, `exited`, `restarting`… */
  readonly state: string;
  readonly containerId: string;
};

export type PsReport = {
  readonly deployed: boolean;
  readonly running: 'true' | 'false' | 'mixed';
  /** Not running on purpose: somebody stopped the app, or scaled it to no process. A reboot leaves it stopped. */
  readonly stopped: boolean;
  /** Not running, and nobody stopped it: no container of the web process runs, or none at all where it has no web process. */
  readonly crashed: boolean;
  readonly processes: readonly ProcessStatus[];
};

const statusPattern = /^(\S+) \(CID: ([0-9a-f]+)\)$/;

export function readReport(outcome: Outcome): PsReport {
  const report = readJson('ps:report', outcome.stdout, reportSchema);
  const deployed = reportValue(report, 'ps', 'deployed') === 'true';
  const running = z
    .enum(['true', 'false', 'mixed'])
    .catch('false')
    .parse(reportValue(report, 'ps', 'running'));
  const processes = Object.entries(report).flatMap(([key, value]) => {
    const found = key.startsWith('status-') ? statusPattern.exec(value) : null;
    return found
      ? [{ name: key.slice('status-'.length), state: found[1] ?? '', containerId: found[2] ?? '' }]
      : [];
  });
  // `ps:stop` sets `restore` to false; a crash leaves it true.
  const onPurpose =
    reportValue(report, 'ps', 'restore') === 'false' || reportValue(report, 'ps', 'processes') === '0';
  const stopped = deployed && running === 'false' && onPurpose;
  const web = processes.filter(({ name }) => name.startsWith('web.'));
  const needed = web.length > 0 ? web : processes;
  // K3s names no containers.
  const down = needed.length > 0 ? needed.every(({ state }) => state !== 'running') : running === 'false';
  return { deployed, running, stopped, crashed: deployed && !stopped && down, processes };
}

/**
 * `docker inspect` of the app’s containers through Dokku, so that accounts without access to Docker can use it. Variables are
 * masked. Fails with 1 when nothing was deployed, and on k3s.
 */
export function inspect(app: AppName): Command {
  return dokku('ps:inspect', app);
}

/** The limits that Docker enforces on one container, whatever was set since its creation, and how its last run ended. */
export type ContainerState = {
  /** `web.1` */
  readonly name: string;
  /** Docker's word: `running`, `exited`… */
  readonly state: string;
  /** Null when the container may use the whole server. */
  readonly memoryBytes: number | null;
  readonly cpus: number | null;
  /** How often Docker restarted the container because it failed. */
  readonly restarts: number;
  /** Whether the kernel ended the container because memory ran out. */
  readonly outOfMemory: boolean;
  readonly exitCode: number;
  /** When it ended last; null where it never did. */
  readonly endedAt: number | null;
};

const inspectSchema = z.array(
  z.object({
    Name: z.string(),
    RestartCount: z.number(),
    State: z.object({
      Status: z.string(),
      OOMKilled: z.boolean(),
      ExitCode: z.number(),
      /** The year 1 where it never did. */
      FinishedAt: z.iso.datetime({ offset: true }),
    }),
    HostConfig: z.object({
      Memory: z.number(),
      NanoCpus: z.number(),
      CpuQuota: z.number().default(0),
      CpuPeriod: z.number().default(0),
    }),
    Config: z.object({ Labels: z.record(z.string(), z.string()) }),
  }),
);

export function readInspect(outcome: Outcome): ContainerState[] {
  return readJson('ps:inspect', outcome.stdout, inspectSchema)
    .map(({ Name, Config, HostConfig, State, RestartCount }) => ({
      name: Config.Labels['com.dokku.dyno'] ?? Name.replace(/^\//, ''),
      state: State.Status,
      memoryBytes: HostConfig.Memory || null,
      cpus: cpusOf(HostConfig),
      restarts: RestartCount,
      outOfMemory: State.OOMKilled,
      exitCode: State.ExitCode,
      endedAt: endOf(State.FinishedAt),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function endOf(finishedAt: string): number | null {
  const at = Date.parse(finishedAt);
  return at > 0 ? at : null;
}

/** Docker stores `--cpus` as NanoCpus. Quota and period express the same limit (docker run, runtime constraints). */
function cpusOf({ NanoCpus, CpuQuota, CpuPeriod }: Record<'NanoCpus' | 'CpuQuota' | 'CpuPeriod', number>) {
  if (NanoCpus > 0) return NanoCpus / 1e9;
  return CpuQuota > 0 ? CpuQuota / (CpuPeriod || 100_000) : null;
}
