import { deepEqual, equal, ok } from 'node:assert/strict';
import { suspendSince } from '@homeport/contract/apps/cron/facts';
import * as dokku from '../src/index.ts';
import { linesOf } from '../src/output.ts';
import { done, type LiveCheck, type LiveHost, refused } from './check.ts';
import { containersOf } from './live-commands.ts';
import { isAtLeast } from './own-plugin.ts';
import { pluginChecks } from './plugin-checks.ts';
import { project } from './project.ts';
import { skip } from './skip.ts';

/**
 * A page with its web server. A real host builds the Dockerfile and serves the page by BusyBox's httpd. The sandbox builds
 * nothing, so node serves the page there.
 */
const keepsBuilds = (host: LiveHost) => isAtLeast(host, '0.38.0');

const worker = dokku.processType('worker');
const main = dokku.git.branchSchema.parse('main');

/** Deploys the app by git, then runs the commands for a running app. */
export const deployChecks: readonly LiveCheck[] = [
  {
    name: 'git push deploys, and its output says so',
    run: async ({ host, app }) => {
      const outcome = done(await host.push(app, project));
      ok(outcome.stderr.includes('=====> Application deployed:'), outcome.stderr.slice(-400));
    },
  },
  {
    name: 'ps:report shows web.1 running',
    run: async ({ host, app }) => {
      const found = dokku.ps.readReport(done(await host.run(dokku.ps.report(app))));
      deepEqual([found.deployed, found.running, found.stopped], [true, 'true', false]);
      deepEqual(
        found.processes.map(({ name, state }) => [name, state]),
        [['web.1', 'running']],
      );
    },
  },
  {
    name: 'apps:report knows the push',
    run: async ({ host, app }) => {
      const found = dokku.apps.readReport(done(await host.run(dokku.apps.report(app))));
      equal(found.deploySource, 'git-push');
      equal(found.locked, false);
    },
  },
  {
    name: 'the readme can be found and read; a missing file ends with 128',
    run: async ({ host, app }) => {
      const files = done(await host.run(dokku.git.listFiles(app, main)));
      equal(dokku.git.readReadmeName(files), 'README.md');
      equal(done(await host.run(dokku.git.readFile(app, main, 'README.md'))).stdout, project['README.md']);
      equal((await host.run(dokku.git.readFile(app, main, 'NOTHING.md'))).exitCode, 128);
    },
  },
  {
    name: 'builds:list has the deploy, builds:output its log',
    run: async ({ host, app }) => {
      if (!(await keepsBuilds(host))) skip('Dokku before 0.38 keeps no records of deploys');
      const [newest] = dokku.builds.readList(done(await host.run(dokku.builds.list(app))));
      deepEqual([newest?.status, newest?.source], ['succeeded', 'git-hook']);
      ok(newest && newest.finishedAt !== null && newest.finishedAt >= newest.startedAt);
      const log = done(await host.run(dokku.builds.output(app, newest.id)));
      ok(log.stdout.includes('Application deployed'), log.stdout.slice(-400));
    },
  },
  {
    name: 'logs give lines with their time and process',
    run: async ({ host, app }) => {
      const outcome = done(await host.run(dokku.logs.read(app, { lines: 50, follow: false })));
      const line = linesOf(outcome.stdout).map(dokku.logs.readLine).find(isServing);
      equal(line?.process, 'web.1');
      ok(line.at !== null && line.at > Date.parse('2020-01-01'));
    },
  },
  {
    name: 'followed logs arrive at once, and closing the stream ends them',
    run: async ({ host, app }) => {
      const has = (stdout: string) => stdout.includes('live: serving');
      const outcome = await host.follow(dokku.logs.read(app, { lines: 50, follow: true }), has);
      ok(has(outcome.stdout));
      ok(dokku.leftReaders.readEnded(done(await host.run(dokku.leftReaders.endLeftReaders()))) !== null);
      const removed = done(await host.run(dokku.leftReaders.removeLeftEnvironments()));
      ok(dokku.leftReaders.readRemoved(removed) !== null);
    },
  },
  {
    name: 'run gives the words to the program as they are, and ends with its exit code',
    run: async ({ host, app }) => {
      const words = dokku.run.commandWords([
        'sh',
        '-c',
        'echo "$1"; echo err >&2; exit 7',
        'sh',
        "a  b'$(id)",
      ]);
      const outcome = await host.run(dokku.run.attended(app, words, 600));
      deepEqual([outcome.exitCode, outcome.stdout, outcome.stderr], [7, "a  b'$(id)\n", 'err\n']);
    },
  },
  {
    name: 'a command in the background is listed, can be read and stopped, and is gone then',
    run: async ({ host, app }) => {
      const words = dokku.run.commandWords(['sh', '-c', 'echo ahoy; exec sleep 600']);
      const begun = done(await host.run(dokku.run.inBackground(app, words, 600)));
      const container = dokku.run.readStarted(begun, app);
      if (container === null) throw new Error(begun.stdout);
      const listed = async () => dokku.run.readList(done(await host.run(dokku.run.list(app))), app);
      const [found] = await listed();
      deepEqual([found?.container, found?.state], [container, 'running']);
      ok(found && dokku.run.isOf(found.command, words) && (found.createdAt ?? 0) > Date.parse('2020-01-01'));
      const printed = async () => dokku.run.readOutput(done(await host.run(dokku.run.output(container))));
      const until = Date.now() + 20_000;
      while ((await printed()).length === 0 && Date.now() < until);
      deepEqual(await printed(), ['ahoy']);
      done(await host.run(dokku.run.stop(app, container)));
      deepEqual(await listed(), []);
    },
  },
  {
    name: 'ps:inspect shows the limits in force, and new limits only after a restart',
    run: async ({ host, app }) => {
      const inForce = async () => {
        const containers = dokku.ps.readInspect(done(await host.run(dokku.ps.inspect(app))));
        return containers.map(({ name, memoryBytes, cpus }) => [name, memoryBytes, cpus]);
      };
      const before = [['web.1', 128 * 1024 * 1024, 0.5]];
      deepEqual(await inForce(), before);
      done(await host.run(dokku.resource.limit(app, { memoryMb: 64, cpus: 0.25 })));
      deepEqual(await inForce(), before);
      done(await host.run(dokku.ps.restart(app)));
      deepEqual(await inForce(), [['web.1', 64 * 1024 * 1024, 0.25]]);
    },
  },
  {
    name: 'a container that was killed is a crash and no stop, and ps:start brings it back',
    run: async ({ host, app }) => {
      const report = async () => dokku.ps.readReport(done(await host.run(dokku.ps.report(app))));
      done(await host.run(dokku.hostCommand(['docker', 'kill', `${app}.web.1`], { needsRoot: true })));
      const { stopped, crashed } = await report();
      deepEqual([stopped, crashed], [false, true]);
      const [container] = dokku.ps.readInspect(done(await host.run(dokku.ps.inspect(app))));
      equal(container?.exitCode, 137);
      ok(container.endedAt !== null && container.endedAt > Date.parse('2020-01-01'));
      done(await host.run(dokku.ps.start(app)));
      equal((await report()).crashed, false);
    },
  },
  {
    name: 'ps:stop pauses the app, ps:start brings it back, and a start is no deploy',
    run: async ({ host, app }) => {
      const keeps = await keepsBuilds(host);
      const deploys = async () =>
        keeps ? dokku.builds.readList(done(await host.run(dokku.builds.list(app)))) : [];
      const before = await deploys();
      const report = async () => dokku.ps.readReport(done(await host.run(dokku.ps.report(app))));
      done(await host.run(dokku.ps.stop(app)));
      equal((await report()).stopped, true);
      done(await host.run(dokku.ps.start(app)));
      equal((await report()).running, 'true');
      deepEqual(await deploys(), before);
    },
  },
  {
    name: 'ps:restart and ps:rebuild leave the app running, and builds:list has the rebuild',
    run: async ({ host, app }) => {
      for (const command of [dokku.ps.restart(app), dokku.ps.rebuild(app)]) {
        done(await host.run(command));
        const found = dokku.ps.readReport(done(await host.run(dokku.ps.report(app))));
        equal(found.running, 'true');
      }
      if (!(await keepsBuilds(host))) return;
      const [newest] = dokku.builds.readList(done(await host.run(dokku.builds.list(app))));
      deepEqual([newest?.status, newest?.source], ['succeeded', 'ps:rebuild']);
    },
  },
  {
    name: 'ps:scale brings the wanted processes, tells them, and takes them away',
    run: async ({ host, app }) => {
      const names = async () =>
        dokku.ps
          .readReport(done(await host.run(dokku.ps.report(app))))
          .processes.filter(({ state }) => state === 'running')
          .map(({ name }) => name);
      const wanted = async () =>
        Object.fromEntries(dokku.ps.readScale(done(await host.run(dokku.ps.listScale(app)))));
      deepEqual(await wanted(), { web: 1, worker: 0 });
      done(await host.run(dokku.ps.scale(app, new Map([[worker, 1]]), { skipDeploy: false })));
      deepEqual([await wanted(), await names()], [{ web: 1, worker: 1 }, ['web.1', 'worker.1']]);
      equal(dokku.ps.readFlag(done(await host.run(dokku.ps.reportFlag(app, 'ps-can-scale')))), true);
      refused(
        await host.run(dokku.ps.scale(app, new Map([[dokku.processType('clock'), 1]]), { skipDeploy: true })),
        'process_unknown',
        1,
      );
      done(await host.run(dokku.ps.scale(app, new Map([[worker, 2]]), { skipDeploy: true })));
      deepEqual([await wanted(), await names()], [{ web: 1, worker: 2 }, ['web.1', 'worker.1']]);
      done(await host.run(dokku.ps.scale(app, new Map([[worker, 0]]), { skipDeploy: false })));
      deepEqual([await wanted(), await names()], [{ web: 1, worker: 0 }, ['web.1']]);
    },
  },
  {
    name: 'ps:set takes a restart policy and a time to stop, and refuses what it does not know',
    run: async ({ host, app }) => {
      const policy = async () =>
        dokku.ps.readInspect(done(await host.run(dokku.ps.inspect(app))))[0]?.restartPolicy;
      const before = await policy();
      refused(await host.run(dokku.ps.setRestartPolicy(app, 'sometimes')), 'failed', 1);
      done(await host.run(dokku.ps.setRestartPolicy(app, 'always')));
      // Dokku before 0.36 does not know the property, and its containers have ten seconds.
      if (await isAtLeast(host, '0.36.0')) done(await host.run(dokku.ps.setStopSeconds(app, 60)));
      done(await host.run(dokku.ps.restart(app)));
      equal(await policy(), 'always');
      done(await host.run(dokku.ps.setRestartPolicy(app, before ?? 'on-failure:10')));
      done(await host.run(dokku.ps.restart(app)));
      equal(await policy(), before);
    },
  },
  {
    name: 'ps:restart of one type replaces its containers',
    run: async ({ host, app }) => {
      const id = async () =>
        dokku.ps.readInspect(done(await host.run(dokku.ps.inspect(app)))).find(({ name }) => name === 'web.1')
          ?.id;
      const before = await id();
      done(await host.run(dokku.ps.restartType(app, dokku.processType('web'))));
      ok(before !== undefined && (await id()) !== before);
    },
  },
  {
    name: 'cron:list has the tasks of app.json, and the server tells its time zone',
    run: async ({ host, app }) => {
      const { tasks, more, allOff } = dokku.cron.readList(done(await host.run(dokku.cron.list(app))));
      deepEqual(
        tasks.map(({ command, schedule, suspended }) => [command, schedule, suspended]),
        [
          ["sh -c 'echo live: a task'", '0 4 1 1 *', false],
          ['false', '@yearly', false],
        ],
      );
      deepEqual([more, allOff], [0, false]);
      ok(dokku.clock.zoneOf(done(await host.run(dokku.clock.readZone()))) !== null);
    },
  },
  {
    name: 'cron:run prints what a task prints, ends with 1 for one that fails, and knows no other id',
    run: async ({ host, app }) => {
      const [good, bad] = await taskIds(host, app);
      const ran = done(await host.run(dokku.cron.run(app, good)));
      ok(ran.stdout.includes('live: a task'), ran.stdout.slice(-400));
      const failed = await host.run(dokku.cron.run(app, bad));
      deepEqual([failed.exitCode, dokku.cron.refusalOf(failed)], [1, null]);
      const unknown = await host.run(dokku.cron.run(app, dokku.cron.taskId('nope')));
      deepEqual([unknown.exitCode, dokku.cron.refusalOf(unknown)], [1, 'missing']);
    },
  },
  {
    name: 'cron:suspend keeps a task from its schedule, and cron:resume brings it back',
    run: async ({ host, app }) => {
      if (!(await isAtLeast(host, suspendSince))) skip(`Dokku before ${suspendSince} suspends no task`);
      const [task] = await taskIds(host, app);
      const suspended = async () =>
        dokku.cron.readList(done(await host.run(dokku.cron.list(app)))).tasks.map((each) => each.suspended);
      done(await host.run(dokku.cron.suspend(app, task)));
      deepEqual(await suspended(), [true, false]);
      done(await host.run(dokku.cron.resume(app, task)));
      deepEqual(await suspended(), [false, false]);
    },
  },
  {
    name: 'no command that changes the app still runs',
    run: async ({ host, app }) => {
      const outcome = done(await host.run(dokku.leftovers.waitForLeftovers(app, 10)));
      deepEqual(dokku.leftovers.readLeftovers(outcome), { ran: null, ended: true });
    },
  },
  ...pluginChecks,
  {
    name: 'git:sync builds a commit of the app’s own repository, and refuses one that is not there',
    run: async ({ host, app }) => {
      const report = async () => dokku.apps.readReport(done(await host.run(dokku.apps.report(app))));
      const { folder, deploySourceMetadata } = await report();
      const own = dokku.git.ownRepository(app, folder);
      const commit = dokku.git.commitSchema.parse(deploySourceMetadata);
      const none = dokku.git.commitSchema.parse('ab'.repeat(20));
      refused(await host.run(dokku.git.syncOwnAndBuild(app, own, none)), 'commit_missing', 128);
      done(await host.run(dokku.git.syncOwnAndBuild(app, own, commit)));
      const { deploySource, deploySourceMetadata: told } = await report();
      deepEqual([deploySource, told], ['git-sync', `${folder}#${commit}`]);
      if (!(await keepsBuilds(host))) return;
      const [newest] = dokku.builds.readList(done(await host.run(dokku.builds.list(app))));
      deepEqual([newest?.status, newest?.source], ['succeeded', 'git:sync']);
    },
  },
  {
    name: 'apps:destroy removes the app with all of its containers',
    run: async ({ host, app }) => {
      ok(done(await host.run(containersOf(app))).stdout.includes(app));
      done(await host.run(dokku.apps.destroy(app)));
      refused(await host.run(dokku.apps.exists(app)), 'app_missing', 20);
      equal(done(await host.run(containersOf(app))).stdout, '');
    },
  },
];

const isServing = (line: dokku.logs.LogLine) => line.text === 'live: serving';

async function taskIds(host: LiveHost, app: dokku.AppName): Promise<[dokku.cron.TaskId, dokku.cron.TaskId]> {
  const { tasks } = dokku.cron.readList(done(await host.run(dokku.cron.list(app))));
  const [good, bad] = tasks.map(({ id }) => id);
  ok(good && bad, `tasks: ${JSON.stringify(tasks)}`);
  return [good, bad];
}
