import { z } from 'zod';
import {
  type ContainerState,
  cpusOf,
  endOf,
  judgeProcesses,
  type Processes,
  type ProcessStatus,
  restartPolicyOf,
  runningOf,
  shownIdCharacters,
} from '../app-state/processes.ts';
import { type Command, dokku, type Outcome } from '../command.ts';
import type { AppName } from '../names/app-name.ts';
import type { ProcessType } from '../names/process-type.ts';
import { linesOf, readJson, reportSchema, reportValue } from '../output.ts';

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

/**
 * All containers of one type. Of a type that the app does not have, Dokku restarts nothing, runs the app's postdeploy task and ends
 * with 0: ask `listScale` before.
 */
export function restartType(app: AppName, type: ProcessType): Command {
  return dokku('ps:restart', app, type);
}

/**
 * How many processes of a type are wanted. Each changed type is a deploy of its own: all its containers are replaced, each after
 * about 10 s, and the postdeploy task runs. A stopped app would be half started: there `skipDeploy` keeps the numbers for its next start.
 */
export function scale(
  app: AppName,
  wanted: ReadonlyMap<ProcessType, number>,
  { skipDeploy }: { skipDeploy: boolean },
): Command {
  const words = [...wanted].map(([type, quantity]) => `${type}=${quantity}`);
  return dokku('ps:scale', ...(skipDeploy ? ['--skip-deploy'] : []), app, ...words);
}

/** For containers that are made from then on. Dokku checks the name only: `on-failure:abc` breaks the next deploy. */
export function setRestartPolicy(app: AppName, policy: string): Command {
  return dokku('ps:set', app, 'restart-policy', policy);
}

/** How long a container may take to end before it is killed. Since Dokku 0.36. */
export function setStopSeconds(app: AppName, seconds: number): Command {
  return dokku('ps:set', app, 'stop-timeout-seconds', String(seconds));
}

/** As text, because Dokku before 0.38.21 answers in no other form. */
export function listScale(app: AppName): Command {
  return dokku('ps:scale', app);
}

/** The wanted number of each type, those with none included. */
export function readScale(outcome: Outcome): Map<string, number> {
  const found = linesOf(outcome.stdout).flatMap((line) => {
    const row = /^([A-Za-z0-9][\w-]{0,62}): +(\d{1,9})$/.exec(line);
    return row?.[1] === undefined ? [] : [[row[1], Number(row[2])] as const];
  });
  return new Map(found);
}

/** Takes the deploy lock. Closing the stream ends the rebuild half-way. */
export function rebuild(app: AppName): Command {
  return dokku('ps:rebuild', app);
}

export function report(app: AppName): Command {
  return dokku('ps:report', app, '--format', 'json');
}

/** One value of the report, which costs the server a seventh of the whole. */
export function reportFlag(app: AppName, flag: 'deployed' | 'restore' | 'running' | 'ps-can-scale'): Command {
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
    Image: z.string(),
    Created: z.iso.datetime({ offset: true }),
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
      RestartPolicy: z.object({ Name: z.string(), MaximumRetryCount: z.number() }),
    }),
    Config: z.object({ Labels: z.record(z.string(), z.string()) }),
  }),
);

export function readInspect(outcome: Outcome): ContainerState[] {
  return readJson('ps:inspect', outcome.stdout, inspectSchema)
    .map(({ Id, Image, Created, Name, Config, HostConfig, State, RestartCount }) => ({
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
      createdAt: Date.parse(Created),
      image: Image,
      builder: Config.Labels['com.dokku.builder-type'] || null,
      restartPolicy: restartPolicyOf(
        HostConfig.RestartPolicy.Name,
        HostConfig.RestartPolicy.MaximumRetryCount,
      ),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
