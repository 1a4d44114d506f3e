export type ProcessStatus = {
  /** `web.1` */
  readonly name: string;
  /** Docker's word: `running`, `exited`, `restarting`… */
  readonly state: string;
  readonly containerId: string;
};

export type Processes = {
  readonly deployed: boolean;
  readonly running: 'true' | 'false' | 'mixed';
  /** Not running on purpose: somebody stopped the app, or scaled it to no process. A reboot leaves it stopped. */
  readonly stopped: boolean;
  /** Not running, and nobody stopped it: no container of the web process runs, or none at all where it has no web process. */
  readonly crashed: boolean;
  readonly processes: readonly ProcessStatus[];
};

/** `restore` and `count` as `ps:report` names them. `ps:stop` sets `restore` to false; a crash leaves it true. */
export function judgeProcesses(told: {
  deployed: boolean;
  running: Processes['running'];
  restore: boolean;
  count: number | null;
  processes: readonly ProcessStatus[];
}): Processes {
  const { deployed, running, restore, count, processes } = told;
  const stopped = deployed && running === 'false' && (!restore || count === 0);
  const web = processes.filter(({ name }) => name.startsWith('web.'));
  const needed = web.length > 0 ? web : processes;
  // K3s names no containers.
  const down = needed.length > 0 ? needed.every(({ state }) => state !== 'running') : running === 'false';
  return { deployed, running, stopped, crashed: deployed && !stopped && down, processes };
}

/** How much of a container's id Dokku shows in its reports. */
export const shownIdCharacters = 11;

/** Dokku's word for the containers of an app together. */
export function runningOf(processes: readonly ProcessStatus[]): Processes['running'] {
  const running = processes.filter(({ state }) => state === 'running').length;
  if (running === 0) return 'false';
  return running === processes.length ? 'true' : 'mixed';
}

/** The limits that Docker enforces on one container, whatever was set since its creation, and how its last run ended. */
export type ContainerState = {
  readonly id: string;
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
  readonly createdAt: number;
  /** The id of its image: what runs in it, whatever the app's newest image is by now. */
  readonly image: string;
  /** What built the image: `herokuish`, `dockerfile`…; null where Dokku does not say so. */
  readonly builder: string | null;
  /** Docker's word for when it starts the container again: `on-failure:10`. */
  readonly restartPolicy: string;
};

/** As `--restart` of docker run is written. Docker keeps the number of tries beside the name. */
export function restartPolicyOf(name: string, tries: number): string {
  return tries > 0 ? `${name}:${tries}` : name || 'no';
}

/** Docker writes the year 1 where a container never ended. */
export function endOf(finishedAt: string): number | null {
  const at = Date.parse(finishedAt);
  return at > 0 ? at : null;
}

/** Docker stores `--cpus` as NanoCpus. Quota and period express the same limit (docker run, runtime constraints). */
export function cpusOf(limits: { nanoCpus: number; cpuQuota: number; cpuPeriod: number }): number | null {
  const { nanoCpus, cpuQuota, cpuPeriod } = limits;
  if (nanoCpus > 0) return nanoCpus / 1e9;
  return cpuQuota > 0 ? cpuQuota / (cpuPeriod || 100_000) : null;
}
