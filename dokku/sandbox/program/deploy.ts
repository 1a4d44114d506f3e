import { cpus } from 'node:os';
import { buildCode } from './build-code.ts';
import { type BuildRecord, beginBuild, buildLog, endBuild } from './builds.ts';
import { type Call, Exit } from './call.ts';
import {
  type Container,
  filesOf,
  listens,
  removeContainer,
  startContainer,
  stateOf,
  until,
} from './containers.ts';
import { readText } from './files.ts';
import { takeLock } from './lock.ts';
import { urlsOf, writeRoutes } from './routes.ts';
import { configureSite } from './site.ts';
import type { App } from './state.ts';

/** A build and a deploy under the lock, recorded: git push and `ps:rebuild`. */
export async function buildAndDeploy(
  call: Call,
  name: string,
  commit: string,
  source: string,
): Promise<void> {
  call.mergeInto(null);
  const giveBack = takeLock(call, name);
  try {
    await recorded(call, name, commit, source);
  } finally {
    giveBack();
  }
}

async function recorded(call: Call, name: string, commit: string, source: string): Promise<void> {
  const { paths } = call.state;
  const record = beginBuild(paths, name, 'build', source);
  call.mergeInto(buildLog(paths, name, record.id));
  const before = call.app(name);
  let built = false;
  try {
    const processes = await buildCode(call, before, commit, record.id);
    built = true;
    call.state.changeApp(name, (app) => {
      app.processes = processes;
      app.code = record.id;
      app.config.GIT_REV = commit;
      for (const type of Object.keys(processes)) app.scale[type] ??= type === 'web' ? 1 : 0;
    });
    await release(call, name);
    call.state.changeApp(name, (app) => {
      if (source === 'git-hook') app.deploySource = 'git-push';
      app.deploySourceMetadata = commit;
    });
    endBuild(paths, record, 'succeeded', 0);
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
    // What serves goes on to be what a later start or restart runs.
    if (built) {
      call.state.changeApp(name, (app) => {
        const { processes, code, scale } = before;
        Object.assign(app, { processes, code, scale });
      });
    }
    // A failed build's record is left open, as the real one leaves it: `abandoned`.
    if (built || error.code !== 1) endBuild(paths, record, 'failed', error.code);
    throw error;
  }
}

/** What stands between the build and `Application deployed`; `ps:start` of a stopped app begins here. */
export async function release(call: Call, name: string): Promise<void> {
  const app = call.app(name);
  call.say(`Releasing ${name}...`);
  await call.pause(1_000);
  call.say('Checking for predeploy task');
  call.detail('No predeploy task found, skipping');
  call.say('Checking for release task');
  call.detail('No release task found, skipping');
  if (app.deployedAtSeconds === null) {
    call.say('Checking for heroku.postdeploy task');
    call.detail('No heroku.postdeploy task found, skipping');
  }
  call.title('Processing deployment checks');
  call.say(`Deploying ${name} via the docker-local scheduler...`);
  await replaceContainers(call, name);
  call.title('Application deployed:');
  const deployed = call.app(name);
  for (const url of urlsOf(call.state, deployed.vhosts, deployed.certificate.expiresAtSeconds !== null))
    call.detail(url);
  call.out('');
}

/** `ps:restart`: recorded, and as on the real one the record is never closed. */
export async function restart(call: Call, name: string): Promise<void> {
  const record: BuildRecord = beginBuild(call.state.paths, name, 'deploy', 'ps:restart');
  call.mergeInto(buildLog(call.state.paths, name, record.id));
  await replaceContainers(call, name);
}

/** Starts the new ones, checks them, sends the visitors there, stops the old ones. A failure leaves the old ones alone. */
async function replaceContainers(call: Call, name: string): Promise<void> {
  const { paths } = call.state;
  const old = call.app(name).containers;
  const fresh: Record<string, string> = {};
  try {
    for (const type of Object.keys(call.app(name).processes).sort(webFirst))
      await startType(call, name, type, old, fresh);
  } catch (error) {
    for (const id of Object.values(fresh)) await removeContainer(paths, id);
    throw error;
  }
  call.say('Running post-deploy');
  call.say(`Ensuring network configuration is in sync for ${name}`);
  call.state.changeApp(name, (app) => {
    app.containers = fresh;
    app.deployedAtSeconds = Math.floor(Date.now() / 1000);
    app.stopped = false;
  });
  writeRoutes(call.state);
  await configureSite(call, call.app(name));
  call.say('Renaming containers');
  const epoch = Math.floor(Date.now() / 1000);
  for (const [process, id] of Object.entries(fresh)) {
    const previous = old[process]?.slice(0, 12);
    if (previous) {
      call.detail(`Found previous container(s) (${previous}) named ${name}.${process}`);
      call.detail(`Renaming container (${previous}) ${name}.${process} to ${name}.${process}.${epoch}`);
    }
    call.detail(
      `Renaming container ${name}.${process}.upcoming-${epoch % 32768} (${id.slice(0, 12)}) to ${name}.${process}`,
    );
  }
  call.say('Checking for postdeploy task');
  call.detail('No postdeploy task found, skipping');
  call.say('Updated schedule file');
  if (Object.keys(old).length > 0) call.say('Shutting down old containers in 60 seconds');
  call.event('post-deploy', name);
  await Promise.all(Object.values(old).map((id) => removeContainer(paths, id)));
}

async function startType(
  call: Call,
  name: string,
  type: string,
  old: Record<string, string>,
  fresh: Record<string, string>,
): Promise<void> {
  const app = call.app(name);
  const count = app.scale[type] ?? 0;
  call.say(`Deploying ${type} (count=${count})`);
  for (let index = 1; index <= count; index += 1) {
    const process = `${type}.${index}`;
    refuseTooManyCpus(call, app, type, index);
    await call.pause(2_000);
    const container = await startContainer(call.state.paths, {
      app: name,
      process,
      command: app.processes[type] ?? 'false',
      folder: call.state.paths.code(name, app.code ?? ''),
      env: environmentOf(app, process),
    });
    fresh[process] = container.id;
    await check(call, container, type);
    if (old[process]) call.detail(`Scheduling old container shutdown in 60 seconds (${process})`);
  }
  if (type === 'web') call.title('Triggering early nginx proxy rebuild');
}

/** Web processes have to listen on their port, others to stay alive. Ten seconds at pace 1, as the real default check. */
async function check(call: Call, container: Container, type: string): Promise<void> {
  const { paths } = call.state;
  const web = type === 'web';
  call.detail(`Attempting pre-flight checks (${container.process})`);
  call.say(`Executing ${web ? 2 : 1} healthchecks`);
  call.detail("Running healthcheck name='default' type='uptime' uptime=10");
  if (web) {
    call.detail(
      `Running healthcheck name='port listening check' attempts=3 port=${container.port} retries=2 timeout=5 type='listening' wait=5`,
    );
  }
  const state = () => stateOf(paths, container.id);
  const failed = () => state()?.status === 'exited' || (state()?.restarts ?? 0) >= 2;
  const settled = web ? async () => failed() || (await listens(container.port)) : failed;
  const reached = await until(settled, web ? 20_000 : 300);
  if (!failed()) await call.pause(10_000);
  if (failed() || (web && !reached)) return refuse(call, container, failed());
  call.detail("Healthcheck succeeded name='default'");
  if (web) call.detail("Healthcheck succeeded name='port listening check'");
  call.detail(`All checks successful (${container.process})`);
  printOutput(call, container);
}

async function refuse(call: Call, container: Container, ended: boolean): Promise<never> {
  const { paths } = call.state;
  const restarts = stateOf(paths, container.id)?.restarts ?? 0;
  const why = ended ? `container has restarted ${restarts} times` : 'dial tcp: connect: connection refused';
  call.write(
    2,
    `\u001b[1m\u001b[31m !     \u001b[0m\u001b[0mFailure in name='${ended ? 'default' : 'port listening check'}': ${why}\n`,
  );
  call.out(container.id);
  call.warn(`Could not start due to 1 failed checks (${container.process})`);
  printOutput(call, container);
  printOutput(call, container);
  const [type = 'web', index = '1'] = container.process.split('.');
  call.out('parallel: This job failed:');
  call.out(
    `/var/lib/dokku/plugins/available/scheduler-docker-local/bin/scheduler-deploy-process-container ${container.app} herokuish dokku/${container.app}:latest latest ${type} ${index} ${index}`,
  );
  call.out('');
  throw new Exit(1);
}

function printOutput(call: Call, container: Container): void {
  const name = `${container.app} container output (${container.id.slice(0, 12)} ${container.process})`;
  call.title(`Start of ${name}`);
  const log = readText(filesOf(call.state.paths, container.id).log) ?? '';
  for (const line of log.split('\n').slice(0, -1)) call.detail(line.slice(line.indexOf(' ') + 1));
  call.title(`End of ${name}`);
}

/** Docker's refusal; its text ends the deploy, and Dokku prints it twice. */
function refuseTooManyCpus(call: Call, app: App, type: string, index: number): void {
  const wanted = Number(app.limits[`${type}.limit.cpu`] ?? app.limits['_default_.limit.cpu'] ?? 0);
  const available = cpus().length;
  if (wanted <= available) return;
  const job = `/var/lib/dokku/plugins/available/scheduler-docker-local/bin/scheduler-deploy-process-container ${app.name} herokuish dokku/${app.name}:latest latest ${type} ${index} ${index}`;
  const text = `Error response from daemon: Range of CPUs is from 0.01 to ${available}.00, as there are only ${available} CPUs available\nparallel: This job failed:\n${job}`;
  call.out(text);
  call.warn(`${text}\n`);
  throw new Exit(1);
}

/** No variable of the sandbox's own environment but the path reaches an app. */
function environmentOf(app: App, process: string): Record<string, string> {
  return {
    PATH: globalThis.process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin',
    HOME: '/tmp',
    ...app.config,
    DYNO: process,
  };
}

function webFirst(a: string, b: string): number {
  return a === b ? 0 : a === 'web' ? -1 : b === 'web' ? 1 : a < b ? -1 : 1;
}
