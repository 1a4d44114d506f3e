import { deepEqual, equal, ok } from 'node:assert/strict';
import * as dokku from '../src/index.ts';
import { done, type LiveCheck, type LiveStage } from './check.ts';
import { reportPorts } from './live-commands.ts';

/**
 * Homeport's own plugin beside Dokku's reports, field by field. A host that was not linked has no plugin: there it is recognised
 * as absent, and nothing is compared. The app was deployed by the checks before.
 */
export const pluginChecks: readonly LiveCheck[] = [
  {
    name: 'homeport:state agrees with the reports of Dokku, or is recognised as absent',
    run: async (stage) => {
      const { host, app, plugins } = stage;
      const ran = await host.run(dokku.homeport.state(app));
      if (!plugins.has(dokku.pluginFiles.name)) return ok(dokku.homeport.isAbsent(ran), ran.stderr);
      const told = dokku.homeport.readState(done(ran));
      ok(told !== null, 'the answer holds no app');
      await compare(stage, told);
    },
  },
  {
    name: 'homeport:states holds the app as homeport:state tells it',
    run: async ({ host, app, plugins }) => {
      const ran = await host.run(dokku.homeport.states());
      if (!plugins.has(dokku.pluginFiles.name)) return ok(dokku.homeport.isAbsent(ran), ran.stderr);
      const found = (await dokku.homeport.readStates(done(ran))).find(({ name }) => name === app);
      const alone = dokku.homeport.readState(done(await host.run(dokku.homeport.state(app))));
      const inBoth = { builds: null, readme: undefined };
      deepEqual({ ...found, ...inBoth }, { ...alone, ...inBoth });
    },
  },
  {
    name: 'homeport:readme and homeport:storage answer',
    run: async ({ host, app, plugins }) => {
      const readme = await host.run(dokku.homeport.readme(app));
      const storage = await host.run(dokku.homeport.storage(app));
      if (!plugins.has(dokku.pluginFiles.name))
        return ok(dokku.homeport.isAbsent(readme) && dokku.homeport.isAbsent(storage));
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
    run: async ({ host, app, plugins }) => {
      const gitHost = {
        ...{ host: 'git.example.invalid', port: 22, user: 'git', repository: 'alice/site' },
        hostKeys: [`ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${'A'.repeat(43)}`],
      };
      const write = () => host.run(dokku.deployKeys.write(app, gitHost));
      const made = await write();
      if (!plugins.has(dokku.pluginFiles.name)) return ok(dokku.homeport.isAbsent(made), made.stderr);
      try {
        const key = dokku.deployKeys.readWritten(done(made), app);
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
    run: async ({ host, app, plugins }) => {
      const { name } = dokku.pluginFiles;
      if (!plugins.has(name)) return;
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
      ok(before !== null);
      equal(await times(), before);
      done(await host.run(dokku.ps.stop(app)));
      ok((await times()) !== before);
      equal(dokku.ps.readFlag(done(await host.run(dokku.ps.reportFlag(app, 'restore')))), false);
      done(await host.run(dokku.ps.start(app)));
    },
  },
];

async function compare({ host, app }: LiveStage, told: dokku.homeport.ToldApp): Promise<void> {
  const ask = async (command: dokku.Command) => done(await host.run(command));
  deepEqual(told.processes, dokku.ps.readReport(await ask(dokku.ps.report(app))));
  deepEqual(told.containers, dokku.ps.readInspect(await ask(dokku.ps.inspect(app))));
  deepEqual(told.builds, dokku.builds.readList(await ask(dokku.builds.list(app))));
  deepEqual(told.domains, dokku.domains.readReport(await ask(dokku.domains.report(app))).domains);
  deepEqual(told.addresses, dokku.apps.readUrls(await ask(dokku.apps.urls(app))));
  deepEqual(told.limits, dokku.resource.readReport(await ask(dokku.resource.report(app))));
  deepEqual(told.git, dokku.git.readReport(await ask(dokku.git.report(app))));
  deepEqual(told.mounts, dokku.storage.readList(await ask(dokku.storage.list(app))));
  equal(told.proxy, dokku.proxy.readType(await ask(dokku.proxy.report(app))));
  const ports = told.ports.map((port) => `${port.scheme}:${port.hostPort}:${port.containerPort}`);
  const { set, detected } = reportPorts.read(await ask(reportPorts.command(app)));
  equal(ports.join(' '), set || detected);
  const { locked: _locked, ...report } = dokku.apps.readReport(await ask(dokku.apps.report(app)));
  const { createdAt, deploySource, deploySourceMetadata } = told;
  deepEqual({ createdAt, deploySource, deploySourceMetadata }, report);
}
