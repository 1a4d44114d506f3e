import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Command } from '../src/command.ts';
import * as dokku from '../src/index.ts';

const app = dokku.appName('hello');
const key = dokku.sshKeyName('alice');
const domain = dokku.domainName('www.example.com');
const branch = dokku.git.branchSchema.parse('main');
const own = dokku.git.ownRepository(app, '/home/dokku/hello');
const commit = dokku.git.commitSchema.parse('4585d292fb8870c69b84a8e04406a575fbf011a8');
const storage = dokku.storage.storageNameSchema.parse('hello-data');
const path = dokku.storage.containerPathSchema.parse('/app/storage');

const web = dokku.processType('web');
const task = dokku.cron.taskId('o272cwosgnl77npth4ku4gwr1jawzdjpsbbqi');

const words = dokku.run.commandWords(['sh', '-c', 'echo ahoy']);
const container = dokku.run.readStarted({ exitCode: 0, stdout: 'hello.run.26337\n', stderr: '' }, app);
if (container === null) throw new Error('The example names a container of the app.');

const database = dokku.serviceName('main-db');
const s3Address = {
  kind: 's3',
  endpoint: 'https://s3.example.com',
  region: 'eu',
  bucket: 'backups',
  prefix: '',
  keys: { accessKey: 'AKIA', secret: 'secret' },
} as const;
const schedule = {
  cron: '17 3 * * *',
  paused: false,
  keepCount: 7,
  keepDays: null,
  restoreTest: 'never',
  target: s3Address,
} as const;
const dump = dokku.dumps.dumpId('6f9619ff-8b86-4d01-b42d-00cf4fc964ff');

/** One example of each command that this room builds, by `noun.verb`. `writtenBuilders` lists the names that have to be here. */
const mark = dokku.enter.terminalMarkSchema.parse('0a'.repeat(9));

export const everyCommand: Readonly<Record<string, Command>> = {
  'acl.add': dokku.acl.add(app, key),
  'acl.remove': dokku.acl.remove(app, key),
  'acl.list': dokku.acl.list(app),
  'apps.create': dokku.apps.create(app),
  'apps.exists': dokku.apps.exists(app),
  'apps.list': dokku.apps.list(),
  'apps.report': dokku.apps.report(app),
  'apps.destroy': dokku.apps.destroy(app),
  'apps.urls': dokku.apps.urls(app),
  'bootstrap.fetchInstaller': dokku.bootstrap.fetchInstaller('/tmp/bootstrap.sh'),
  'bootstrap.runInstaller': dokku.bootstrap.runInstaller('/tmp/bootstrap.sh', domain, { isGlobal: true }),
  'builds.list': dokku.builds.list(app),
  'builds.output': dokku.builds.output(app, 'current'),
  'checks.report': dokku.checks.report(app),
  'checks.enableAll': dokku.checks.enableAll(app),
  'checks.disable': dokku.checks.disable(app, [web]),
  'checks.skip': dokku.checks.skip(app, [web]),
  'checks.setRetireSeconds': dokku.checks.setRetireSeconds(app, 60),
  'clock.readZone': dokku.clock.readZone(),
  'cron.list': dokku.cron.list(app),
  'cron.suspend': dokku.cron.suspend(app, task),
  'cron.resume': dokku.cron.resume(app, task),
  'cron.run': dokku.cron.run(app, task),
  'config.exportAll': dokku.config.exportAll(app),
  'config.importAll': dokku.config.importAll(app, new Map([[dokku.envKey('TOKEN'), 'secret']])),
  'config.unset': dokku.config.unset(app, [dokku.envKey('TOKEN')]),
  'detached.startDetached': dokku.detached.startDetached('/tmp/install', ['true']),
  'detached.readDetached': dokku.detached.readDetached('/tmp/install', 0),
  'defaultImages.listDefaultImages': dokku.defaultImages.listDefaultImages(),
  'domains.add': dokku.domains.add(app, domain),
  'domains.remove': dokku.domains.remove(app, domain),
  'domains.report': dokku.domains.report(app),
  'domains.globalReport': dokku.domains.globalReport(),
  'domains.setGlobal': dokku.domains.setGlobal(domain),
  'deployKeys.write': dokku.deployKeys.write(app, {
    ...{ host: 'github.com', port: 22, user: 'git', repository: 'alice/site' },
    hostKeys: [`ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${'A'.repeat(43)}`],
  }),
  'deployKeys.remove': dokku.deployKeys.remove(app),
  'dumps.list': dokku.dumps.list('postgres', database),
  'dumps.make': dokku.dumps.make('postgres', database, dump, 'made'),
  'dumps.read': dokku.dumps.read('postgres', database, dump),
  'dumps.write': dokku.dumps.write('postgres', database, dump, 5),
  'dumps.remove': dokku.dumps.remove('postgres', database, dump),
  'dumps.restore': dokku.dumps.restore('postgres', database, dump, dump),
  'run.attended': dokku.run.attended(app, words, 3_600),
  'run.inBackground': dokku.run.inBackground(app, words, 86_400),
  'run.shell': dokku.run.shell(app, 3_600, mark),
  'run.list': dokku.run.list(app),
  'run.output': dokku.run.output(container),
  'run.stop': dokku.run.stop(app, container),
  'sites.write': dokku.sites.write(app, [{ field: 'uploadLimit', to: '50m' }]),
  'schedules.read': dokku.schedules.read('postgres', database),
  'schedules.write': dokku.schedules.write('postgres', database, schedule),
  'schedules.remove': dokku.schedules.remove('postgres', database),
  'schedules.withdraw': dokku.schedules.withdraw(),
  'schedules.check': dokku.schedules.check('postgres', database, s3Address),
  'schedules.run': dokku.schedules.run('postgres', database),
  'dumps.test': dokku.dumps.test('postgres', database, dump, dump),
  'ending.inspectEnding': dokku.ending.inspectEnding('postgres', database),
  'firewall.status': dokku.firewall.status(),
  'leftContainers.remove': dokku.leftContainers.remove(app, [
    dokku.leftContainers.containerIdSchema.parse('ab'.repeat(32)),
  ]),
  'releases.goBack': dokku.releases.goBack(app, dokku.releases.releaseIdSchema.parse('0mf3kq2v9a1b2c')),
  'releases.remove': dokku.releases.remove(app, dokku.releases.releaseIdSchema.parse('0mf3kq2v9a1b2c')),
  'enter.shell': dokku.enter.shell(app, 'web.1', mark),
  'git.setDeployBranch': dokku.git.setDeployBranch(app, branch),
  'git.syncAndBuild': dokku.git.syncAndBuild(
    app,
    dokku.git.remoteSchema.parse('https://git.example.com/alice/site.git'),
    branch,
  ),
  'git.syncOwnAndBuild': dokku.git.syncOwnAndBuild(app, own, commit),
  'git.fromArchive': dokku.git.fromArchive(app),
  'git.report': dokku.git.report(app),
  'git.listFiles': dokku.git.listFiles(app, branch),
  'git.readFile': dokku.git.readFile(app, branch, 'README.md'),
  'homeport.state': dokku.homeport.state(app),
  'homeport.states': dokku.homeport.states(),
  'homeport.readme': dokku.homeport.readme(app),
  'ownChecks.ownChecks': dokku.ownChecks.ownChecks(app),
  'homeport.storage': dokku.homeport.storage(app),
  'homeport.databaseState': dokku.homeport.databaseState('postgres', database),
  'homeport.databaseStates': dokku.homeport.databaseStates(),
  'homeport.changeTimes': dokku.homeport.changeTimes(app),
  'leftReaders.endLeftReaders': dokku.leftReaders.endLeftReaders(),
  'leftReaders.removeLeftEnvironments': dokku.leftReaders.removeLeftEnvironments(),
  'leftovers.waitForLeftovers': dokku.leftovers.waitForLeftovers(app, 1),
  'letsencrypt.setEmail': dokku.letsencrypt.setEmail(app, 'ops@example.com'),
  'letsencrypt.enable': dokku.letsencrypt.enable(app),
  'letsencrypt.addCronJob': dokku.letsencrypt.addCronJob(),
  'nginx.report': dokku.nginx.report(app),
  'network.keepPrivate': dokku.network.keepPrivate(app),
  'network.listUndecided': dokku.network.listUndecided([app]),
  'logs.read': dokku.logs.read(app, { lines: 50, follow: false }),
  'placement.write': dokku.placement.write('/var/lib/dokku/plugins', { needsRoot: true }),
  'placement.check': dokku.placement.check('/var/lib/dokku/plugins', { needsRoot: true }),
  'placement.remove': dokku.placement.remove('/var/lib/dokku/plugins', { needsRoot: true }),
  'plugin.list': dokku.plugin.list(),
  'plugin.enable': dokku.plugin.enable('homeport'),
  'plugin.disable': dokku.plugin.disable('homeport'),
  'plugin.install': dokku.plugin.install(dokku.acl.pluginUrl, 'acl'),
  'ports.list': dokku.ports.list(app),
  'ports.detected': dokku.ports.detected(app),
  'ports.set': dokku.ports.set(app, [{ scheme: 'http', hostPort: 80, containerPort: 5000 }]),
  'ports.clear': dokku.ports.clear(app),
  'probe.version': dokku.probe.version(),
  'probe.probe': dokku.probe.probe(),
  'proxy.report': dokku.proxy.report(app),
  'ps.start': dokku.ps.start(app),
  'ps.stop': dokku.ps.stop(app),
  'ps.restart': dokku.ps.restart(app),
  'ps.restartType': dokku.ps.restartType(app, web),
  'ps.scale': dokku.ps.scale(app, new Map([[web, 2]]), { skipDeploy: false }),
  'ps.setRestartPolicy': dokku.ps.setRestartPolicy(app, 'always'),
  'ps.setStopSeconds': dokku.ps.setStopSeconds(app, 60),
  'ps.listScale': dokku.ps.listScale(app),
  'ps.rebuild': dokku.ps.rebuild(app),
  'ps.report': dokku.ps.report(app),
  'ps.reportFlag': dokku.ps.reportFlag(app, 'deployed'),
  'ps.inspect': dokku.ps.inspect(app),
  'resource.limit': dokku.resource.limit(app, { memoryMb: 256, cpus: 0.5 }),
  'resource.report': dokku.resource.report(app),
  'service.id': dokku.service.id('postgres', database),
  'service.create': dokku.service.create('postgres', database, { imageVersion: '18.4', memoryMb: 128 }),
  'service.exists': dokku.service.exists('postgres', database),
  'service.list': dokku.service.list('postgres'),
  'service.info': dokku.service.info('postgres', database),
  'service.dsn': dokku.service.dsn('postgres', database),
  'service.link': dokku.service.link('postgres', database, app),
  'service.unlink': dokku.service.unlink('postgres', database, app),
  'service.links': dokku.service.links('postgres', database),
  'service.promote': dokku.service.promote('postgres', database, app),
  'service.expose': dokku.service.expose('postgres', database, ['127.0.0.1:20432']),
  'service.unexpose': dokku.service.unexpose('postgres', database),
  'service.start': dokku.service.start('postgres', database),
  'service.pause': dokku.service.pause('postgres', database),
  'service.restart': dokku.service.restart('postgres', database),
  'service.destroy': dokku.service.destroy('postgres', database),
  'service.logs': dokku.service.logs('postgres', database, { lines: 200, follow: false }),
  'sockets.listening': dokku.sockets.listening(),
  'sockets.addresses': dokku.sockets.addresses(),
  'sockets.answers': dokku.sockets.answers('127.0.0.1', 20_432),
  'sshKeys.add': dokku.sshKeys.add(key, 'ssh-ed25519 AAAA alice'),
  'sshKeys.remove': dokku.sshKeys.remove(key),
  'sshKeys.list': dokku.sshKeys.list(),
  'storage.create': dokku.storage.create(storage, 'herokuish'),
  'storage.mount': dokku.storage.mount(app, storage, path),
  'storage.ensureFolder': dokku.storage.ensureFolder(storage, 'herokuish'),
  'storage.mountFolder': dokku.storage.mountFolder(app, dokku.storage.folderOf(storage), path),
  'storage.list': dokku.storage.list(app),
  'storage.destroyEntry': dokku.storage.destroyEntry(storage),
  'storageFolder.removeFolder': dokku.storageFolder.removeFolder(storage),
  'storage.use': dokku.storage.use('/var/lib/dokku/data/storage/hello-data', 'anyone'),
};

/** `noun.verb` of each exported function of this room that returns a command by its declared type. */
export function writtenBuilders(): string[] {
  const folder = new URL('../src/', import.meta.url);
  const files = readdirSync(folder, { encoding: 'utf8', recursive: true }).filter(
    (file) => /(^|\/)[a-z-]+\.ts$/.test(file) && file !== 'command.ts',
  );
  return files.flatMap((file) => {
    const noun = basename(file, '.ts').replaceAll(/-(.)/g, (_all, letter: string) => letter.toUpperCase());
    const text = readFileSync(new URL(file, folder), 'utf8');
    const built = /^export function (\w+)\((?:(?!^export )[\s\S])*?\): Command \{/gm;
    return [...text.matchAll(built)].map((found) => `${noun}.${found[1]}`);
  });
}

/** The name of a command: the Dokku word (`ps:report`), or the program. */
export function nameOf(command: Command): string {
  const [first = ''] = command.words;
  if (command.program === 'host') return first;
  return command.words.find((word) => !word.startsWith('--')) ?? '';
}
