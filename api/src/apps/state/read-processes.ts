import type { ProcessContainer, Processes } from '@homeport/contract/apps/processes/schema';
import { appName, type homeport, ps } from '@homeport/dokku';
import type { ReachedApp } from '../reach-app.ts';
import { versionsOf } from './container-versions.ts';

/** What Homeport’s plugin told of the types of process. Null from a plugin before 1.11. */
export function processesOf(app: homeport.ReportedApp): Processes | null {
  const { processTypes, containers, builds, commits, revisions } = app;
  if (!processTypes) return null;
  const versions = versionsOf({ containers: containers ?? [], builds: builds ?? [], commits, revisions });
  return {
    types: [...processTypes.types],
    scalable: processTypes.scalable,
    restartPolicy: processTypes.restartPolicy,
    stopSeconds: processTypes.stopSeconds,
    builder: builderOf(containers ?? []),
    containers: containers?.map((container) => containerOf(container, versions)) ?? null,
  };
}

/** Without the plugin nobody but root may read the Procfile, and Dokku’s report of the settings is dear. */
export async function readProcesses({ app, run }: ReachedApp): Promise<Processes> {
  const name = appName(app.longname);
  const [scale, canScale, inspected] = await Promise.all([
    run(ps.listScale(name)),
    run(ps.reportFlag(name, 'ps-can-scale'), { accept: 'any' }),
    run(ps.inspect(name), { accept: 'any', quiet: true }),
  ]);
  const containers = inspected.exitCode === 0 ? ps.readInspect(inspected) : [];
  const unknown = { memoryMb: null, cpus: null, command: null };
  const versions = versionsOf({ containers, builds: [], commits: [], revisions: new Map() });
  return {
    types: [...ps.readScale(scale)].map(([type, quantity]) => ({ type, quantity, ...unknown })),
    scalable: canScale.exitCode === 0 ? ps.readFlag(canScale) : null,
    restartPolicy: null,
    stopSeconds: null,
    builder: builderOf(containers),
    containers: containers.map((container) => containerOf(container, versions)),
  };
}

const builderOf = (containers: readonly ps.ContainerState[]) => containers[0]?.builder ?? null;

function containerOf(
  { id, name, state, memoryBytes, restartPolicy, createdAt, image }: ps.ContainerState,
  versions: ReturnType<typeof versionsOf>,
): ProcessContainer {
  const version = versions.get(id) ?? { image, sha: null, title: null };
  return { name, state, memoryBytes, restartPolicy, createdAt, version };
}
