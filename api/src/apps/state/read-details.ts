import type {
  Deploy,
  Mount,
  Readme,
  Resources,
  SystemInformation,
} from '@homeport/contract/apps/settings-schema';
import { mountsPerApp } from '@homeport/contract/limits';
import {
  appName,
  apps,
  builds,
  git,
  hostCommand,
  nginx,
  ports,
  proxy,
  ps,
  resource,
  storage,
  storageFolder,
  UnreadableOutputError,
} from '@homeport/dokku';
import type { Ran } from '../../remote/run-command.ts';
import type { ReachedApp } from '../reach-app.ts';
import { readPorts } from './read-ports.ts';
import { readmeOf } from './readme-of.ts';

/** The past deploys that the server keeps. Dokku before 0.38 keeps none. */
export async function readDeploys({
  app,
  run,
}: ReachedApp): Promise<{ supported: boolean; deploys: Deploy[]; releases: null }> {
  const ran = await run(builds.list(appName(app.longname)), { accept: 'any' });
  if (ran.exitCode !== 0) return { supported: false, deploys: [], releases: null };
  const deploys = builds.readList(ran).map(({ id, source, status, startedAt, finishedAt }) => ({
    id,
    source,
    status,
    startedAt,
    finishedAt,
    commit: null,
  }));
  return { supported: true, deploys, releases: null };
}

/**
 * The readme of the deployed branch. Reading a repository needs root. If the console’s own account is not
 * root, the readme waits until the person opens a connection that may become root.
 */
export async function readReadme({ app, run, runAsRoot, rootLogin }: ReachedApp): Promise<Readme> {
  if (!runAsRoot) return { kind: 'needs_root', user: rootLogin };
  const name = appName(app.longname);
  const branch = git.branchSchema.parse(git.readReport(await run(git.report(name))).deployBranch);
  const files = await runAsRoot(git.listFiles(name, branch), { accept: 'any' });
  const { account } = files.record;
  const file = files.exitCode === 0 ? git.readReadmeName(files) : null;
  if (!file) return { kind: 'none', account };
  const ran = await runAsRoot(git.readFile(name, branch, file), { accept: 'any', maxOutputBytes: 64 * 1024 });
  return ran.exitCode === 0 ? readmeOf(ran.stdout, account) : { kind: 'none', account };
}

/**
 * Only root may ask Docker, so the state of the containers is read through Dokku, which every account may
 * run.
 */
export async function readResources({ app, run }: ReachedApp): Promise<Resources> {
  const name = appName(app.longname);
  const [limits, report, inspected, cpus] = await Promise.all([
    run(resource.report(name)),
    run(ps.reportFlag(name, 'deployed')),
    run(ps.inspect(name), { accept: 'any', quiet: true }),
    run(hostCommand(['nproc'], { needsRoot: false }), { accept: 'any' }),
  ]);
  const { memoryMb, cpus: limit } = resource.readReport(limits);
  return {
    memoryMb,
    cpus: limit,
    hostCpus: Number.parseInt(cpus.stdout, 10) || null,
    containers: ps.readFlag(report) ? containersOf(inspected) : [],
  };
}

/** Null on K3s, which has no such answer, and for a container that is gone before it is inspected. */
function containersOf(inspected: Ran): ps.ContainerState[] | null {
  return inspected.exitCode === 0 ? ps.readInspect(inspected) : null;
}

export async function readSystem({ app, run }: ReachedApp): Promise<SystemInformation> {
  const name = appName(app.longname);
  const [appReport, inspected, gitReport, nginxReport, { inForce }] = await Promise.all([
    run(apps.report(name)),
    run(ps.inspect(name), { accept: 'any', quiet: true }),
    run(git.report(name), { accept: 'any' }),
    run(nginx.report(name), { accept: 'any', quiet: true }),
    readPorts(run, app.longname),
  ]);
  const proxyReport = await run(proxy.report(name), { accept: 'any' });
  const { createdAt, deploySource, deploySourceMetadata } = apps.readReport(appReport);
  return {
    processes: processesOf(inspected),
    source: deploySource || null,
    sourceDetail: deploySourceMetadata || null,
    deployBranch: gitReport.exitCode === 0 ? git.readReport(gitReport).deployBranch : null,
    ports: inForce.map(ports.textOf),
    proxy: proxyReport.exitCode === 0 ? proxy.readType(proxyReport) : null,
    site: siteOf(nginxReport),
    createdAt,
  };
}

/** An addition: no answer to `nginx:report` keeps the rest from the page. */
function siteOf(ran: Ran): SystemInformation['site'] {
  if (ran.exitCode !== 0) return null;
  try {
    return { ...nginx.readReport(ran), ownTemplate: null };
  } catch (error) {
    if (error instanceof UnreadableOutputError) return null;
    throw error;
  }
}

/** An app that was never deployed has no containers, and K3s does not report its pods. */
const processesOf = (inspected: Ran) =>
  ps
    .reportOf({ restore: true, containers: containersOf(inspected) ?? [], running: null })
    .processes.map(({ name, state, containerId }) => ({ name, state, containerId }));

/**
 * The folders of an app that outlive its deploys, and their sizes. Any account may sum up files that
 * everybody may read, as most apps leave theirs; other files need root. The size is null if a file could not
 * be read, and for a volume, because Docker decides where a volume is stored.
 */
export async function readStorage({ app, run, runAsRoot }: ReachedApp): Promise<Mount[]> {
  const mounts = storage.readList(await run(storage.list(appName(app.longname)))).slice(0, mountsPerApp);
  const options = { accept: 'any', deadlineMs: 20_000 } as const;
  const folders = new Set(mounts.flatMap(({ hostPath }) => (hostPath.startsWith('/') ? hostPath : [])));
  const measured = new Map(
    await Promise.all([...folders].map(async (folder) => [folder, await measure(folder)] as const)),
  );
  const measuredAt = Date.now();
  return mounts.map(({ hostPath, containerPath }) => ({
    hostPath,
    containerPath,
    removable: storageFolder.removableName(hostPath) !== null,
    usedBytes: measured.get(hostPath) ?? null,
    measuredAt,
  }));

  async function measure(folder: string): Promise<number | null> {
    const seen = storage.readUse(await run(storage.use(folder, 'anyone'), options));
    return seen === null && runAsRoot
      ? storage.readUse(await runAsRoot(storage.use(folder, 'root'), options))
      : seen;
  }
}
