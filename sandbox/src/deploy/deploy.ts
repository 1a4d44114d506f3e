import { randomBytes } from 'node:crypto';
import { cpus } from 'node:os';
import { type BuildRecord, beginBuild, buildLog, endBuild } from '../machine/builds.ts';
import { type Call, Exit } from '../machine/call.ts';
import { type Container, removeContainer, startContainer } from '../machine/containers.ts';
import { shellFault, variablesOf } from '../machine/env-file.ts';
import { builtLabels } from '../machine/inspect-container.ts';
import { bytesOf, limitsOf } from '../machine/limits.ts';
import { takeLock } from '../machine/lock.ts';
import { urlsOf, writeRoutes } from '../machine/routes.ts';
import { trigger } from '../machine/run-plugin.ts';
import { configureSite } from '../machine/site.ts';
import type { App } from '../machine/state.ts';
import { withAddresses } from '../services/addresses.ts';
import { buildCode } from './build-code.ts';
import { checkContainer, checkModeOf, failedJob } from './check-container.ts';

/** What the app tells of its deploy from then on. */
export type DeploySource = { source: string; metadata: string };

/**
 * Builds and deploys under the lock, with a record, for git push, `git:sync`, `git:from-archive` and `ps:rebuild`. `commit` is null
 * when the branch has none. Without `told` the app tells of the commit. Like the real Dokku, begins the record before it meets the
 * lock: a refused deploy leaves its record open.
 */
export async function buildAndDeploy(
  call: Call,
  name: string,
  commit: string | null,
  { source, told }: { source: string; told?: DeploySource },
): Promise<void> {
  call.mergeInto(null);
  const record = beginBuild(call.state.paths, name, 'build', source);
  const giveBack = takeLock(call, name);
  try {
    if (commit === null) refuseWithoutCommit(call, name, record);
    await recorded(call, name, commit, { record, told });
  } finally {
    giveBack();
  }
}

function refuseWithoutCommit(call: Call, name: string, record: BuildRecord): never {
  const branch = call.app(name).deployBranch || 'master';
  call.out(
    `\u001b[1G\u001b[K-----> WARNING: Cannot build from '${branch}' as there are no commits stored at that branch.`,
  );
  endBuild(call.state.paths, record, 'failed', 1);
  throw new Exit(1);
}

async function recorded(
  call: Call,
  name: string,
  commit: string,
  { record, told }: { record: BuildRecord; told: DeploySource | undefined },
): Promise<void> {
  const { paths } = call.state;
  call.mergeInto(buildLog(paths, name, record.id));
  if (call.knows('0.38.0')) call.build = { DOKKU_BUILD_ID: record.id, DOKKU_BUILD_SOURCE: record.source };
  const before = call.app(name);
  let built = false;
  try {
    const made = await buildCode(call, before, commit, record.id);
    const { processes, exposed, procfile, manifest, checksFile, template, formation, cron } = made;
    built = true;
    call.state.changeApp(name, (app) => {
      app.processes = processes;
      app.exposed = exposed;
      app.procfile = procfile;
      app.manifest = manifest;
      app.checksFile = checksFile;
      app.template = template;
      app.formation = formation !== null;
      app.cron = cron;
      app.code = record.id;
      app.image = undefined;
      app.config.GIT_REV = commit;
      for (const type of Object.keys(processes))
        app.scale[type] = formation ? (formation[type] ?? 0) : (app.scale[type] ?? (type === 'web' ? 1 : 0));
    });
    await release(call, name);
    call.state.changeApp(name, (app) => {
      if (record.source === 'git-hook') app.deploySource = 'git-push';
      if (told) app.deploySource = told.source;
      app.deploySourceMetadata = told ? told.metadata : commit;
    });
    endBuild(paths, record, 'succeeded', 0);
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
    // Like the real Dokku: the image stays `latest`, so a later start runs it, with the files of the version that served.
    if (built) {
      call.state.changeApp(name, (app) => {
        const { processes, scale, exposed, procfile, manifest, checksFile, template, formation, cron } =
          before;
        const files = { procfile, manifest, checksFile, template };
        Object.assign(app, { processes, scale, exposed, ...files, formation, cron });
        if (before.code === null) app.code = null;
      });
    }
    // Like the real Dokku, leaves the record of a failed build open, so that it becomes `abandoned`.
    if (built || error.code !== 1) endBuild(paths, record, 'failed', error.code);
    throw error;
  }
}

/** `ps:start` of a stopped app releases the version that is there. The real Dokku records it with the source `deploy`. */
export async function startAgain(call: Call, name: string): Promise<void> {
  const record: BuildRecord = beginBuild(call.state.paths, name, 'deploy', 'deploy');
  call.mergeInto(buildLog(call.state.paths, name, record.id));
  try {
    await release(call, name);
    endBuild(call.state.paths, record, 'succeeded', 0);
  } catch (error) {
    if (error instanceof Exit) endBuild(call.state.paths, record, 'failed', error.code);
    throw error;
  }
}

/** The steps between the build and `Application deployed`. A going-back runs the tasks of no release. */
export async function release(call: Call, name: string, { tasks = true } = {}): Promise<void> {
  const app = call.app(name);
  if (tasks) {
    await runTasks(call, app);
    labelAnew(call, name);
  }
  call.title('Processing deployment checks');
  call.say(`Deploying ${name} via the docker-local scheduler...`);
  await replaceContainers(call, name);
  call.title('Application deployed:');
  for (const url of urlsOf(call.state, call.app(name))) call.detail(url);
  call.out('');
}

/** Dokku's release step makes another image of the same code: `FROM` it, with labels. */
function labelAnew(call: Call, name: string): void {
  const id = `sha256:${randomBytes(32).toString('hex')}`;
  call.state.changeApp(name, (app) => {
    app.image = { id, labels: app.image?.labels ?? builtLabels(name) };
  });
}

async function runTasks(call: Call, { name, deployedAtSeconds }: App): Promise<void> {
  call.say(`Releasing ${name}...`);
  await call.pause(1_000);
  call.say('Checking for predeploy task');
  call.detail('No predeploy task found, skipping');
  call.say('Checking for release task');
  call.detail('No release task found, skipping');
  if (deployedAtSeconds === null) {
    call.say('Checking for heroku.postdeploy task');
    call.detail('No heroku.postdeploy task found, skipping');
  }
}

/** `ps:restart` of all process types or of one. Like the real Dokku, never closes the record. */
export async function restart(call: Call, name: string, type?: string): Promise<void> {
  const record: BuildRecord = beginBuild(call.state.paths, name, 'deploy', 'ps:restart');
  call.mergeInto(buildLog(call.state.paths, name, record.id));
  await repeated(call, () => replaceContainers(call, name, type === undefined ? undefined : [type]));
}

/** `ps:scale` of a running app: each changed type is a deploy of its own. */
export async function scaleTo(call: Call, name: string, types: readonly string[]): Promise<void> {
  const record: BuildRecord = beginBuild(call.state.paths, name, 'deploy', 'deploy');
  call.mergeInto(buildLog(call.state.paths, name, record.id));
  await repeated(call, async () => {
    for (const type of types) await replaceContainers(call, name, [type]);
  });
  endBuild(call.state.paths, record, 'succeeded', 0);
}

/** Prints the reason of a failed deploy once more, like the plugin of `ps`. */
export async function repeated(call: Call, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof Exit && error.text !== '') call.warn(`${error.text}\n`);
    throw error;
  }
}

/** Starts the new containers, checks them, sends the visitors there, then stops the old containers. A failure leaves the old ones alone. */
async function replaceContainers(call: Call, name: string, only?: readonly string[]): Promise<void> {
  const { paths } = call.state;
  const before = call.app(name);
  // A type that the code has no more ends with its containers.
  const all = Object.entries(before.containers);
  const there = [...Object.keys(before.processes), ...all.map(([process]) => process.split('.')[0] ?? '')];
  const types = (only ?? [...new Set(there)]).toSorted(webFirst);
  const isReplaced = ([process]: [string, string]) => types.includes(process.split('.')[0] ?? '');
  const old = Object.fromEntries(all.filter(isReplaced));
  const kept = Object.fromEntries(all.filter((entry) => !isReplaced(entry)));
  const fresh: Record<string, string> = {};
  const switched: string[] = [];
  try {
    const fault = shellFault(variablesOf(call, before));
    if (fault !== null) refuseDeploy(call, fault);
    for (const type of types) {
      await startType(call, name, type, old, fresh);
      switched.push(type);
    }
  } catch (error) {
    await leaveSwitched(call, name, { switched, old, kept, fresh });
    throw error;
  }
  call.say('Running post-deploy');
  const listening = 'web.1' in { ...kept, ...fresh };
  if (listening) call.say(`Ensuring network configuration is in sync for ${name}`);
  call.state.changeApp(name, (app) => {
    app.containers = { ...kept, ...fresh };
    const gone = Object.entries(old).filter(([process]) => !((process.split('.')[0] ?? '') in app.processes));
    app.stale = { ...app.stale, ...Object.fromEntries(gone) };
    app.deployedAtSeconds = Math.floor(Date.now() / 1000);
    app.stopped = false;
  });
  writeRoutes(call.state);
  await configureSite(call, call.app(name));
  call.say('Renaming containers');
  const epoch = Math.floor(Date.now() / 1000);
  for (const [process, id] of Object.entries({ ...kept, ...fresh }).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    sayRenaming(call, `${name}.${process}`, id, old[process] ?? kept[process], epoch);
  call.say('Checking for postdeploy task');
  call.detail('No postdeploy task found, skipping');
  call.say('Updated schedule file');
  if (Object.keys(old).length > 0)
    call.say(`Shutting down old containers in ${before.checks?.retire || '60'} seconds`);
  call.event('post-deploy', name);
  await trigger(call, 'post-deploy', [name], call.build);
  await Promise.all(Object.values(old).map((id) => removeContainer(paths, id)));
}

/**
 * After a failure, like the real Dokku: the types before it run their new version already and visitors reach it, the others run the
 * old one. Only the containers of the failed type go.
 */
async function leaveSwitched(
  call: Call,
  name: string,
  {
    switched,
    old,
    kept,
    fresh,
  }: Record<'old' | 'kept' | 'fresh', Record<string, string>> & { switched: string[] },
): Promise<void> {
  const isSwitched = ([process]: [string, string]) => switched.includes(process.split('.')[0] ?? '');
  const isLeft = (entry: [string, string]) => !isSwitched(entry);
  for (const [, id] of Object.entries(fresh).filter(isLeft)) await removeContainer(call.state.paths, id);
  if (switched.length === 0) return;
  call.state.changeApp(name, (app) => {
    app.containers = {
      ...kept,
      ...Object.fromEntries(Object.entries(old).filter(isLeft)),
      ...Object.fromEntries(Object.entries(fresh).filter(isSwitched)),
    };
  });
  writeRoutes(call.state);
  for (const [, id] of Object.entries(old).filter(isSwitched)) await removeContainer(call.state.paths, id);
}

/** Prints the renaming of containers. Dokku renames a container that stays, too, and then back. */
function sayRenaming(
  call: Call,
  name: string,
  id: string,
  previous: string | undefined,
  epoch: number,
): void {
  const short = (whole: string) => whole.slice(0, 12);
  if (previous !== undefined) {
    call.detail(`Found previous container(s) (${short(previous)}) named ${name}`);
    call.detail(`Renaming container (${short(previous)}) ${name} to ${name}.${epoch}`);
  }
  const from = id === previous ? `${name}.${epoch}` : `${name}.upcoming-${epoch % 32768}`;
  call.detail(`Renaming container ${from} (${short(id)}) to ${name}`);
}

async function startType(
  call: Call,
  name: string,
  type: string,
  old: Record<string, string>,
  fresh: Record<string, string>,
): Promise<void> {
  const app = call.app(name);
  const count = type in app.processes ? (app.scale[type] ?? 0) : 0;
  const retire = app.checks?.retire || '60';
  call.say(`Deploying ${type} (count=${count})`);
  for (let index = 1; index <= count; index += 1) {
    const process = `${type}.${index}`;
    refuseLimits(call, app, type, index);
    await call.pause(2_000);
    const container = await startContainer(call.state.paths, {
      app: name,
      process,
      command: app.processes[type] ?? 'false',
      folder: call.state.paths.code(name, app.code ?? ''),
      env: withAddresses(call.state.paths, environmentOf(call, app, process)),
      limits: limitsOf(app, type),
      ...(app.image ? { image: app.image } : {}),
      ...(app.restartPolicy ? { restartPolicy: app.restartPolicy } : {}),
    });
    fresh[process] = container.id;
    await checkUnlessOff(call, app, container, type);
    if (old[process]) call.detail(`Scheduling old container shutdown in ${retire} seconds (${process})`);
  }
  if (type === 'web') {
    call.title('Triggering early nginx proxy rebuild');
    call.say(`Ensuring network configuration is in sync for ${name}`);
    await configureSite(call, { ...app, deployedAtSeconds: app.deployedAtSeconds ?? 0 });
  }
  for (const process of Object.keys(old)) {
    const [of, index] = process.split('.');
    if (of === type && Number(index) > count)
      call.detail(`Scheduling orphaned container shutdown in ${retire} seconds (${process})`);
  }
}

/** The sandbox stops old containers behind the new ones, also where Dokku would stop them first. */
async function checkUnlessOff(call: Call, app: App, container: Container, type: string): Promise<void> {
  const mode = checkModeOf(app, type);
  if (mode === 'checked') return checkContainer(call, container, type);
  if (mode === 'skipped') {
    call.detail(`Attempting pre-flight checks (${container.process})`);
    call.title(`Zero downtime checks have been skipped (${container.process})`);
  }
}

/** Refuses a limit with Docker's messages. Nothing was checked when the limit was set. */
function refuseLimits(call: Call, app: App, type: string, index: number): void {
  const limit = (key: string) => app.limits[`${type}.limit.${key}`] ?? app.limits[`_default_.limit.${key}`];
  const available = cpus().length;
  const memory = limit('memory') ?? '';
  const job = failedJob(app.name, type, index);
  if (memory !== '' && bytesOf(memory) === 0) {
    const given = /[a-z]$/i.test(memory) && /^[\d.]/.test(memory) ? memory : `${memory}m`;
    refuseDeploy(
      call,
      `invalid argument "${given}" for "-m, --memory" flag: invalid size: '${given}'\nSee 'docker container create --help'.\n${job}`,
    );
  }
  if (Number(limit('cpu') ?? 0) > available)
    refuseDeploy(
      call,
      `Error response from daemon: Range of CPUs is from 0.01 to ${available}.00, as there are only ${available} CPUs available\n${job}`,
    );
}

function refuseDeploy(call: Call, text: string): never {
  call.out(text);
  throw new Exit(1, text);
}

/** Of the sandbox's own environment only the path reaches an app. */
export function environmentOf(call: Call, app: App, process: string): Record<string, string> {
  return {
    PATH: globalThis.process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin',
    HOME: '/tmp',
    ...variablesOf(call, app),
    DYNO: process,
  };
}

function webFirst(a: string, b: string): number {
  return a === b ? 0 : a === 'web' ? -1 : b === 'web' ? 1 : a < b ? -1 : 1;
}
