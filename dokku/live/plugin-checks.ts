import { deepEqual, equal, ok } from 'node:assert/strict';
import * as dokku from '../src/index.ts';
import { done, type LiveCheck, type LiveStage } from './check.ts';
import { reportPorts, setNginx, validateNginx } from './live-commands.ts';
import { isAtLeast, needPlugin } from './own-plugin.ts';
import { project } from './project.ts';
import { skip } from './skip.ts';

/** Homeport's own plugin beside Dokku's reports, field by field. The app was deployed by the checks before. */
export const pluginChecks: readonly LiveCheck[] = [
  {
    name: 'homeport:state agrees with the reports of Dokku',
    run: async (stage) => {
      needPlugin(stage);
      const told = dokku.homeport.readState(done(await stage.host.run(dokku.homeport.state(stage.app))));
      ok(told !== null, 'the answer holds no app');
      await compare(stage, told);
    },
  },
  {
    name: 'homeport:states holds the app as homeport:state tells it',
    run: async (stage) => {
      const { host, app } = needPlugin(stage);
      const ran = done(await host.run(dokku.homeport.states()));
      const found = (await dokku.homeport.readStates(ran)).find(({ name }) => name === app);
      const alone = dokku.homeport.readState(done(await host.run(dokku.homeport.state(app))));
      const inBoth = {
        ...{ builds: null, readme: undefined, listed: null, commits: [], processTypes: null },
        releases: null,
      };
      deepEqual({ ...found, ...inBoth }, { ...alone, ...inBoth });
    },
  },
  {
    name: 'the commit of a deploy is noted',
    run: async (stage) => {
      const { host, app } = needPlugin(stage);
      if (!(await isAtLeast(host, '0.38.0'))) skip('Dokku before 0.38 keeps no records of deploys');
      done(await host.run(dokku.ps.rebuild(app)));
      const told = dokku.homeport.readState(done(await host.run(dokku.homeport.state(app))));
      const noted = told?.commits.find(({ build }) => build === told.builds?.[0]?.id);
      ok(noted !== undefined && noted.title !== '', 'the newest deploy names no commit');
    },
  },
  {
    name: 'homeport:rollback lets a kept version serve and goes forward again, and homeport:release-delete removes one',
    run: async (stage) => {
      const { host, app } = needPlugin(stage);
      if (!(await isAtLeast(host, '0.38.0'))) skip('Dokku before 0.38 keeps no records of deploys');
      const now = async () =>
        dokku.homeport.readState(done(await host.run(dokku.homeport.state(app))))?.releases;
      const first = (await now())?.serving;
      if (!first) skip('the server keeps nothing: its disk has less than 5 GB free');
      done(await host.push(app, { ...project, 'release.txt': 'second\n' }));
      const second = (await now())?.serving;
      ok(second && second !== first, 'the second version is not kept');
      for (const release of [first, second]) {
        done(await host.run(dokku.releases.goBack(app, release)));
        const { kept, serving, cutOff, branch } = (await now()) ?? {};
        deepEqual([serving, cutOff], [release, null]);
        equal(kept?.find(({ id }) => id === release)?.commit, branch);
      }
      done(await host.run(dokku.releases.remove(app, first)));
      ok(!(await now())?.kept.some(({ id }) => id === first), 'the version is still kept');
    },
  },
  {
    name: 'homeport:checks tells the checks of the app.json that was deployed last, and Dokku runs those of the type startup alone',
    run: async (stage) => {
      const { host, app } = needPlugin(stage);
      if (!(await isAtLeast(host, '0.38.0'))) skip('Dokku before 0.38 may keep no app.json');
      const check = { type: 'startup', name: 'stays up', uptime: 3 };
      const other = { type: 'liveness', name: 'lives', path: '/no-such-page' };
      const manifest = `{"healthchecks": {"web": [${JSON.stringify(check)}, ${JSON.stringify(other)}]}}`;
      const pushed = done(await host.push(app, { ...project, 'app.json': manifest }));
      const answer = done(await host.run(dokku.ownChecks.ownChecks(app)));
      const told = dokku.ownChecks.readOwnChecks(answer, app);
      deepEqual(
        told.checks.get('web')?.own.map(({ name, use }) => [name, use]),
        [
          ['stays up', 'runs'],
          ['lives', 'otherType'],
        ],
      );
      const log = `${pushed.stdout}${pushed.stderr}`;
      ok(log.includes("name='stays up'"), 'the check of the type startup did not run');
      ok(!log.includes("name='lives'"), 'a check of another type ran');
      done(await host.push(app, project));
    },
  },
  {
    name: 'homeport:site-write sets values that nginx takes, and puts all back where a value that was never built breaks the site',
    run: async (stage) => {
      const { host, app } = needPlugin(stage);
      const values = async () => dokku.nginx.readReport(done(await host.run(dokku.nginx.report(app))));
      for (const [size, time] of [
        ['0', '1000ms'],
        ['100g', '24h'],
        ['107374182400', '86400s'],
        ['50m', '5m'],
      ] as const) {
        const changes = [
          { field: 'uploadLimit', to: size },
          { field: 'answerTimeout', to: time },
        ] as const;
        done(await host.run(dokku.sites.write(app, changes)));
      }
      done(await host.run(setNginx(app, 'send-timeout', 'long')));
      const refused = await host.run(dokku.sites.write(app, [{ field: 'uploadLimit', to: '60m' }]));
      equal(refused.exitCode, dokku.sites.endings.putBack);
      ok(dokku.nginx.readRefusal(refused) !== null, 'nginx says no reason');
      equal((await values()).uploadLimit.set, '50m');
      done(await host.run(validateNginx()));
      done(await host.run(setNginx(app, 'send-timeout', null)));
      const off = [
        { field: 'uploadLimit', to: null },
        { field: 'answerTimeout', to: null },
      ] as const;
      done(await host.run(dokku.sites.write(app, off)));
      equal((await values()).uploadLimit.set, null);
    },
  },
  {
    name: 'homeport:readme and homeport:storage answer',
    run: async (stage) => {
      const { host, app } = needPlugin(stage);
      const readme = await host.run(dokku.homeport.readme(app));
      const storage = await host.run(dokku.homeport.storage(app));
      dokku.homeport.readReadme(done(readme), app);
      const listed = dokku.storage.readList(done(await host.run(dokku.storage.list(app))));
      const measured = dokku.homeport.readStorage(done(storage), app) ?? [];
      deepEqual(
        measured.map(({ usedBytes: _bytes, ...mount }) => mount),
        listed,
      );
    },
  },
  {
    name: 'the server makes a deploy key, keeps it while it is asked for, and removes it',
    run: async (stage) => {
      const { host, app } = needPlugin(stage);
      const gitHost = {
        ...{ host: 'git.example.invalid', port: 22, user: 'git', repository: 'alice/site' },
        hostKeys: [`ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${'A'.repeat(43)}`],
      };
      const write = () => host.run(dokku.deployKeys.write(app, gitHost));
      const made = done(await write());
      try {
        const key = dokku.deployKeys.readWritten(made, app);
        equal(dokku.deployKeys.readWritten(done(await write()), app), key);
      } finally {
        const removed = done(await host.run(dokku.deployKeys.remove(app)));
        ok(dokku.deployKeys.readRemoved(removed));
      }
      ok(!dokku.deployKeys.readRemoved(done(await host.run(dokku.deployKeys.remove(app)))));
    },
  },
  {
    name: 'a disabled plugin is recognised as absent',
    run: async (stage) => {
      const { host, app } = needPlugin(stage);
      const { name } = dokku.pluginFiles;
      done(await host.run(dokku.plugin.disable(name)));
      try {
        ok(dokku.homeport.isAbsent(await host.run(dokku.homeport.state(app))));
      } finally {
        done(await host.run(dokku.plugin.enable(name)));
      }
    },
  },
  {
    name: 'the times of Dokku’s files can be read without root, and a stop shows in them',
    run: async ({ host, app }) => {
      const times = async () =>
        dokku.homeport.readChangeTimes(await host.run(dokku.homeport.changeTimes(app)));
      const before = await times();
      if (!(await isAtLeast(host, '0.38.0'))) {
        equal(before, null);
        skip('Dokku before 0.38 keeps no records of deploys');
      }
      ok(before !== null);
      equal(await times(), before);
      done(await host.run(dokku.ps.stop(app)));
      ok((await times()) !== before);
      equal(dokku.ps.readFlag(done(await host.run(dokku.ps.reportFlag(app, 'restore')))), false);
      done(await host.run(dokku.ps.start(app)));
    },
  },
];

async function compare({ host, app }: LiveStage, told: dokku.homeport.ReportedApp): Promise<void> {
  const ask = async (command: dokku.Command) => done(await host.run(command));
  deepEqual(told.processes, dokku.ps.readReport(await ask(dokku.ps.report(app))));
  deepEqual(told.containers, dokku.ps.readInspect(await ask(dokku.ps.inspect(app))));
  // Dokku before 0.38 keeps no records of deploys, and mounts elsewhere.
  if (await isAtLeast(host, '0.38.0'))
    deepEqual(told.builds, dokku.builds.readList(await ask(dokku.builds.list(app))));
  deepEqual(told.domains, dokku.domains.readReport(await ask(dokku.domains.report(app))).domains);
  deepEqual(told.addresses, dokku.apps.readUrls(await ask(dokku.apps.urls(app))));
  deepEqual(told.limits, dokku.resource.readReport(await ask(dokku.resource.report(app))));
  const types = told.processTypes?.types ?? [];
  const scale = dokku.ps.readScale(await ask(dokku.ps.listScale(app)));
  deepEqual(new Map(types.map(({ type, quantity }) => [type, quantity])), scale);
  equal(types.find(({ type }) => type === 'web')?.command, 'sh serve.sh');
  equal(told.processTypes?.scalable, dokku.ps.readFlag(await ask(dokku.ps.reportFlag(app, 'ps-can-scale'))));
  for (const [, sha] of told.revisions) equal(sha, told.deploySourceMetadata);
  // The proxy alone reaches an app that publishes nothing.
  deepEqual(told.listed, { published: [], upcoming: [] });
  deepEqual(told.git, dokku.git.readReport(await ask(dokku.git.report(app))));
  if (await isAtLeast(host, '0.38.0'))
    deepEqual(told.mounts, dokku.storage.readList(await ask(dokku.storage.list(app))));
  const { ownTemplate, ...values } = told.site ?? { ownTemplate: null };
  deepEqual(values, dokku.nginx.readReport(await ask(dokku.nginx.report(app))));
  equal(ownTemplate, false);
  equal(told.proxy, dokku.proxy.readType(await ask(dokku.proxy.report(app))));
  const ports = told.ports.map((port) => `${port.scheme}:${port.hostPort}:${port.containerPort}`);
  const { set, detected } = reportPorts.read(await ask(reportPorts.command(app)));
  equal(ports.join(' '), set || detected);
  const {
    locked: _locked,
    folder: _folder,
    ...report
  } = dokku.apps.readReport(await ask(dokku.apps.report(app)));
  const { createdAt, deploySource, deploySourceMetadata } = told;
  deepEqual({ createdAt, deploySource, deploySourceMetadata }, report);
}
