import { z } from 'zod';
import {
  type ContainerState,
  cpusOf,
  endOf,
  judgeProcesses,
  type Processes,
  type ProcessStatus,
  runningOf,
  shownIdCharacters,
} from '../app-state/processes.ts';
import { type Command, dokku, type Outcome } from '../command.ts';
import type { AppName } from '../names/app-name.ts';
import { readJson, reportSchema, reportValue } from '../output.ts';

export type { ContainerState, ProcessStatus };
export type PsReport = Processes;

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
export function reportFlag(app: AppName, flag: 'deployed' | 'restore' | 'running'): Command {
  return dokku('ps:report', app, `--${flag}`);
}

export function readFlag(outcome: Outcome): boolean {
  return outcome.stdout.trim() === 'true';
}

const runningSchema = z.enum(['true', 'false', 'mixed']).catch('false');

/** The value of the flag `running`. */
export function readRunning(outcome: Outcome): PsReport['running'] {
  return runningSchema.parse(outcome.stdout.trim());
}

/** The report of a deployed app from its containers, without the dear report. `running` is asked where there are none, as on K3s. */
export function reportOf(told: {
  restore: boolean;
  containers: readonly ContainerState[];
  running: PsReport['running'] | null;
}): PsReport {
  const processes = told.containers.map(({ id, name, state }) => ({
    name,
    state,
    containerId: id.slice(0, shownIdCharacters),
  }));
  return judgeProcesses({
    deployed: true,
    running: told.running ?? runningOf(processes),
    restore: told.restore,
    count: processes.length === 0 && told.running !== null ? null : processes.length,
    processes,
  });
}

export const undeployed: PsReport = {
  deployed: false,
  running: 'false',
  stopped: false,
  crashed: false,
  processes: [],
};

const statusPattern = /^(\S+) \(CID: ([0-9a-f]+)\)$/;

export function readReport(outcome: Outcome): PsReport {
  const report = readJson('ps:report', outcome.stdout, reportSchema);
  const deployed = reportValue(report, 'ps', 'deployed') === 'true';
  const running = runningSchema.parse(reportValue(report, 'ps', 'running'));
  const processes = Object.entries(report).flatMap(([key, value]) => {
    const found = key.startsWith('status-') ? statusPattern.exec(value) : null;
    return found
      ? [{ name: key.slice('status-'.length), state: found[1] ?? '', containerId: found[2] ?? '' }]
      : [];
  });
  return judgeProcesses({
    deployed,
    running,
    restore: reportValue(report, 'ps', 'restore') !== 'false',
    count: Number(reportValue(report, 'ps', 'processes') || '-1'),
    processes,
  });
}

/**
 * `docker inspect` of the app’s containers through Dokku, so that accounts without access to Docker can use it. Variables are
 * masked. Fails with 1 when nothing was deployed, and on k3s.
 */
export function inspect(app: AppName): Command {
  return dokku('ps:inspect', app);
}

const inspectSchema = z.array(
  z.object({
    Id: z.string(),
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
    .map(({ Id, Name, Config, HostConfig, State, RestartCount }) => ({
      id: Id,
      name: Config.Labels['com.dokku.dyno'] ?? Name.replace(/^\//, ''),
      state: State.Status,
      memoryBytes: HostConfig.Memory || null,
      cpus: cpusOf({
        nanoCpus: HostConfig.NanoCpus,
        cpuQuota: HostConfig.CpuQuota,
        cpuPeriod: HostConfig.CpuPeriod,
      }),
      restarts: RestartCount,
      outOfMemory: State.OOMKilled,
      exitCode: State.ExitCode,
      endedAt: endOf(State.FinishedAt),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
