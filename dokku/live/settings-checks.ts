import { deepEqual, equal, ok } from 'node:assert/strict';
import { environmentValueProblem } from '@homeport/contract/apps/environment';
import { siteFields } from '@homeport/contract/apps/site/facts';
import { oldestDokku } from '@homeport/contract/servers/dokku-versions';
import { siteProperties } from '../src/app-state/site-values.ts';
import * as dokku from '../src/index.ts';
import { done, type LiveCheck, type LiveHost, refused } from './check.ts';
import {
  certificateReport,
  readEmail,
  setNginx,
  skipAllChecks,
  unmountFolder,
  unmountStorage,
} from './live-commands.ts';
import { isAtLeast } from './own-plugin.ts';
import { skip } from './skip.ts';

const secret = 'first line\nsecond "line" with $HOME and `date`\n';
/** Values that a reader of quotes, escapes, comments, expansions or line ends can damage. */
export const hardValues: readonly string[] = [
  '{"a":"b"}',
  '"a" b',
  "it's",
  '\\n is no line end',
  'C:\\dir\\file.txt',
  `$HOME and \${HOME} and $(id)`,
  '`date`',
  'a!b!!c',
  'a # b',
  '#a',
  'a=b=c',
  ' a ',
  '\ta\t',
  'a\r\nb',
  '\n\na\n',
  'export A=1\nB="2" c',
  "'a'",
  '%s %d',
  'ümläut 日本語 \u{1F600}',
  '-----BEGIN KEY-----\nMIIE+/=\n-----END KEY-----\n',
];

const path = dokku.storage.containerPathSchema.parse('/app/storage');

const noImport = `Dokku before ${oldestDokku} takes no variables over stdin`;

async function importAll(
  host: LiveHost,
  app: dokku.AppName,
  values: Parameters<typeof dokku.config.importAll>[1],
): Promise<dokku.Outcome> {
  const ran = await host.run(dokku.config.importAll(app, values));
  if (await isAtLeast(host, oldestDokku)) return done(ran);
  refused(ran, 'command_unknown');
  return skip(noImport);
}

const keepsBuilds = (host: LiveHost) => isAtLeast(host, '0.38.0');
const knowsStorageNames = (host: LiveHost) => isAtLeast(host, '0.38.0');

/** The settings of an app that was never deployed. */
export const settingsChecks: readonly LiveCheck[] = [
  {
    name: 'ps:report says that the app was never deployed',
    run: async ({ host, app }) => {
      const found = dokku.ps.readReport(done(await host.run(dokku.ps.report(app))));
      deepEqual(found, { deployed: false, running: 'false', stopped: false, crashed: false, processes: [] });
    },
  },
  {
    name: 'ps:report answers with one value',
    run: async ({ host, app }) => {
      equal(dokku.ps.readFlag(done(await host.run(dokku.ps.reportFlag(app, 'deployed')))), false);
      equal(dokku.ps.readFlag(done(await host.run(dokku.ps.reportFlag(app, 'restore')))), true);
    },
  },
  {
    name: 'ps:start, ps:stop and ps:restart end with 0 and still count as not deployed',
    run: async ({ host, app }) => {
      for (const command of [dokku.ps.start(app), dokku.ps.stop(app), dokku.ps.restart(app)])
        refused(await host.run(command), 'not_deployed', 0);
    },
  },
  {
    name: 'builds:list is empty until a refused ps:rebuild, which it has as failed',
    run: async ({ host, app }) => {
      if (!(await keepsBuilds(host))) {
        refused(await host.run(dokku.builds.list(app)), 'command_unknown');
        skip('Dokku before 0.38 keeps no records of deploys');
      }
      const list = async () => dokku.builds.readList(done(await host.run(dokku.builds.list(app))));
      deepEqual(await list(), []);
      refused(await host.run(dokku.ps.rebuild(app)), 'nothing_to_build');
      deepEqual(
        (await list()).map(({ kind, source, status }) => [kind, source, status]),
        [['build', 'ps:rebuild', 'failed']],
      );
    },
  },
  {
    name: 'logs refuse with 1',
    run: async ({ host, app }) =>
      refused(await host.run(dokku.logs.read(app, { lines: 10, follow: false })), 'not_deployed', 1),
  },
  {
    name: 'acl restricts the app to a key until the key is removed',
    run: async ({ host, app, key, plugins }) => {
      if (!plugins.has('acl')) {
        refused(await host.run(dokku.acl.list(app)), 'command_unknown');
        skip('the host has no plugin acl');
      }
      deepEqual(dokku.acl.readList(done(await host.run(dokku.acl.list(app)))), []);
      done(await host.run(dokku.acl.add(app, key)));
      refused(await host.run(dokku.acl.add(app, key)), 'already_allowed', 2);
      const listed = async () => dokku.acl.readList(done(await host.run(dokku.acl.list(app))));
      deepEqual(await listed(), [key]);
      done(await host.run(dokku.acl.remove(app, key)));
      deepEqual(await listed(), []);
      done(await host.run(dokku.acl.add(app, key)));
    },
  },
  {
    name: 'resource:limit comes back from resource:report',
    run: async ({ host, app }) => {
      deepEqual(dokku.resource.readReport(done(await host.run(dokku.resource.report(app)))), {
        memoryMb: null,
        cpus: null,
      });
      done(await host.run(dokku.resource.limit(app, { memoryMb: 128, cpus: 0.5 })));
      deepEqual(dokku.resource.readReport(done(await host.run(dokku.resource.report(app)))), {
        memoryMb: 128,
        cpus: 0.5,
      });
    },
  },
  {
    name: 'domains:add and domains:remove show in domains:report',
    run: async ({ host, app }) => {
      const domain = dokku.domainName(`${app}.example.com`);
      const other = dokku.domainName(`${app}.example.net`);
      const domains = async () =>
        dokku.domains.readReport(done(await host.run(dokku.domains.report(app)))).domains;
      // Adds the domains twice. Dokku overwrites the first domain of an app that is older than the server's global domain.
      for (let time = 0; time < 2; time += 1) done(await host.run(dokku.domains.add(app, domain, other)));
      const added = await domains();
      deepEqual([added.includes(domain), added.includes(other)], [true, true]);
      done(await host.run(dokku.domains.remove(app, other)));
      const left = await domains();
      deepEqual([left.includes(domain), left.includes(other)], [true, false]);
      done(await host.run(dokku.domains.remove(app, other)));
    },
  },
  {
    name: 'urls name the domain',
    run: async ({ host, app }) => {
      const urls = dokku.apps.readUrls(done(await host.run(dokku.apps.urls(app))));
      ok(
        urls.some((url) => new URL(url).hostname === `${app}.example.com`),
        urls.join(' '),
      );
    },
  },
  {
    name: 'config:import keeps a value of two lines and prints none of it',
    run: async ({ host, app }) => {
      const values = new Map([
        [dokku.envKey('LIVE_SECRET'), secret],
        [dokku.envKey('LIVE_OTHER'), 'other'],
      ]);
      const outcome = await importAll(host, app, values);
      ok(!`${outcome.stdout}${outcome.stderr}`.includes('line'), 'the value was printed');
      const found = dokku.config.readExport(done(await host.run(dokku.config.exportAll(app))));
      deepEqual([found.LIVE_SECRET === secret, found.LIVE_OTHER], [true, 'other']);
    },
  },
  {
    name: 'config:import keeps the twenty hardest values that Homeport sends, and bash takes them',
    run: async ({ host, app }) => {
      equal(hardValues.map(environmentValueProblem).find(Boolean), undefined);
      const values = new Map(hardValues.map((value, at) => [dokku.envKey(`LIVE_HARD_${at}`), value]));
      await importAll(host, app, values);
      const found = dokku.config.readExport(done(await host.run(dokku.config.exportAll(app))));
      const read = [...values].map(([key]) => found[key]);
      // No message may hold a value, also not one that a check made up: each is named by its place.
      deepEqual(
        hardValues.flatMap((value, at) => (read[at] === value ? [] : [at])),
        [],
      );
      // Every trigger of plugn gets the variables of the app through bash.
      done(await host.run(dokku.proxy.report(app)));
      done(await host.run(dokku.config.unset(app, [...values.keys()])));
    },
  },
  {
    name: 'config:unset removes one key and leaves the other',
    run: async ({ host, app }) => {
      if (!(await isAtLeast(host, oldestDokku))) skip(noImport);
      done(await host.run(dokku.config.unset(app, [dokku.envKey('LIVE_OTHER')])));
      const found = dokku.config.readExport(done(await host.run(dokku.config.exportAll(app))));
      deepEqual([found.LIVE_SECRET === secret, found.LIVE_OTHER], [true, undefined]);
    },
  },
  {
    name: 'storage can be made twice, mounted, listed, measured and unmounted; Dokku before 0.38 does not know the commands',
    run: async ({ host, app, storage }) => {
      const mounts = async () => dokku.storage.readList(done(await host.run(dokku.storage.list(app))));
      const made = await host.run(dokku.storage.create(storage, 'false'));
      if (!(await knowsStorageNames(host))) return refused(made, 'command_unknown', 1);
      done(made);
      done(await host.run(dokku.storage.create(storage, 'false')));
      for (let time = 0; time < 2; time += 1) done(await host.run(dokku.storage.mount(app, storage, path)));
      const hostPath = dokku.storage.folderOf(storage);
      deepEqual(await mounts(), [{ name: storage, hostPath, containerPath: path }]);
      const bytes = dokku.storage.readUse(done(await host.run(dokku.storage.use(hostPath, 'root'))));
      ok(bytes !== null && bytes < 1024 * 1024, `an empty folder holds ${bytes} bytes`);
      done(await host.run(unmountStorage(app, storage, path)));
      deepEqual(await mounts(), []);
    },
  },
  {
    name: 'storage without a name can be made twice, mounted and unmounted once by its path, listed and measured',
    run: async ({ host, app, storage }) => {
      const mounts = async () => dokku.storage.readList(done(await host.run(dokku.storage.list(app))));
      for (let time = 0; time < 2; time += 1)
        done(await host.run(dokku.storage.ensureFolder(storage, 'false')));
      done(await host.run(dokku.storage.mountFolder(app, dokku.storage.folderOf(storage), path)));
      const again = await host.run(dokku.storage.mountFolder(app, dokku.storage.folderOf(storage), path));
      deepEqual([again.exitCode, again.stderr.includes('Mount path already exists.')], [1, true]);
      const [mount, ...others] = await mounts();
      const hostPath = dokku.storage.folderOf(storage);
      deepEqual([mount?.hostPath, mount?.containerPath, others], [hostPath, path, []]);
      equal(mount?.name?.startsWith('legacy-') ?? false, await knowsStorageNames(host));
      ok(dokku.storage.readUse(done(await host.run(dokku.storage.use(hostPath, 'root')))) !== null);
      done(await host.run(unmountFolder(app, hostPath, path)));
      deepEqual(await mounts(), []);
    },
  },
  {
    name: 'ports:set comes back from ports:list, and ports:clear leaves the detected ports',
    run: async ({ host, app }) => {
      const mapping = { scheme: 'http', hostPort: 80, containerPort: 5000 } as const;
      done(await host.run(dokku.ports.set(app, [mapping])));
      deepEqual(dokku.ports.readList(done(await host.run(dokku.ports.list(app)))), [mapping]);
      done(await host.run(dokku.ports.clear(app)));
      deepEqual(dokku.ports.readList(await host.run(dokku.ports.list(app))), []);
      ok(dokku.ports.readDetected(done(await host.run(dokku.ports.detected(app)))).length > 0);
    },
  },
  {
    name: 'checks:disable, checks:skip and checks:enable show in checks:report',
    run: async ({ host, app }) => {
      const [web, worker] = [dokku.processType('web'), dokku.processType('worker')];
      const modes = async () => {
        const found = dokku.checks.readReport(done(await host.run(dokku.checks.report(app))));
        return [dokku.checks.modeOf(found, 'web'), dokku.checks.modeOf(found, 'worker')];
      };
      deepEqual(await modes(), ['checked', 'checked']);
      done(await host.run(dokku.checks.disable(app, [web])));
      done(await host.run(dokku.checks.skip(app, [worker])));
      deepEqual(await modes(), ['disabled', 'skipped']);
      done(await host.run(dokku.checks.skip(app, [web])));
      deepEqual(await modes(), ['skipped', 'skipped']);
      done(await host.run(dokku.checks.enableAll(app)));
      deepEqual(await modes(), ['checked', 'checked']);
      done(await host.run(skipAllChecks(app)));
      const whole = dokku.checks.readReport(done(await host.run(dokku.checks.report(app))));
      ok(dokku.checks.namesAll(whole));
      deepEqual(await modes(), ['skipped', 'skipped']);
      done(await host.run(dokku.checks.enableAll(app)));
      deepEqual(await modes(), ['checked', 'checked']);
    },
  },
  {
    name: 'checks:set takes a time for old containers',
    run: async ({ host, app }) => {
      const seconds = async () =>
        dokku.checks.readReport(done(await host.run(dokku.checks.report(app)))).retireSeconds;
      done(await host.run(dokku.checks.setRetireSeconds(app, 5)));
      equal(await seconds(), 5);
      done(await host.run(dokku.checks.setRetireSeconds(app, 60)));
      equal(await seconds(), 60);
    },
  },
  {
    name: 'nginx:set shows in nginx:report, and is taken off again',
    run: async ({ host, app }) => {
      const values = async () => {
        const found = dokku.nginx.readReport(done(await host.run(dokku.nginx.report(app))));
        return siteFields.map((field) => found[field].set);
      };
      const none = siteFields.map(() => null);
      deepEqual(await values(), none);
      const wanted = ['50m', '5m', 'false', '300', 'false'];
      for (const [at, field] of siteFields.entries())
        done(await host.run(setNginx(app, siteProperties[field], wanted[at] ?? null)));
      deepEqual(await values(), wanted);
      for (const field of siteFields) done(await host.run(setNginx(app, siteProperties[field], null)));
      deepEqual(await values(), none);
    },
  },
  {
    name: 'without values of an app or of the server, nginx:report computes what the console says of Dokku’s own',
    run: async ({ host, app }) => {
      const text = done(await host.run(dokku.nginx.report(app))).stdout;
      const found = dokku.nginx.readReport({ exitCode: 0, stdout: text, stderr: '' });
      for (const field of siteFields) {
        const label = `Nginx computed ${siteProperties[field].replaceAll('-', ' ')}:`;
        const line = text.split('\n').find((each) => each.trim().startsWith(label));
        equal(line?.trim().slice(label.length).trim(), found[field].otherwise);
      }
    },
  },
  {
    name: 'proxy:report names the program that serves the domains',
    run: async ({ host, app }) => {
      const type = dokku.proxy.readType(done(await host.run(dokku.proxy.report(app))));
      ok(type !== null && type !== '');
    },
  },
  {
    name: 'ps:inspect has no answer before a deploy',
    run: async ({ host, app }) => equal((await host.run(dokku.ps.inspect(app))).exitCode, 1),
  },
  {
    name: 'git:set deploy-branch comes back from git:report',
    run: async ({ host, app }) => {
      done(await host.run(dokku.git.setDeployBranch(app, dokku.git.branchSchema.parse('main'))));
      const found = dokku.git.readReport(done(await host.run(dokku.git.report(app))));
      deepEqual([found.deployBranch, found.deployBranchSet], ['main', true]);
    },
  },
  {
    name: 'network:set decides for an app, which is undecided no longer',
    run: async ({ host, app }) => {
      const undecided = async () =>
        dokku.network.readUndecided(done(await host.run(dokku.network.listUndecided([app]))));
      deepEqual(await undecided(), [app]);
      done(await host.run(dokku.network.keepPrivate(app)));
      deepEqual(await undecided(), []);
    },
  },
  {
    name: 'letsencrypt:set takes an e-mail address',
    run: async ({ host, app, plugins }) => {
      const outcome = await host.run(dokku.letsencrypt.setEmail(app, 'live@example.com'));
      if (!plugins.has('letsencrypt')) {
        refused(outcome, 'command_unknown');
        skip('the host has no plugin letsencrypt');
      }
      done(outcome);
      equal(readEmail(done(await host.run(certificateReport(app)))), 'live@example.com');
    },
  },
];
