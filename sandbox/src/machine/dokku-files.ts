import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { buildsOf } from './builds.ts';
import type { Call } from './call.ts';
import { variablesFile } from './env-file.ts';
import { writeText } from './files.ts';
import { detectedPorts, frontPort } from './routes.ts';
import { writeSite } from './site.ts';
import type { App } from './state.ts';

/** Dokku's own folders: `home` is `/home/dokku` (DOKKU_ROOT), `lib` is `/var/lib/dokku` (DOKKU_LIB_ROOT). */
export type DokkuFolders = { home: string; lib: string };

/**
 * Writes the sandbox's state as the files in which Dokku keeps it, for a plugin to read, and removes them after `use`. Each call
 * has folders of its own, so calls at the same time do not meet.
 */
export async function withDokkuFiles<T>(
  call: Call,
  use: (folders: DokkuFolders) => T | Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(call.state.paths.root, 'dokku-files-'));
  const folders = { home: join(folder, 'home'), lib: join(folder, 'lib') };
  try {
    writeServer(call, folders);
    for (const name of call.state.appNames()) {
      const app = call.state.app(name);
      if (app) writeApp(call, folders, app);
    }
    return await use(folders);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeServer(call: Call, { home, lib }: DokkuFolders): void {
  const { globalDomains, storage } = call.state.settings();
  mkdirSync(home, { recursive: true });
  writeText(join(home, 'VHOST'), linesOf(globalDomains));
  // Services are kept as their plugins keep them.
  mkdirSync(lib, { recursive: true });
  symlinkSync(call.state.paths.services, join(lib, 'services'));
  // A plugin's own data outlive the call.
  const { pluginData } = call.state.paths;
  for (const folder of [pluginData, join(lib, 'data')]) mkdirSync(folder, { recursive: true });
  symlinkSync(pluginData, join(lib, 'data/homeport'));
  mkdirSync(call.state.paths.ssh, { recursive: true, mode: 0o700 });
  symlinkSync(call.state.paths.ssh, join(home, '.ssh'));
  const core = join(lib, 'core-plugins/available');
  writeText(join(core, 'common/functions'), commonFunctions(call.state.paths.program));
  writeText(join(core, 'nginx-vhosts/functions'), nginxFunctions);
  if (!call.knows('0.38.0')) return;
  mkdirSync(join(core, 'builds'), { recursive: true });
  mkdirSync(join(lib, 'data/storage-registry/entries'), { recursive: true });
  for (const { name, hostPath } of storage) {
    const entry = { name, scheduler: 'docker-local', host_path: hostPath ?? folderOf(name) };
    writeText(join(lib, `data/storage-registry/entries/${name}.json`), `${JSON.stringify(entry, null, 2)}\n`);
  }
}

/** The functions of Dokku's plugin `common` that a plugin calls. */
const commonFunctions = (program: string) => `dokku_log_info1() { echo "-----> $*"; }
dokku_log_info2() { echo "=====> $*"; }
dokku_log_warn() { echo " !     $*" >&2; }
dokku_log_fail() { dokku_log_warn "$@"; exit 1; }
common() { ${JSON.stringify(process.execPath)} ${JSON.stringify(program)} common "$@"; }
dokku_setup_build_capture() {
  read -r DOKKU_BUILD_ID DOKKU_BUILD_LOG_FILE < <(common begin "$1" $$ "$2")
  DOKKU_BUILD_SOURCE=$2
  export DOKKU_BUILD_ID DOKKU_BUILD_SOURCE
  exec &> >(tee -a "$DOKKU_BUILD_LOG_FILE")
}
acquire_app_deploy_lock() {
  local lock
  lock=$(common lock "$1" $$) || exit 1
  mkdir -p "$DOKKU_LIB_ROOT/data/apps/$1"
  ln -sfn "$lock" "$DOKKU_LIB_ROOT/data/apps/$1/.deploy.lock"
  exec 200<"$lock"
}
release_advisory_lock() { rm -f "$(readlink "$1")"; }
release_app_deploy_lock() { common unlock "$1" "$DOKKU_BUILD_ID" "$2"; }
cmd-deploy() { common deploy "$1"; }
`;

/** The function with which Dokku’s own builds of nginx’s configuration end. It reads the app from a variable. */
const nginxFunctions = `restart_nginx() { common reload "$APP"; }
`;

const folderOf = (storage: string) => `/var/lib/dokku/data/storage/${storage}`;

function writeApp(call: Call, { home, lib }: DokkuFolders, app: App): void {
  const root = join(home, app.name);
  mkdirSync(root, { recursive: true });
  writeText(join(root, 'VHOST'), linesOf(app.vhosts));
  const variables = { ...app.config, ...olderVariables(call, app), NO_VHOST: app.vhostsEnabled ? '0' : '1' };
  const env = call.knows('0.38.0') ? join(lib, 'config', app.name, 'ENV') : join(root, 'ENV');
  writeText(env, variablesFile(call, variables), 0o600);
  for (const [process, id] of Object.entries({ ...app.stale, ...app.containers }))
    writeText(join(root, `CONTAINER.${process}`), id);
  if (app.procfile !== undefined) writeText(join(lib, 'data/ps', app.name, 'Procfile'), app.procfile);
  if (app.manifest !== undefined) writeText(join(lib, 'data/app-json', app.name, 'app.json'), app.manifest);
  if (app.checksFile !== undefined)
    writeText(join(lib, 'data/scheduler-docker-local', app.name, 'CHECKS'), app.checksFile);
  if (app.template !== undefined)
    writeText(join(lib, 'data/nginx-vhosts', `app-${app.name}`, 'nginx.conf.sigil'), app.template);
  writeSite(app, home);
  if (app.certificate.expiresAtSeconds !== null)
    for (const file of ['server.crt', 'server.key']) writeText(join(root, 'tls', file), '');
  if (app.deployedAtSeconds !== null) {
    const head = join(root, 'refs/heads', app.deployBranch || 'master');
    writeText(head, '');
    utimesSync(head, app.deployedAtSeconds, app.deployedAtSeconds);
  }
  for (const [key, value] of Object.entries(propertiesOf(call, app))) {
    if (value !== '') writeText(join(lib, 'config', key.replace(' ', `/${app.name}/`)), value);
  }
  if (!call.knows('0.38.0')) return;
  for (const { pidTicks: _ticks, ...record } of buildsOf(call.state.paths, app.name))
    writeText(join(lib, `data/builds/${app.name}/${record.id}.json`), JSON.stringify(record, null, 2));
}

/** What Dokku before 0.38 keeps among the app's variables, and a later one as properties. */
function olderVariables(call: Call, app: App): Record<string, string> {
  return call.knows('0.38.0') ? {} : { DOKKU_APP_RESTORE: app.stopped ? '0' : '1' };
}

/** By plugin and key. An empty value is not set. */
function propertiesOf(call: Call, app: App): Record<string, string> {
  const limits = Object.entries(app.limits).map(([key, value]) => [`resource ${key}`, value]);
  return {
    'apps created-at': `${app.createdAtSeconds}\n`,
    'apps deploy-source': app.deploySource,
    'apps deploy-source-metadata': app.deploySourceMetadata,
    'common deployed': String(app.deployedAtSeconds !== null),
    'git deploy-branch': app.deployBranch,
    'ports map': linesOf(portsOf(call, app)),
    'ports map-detected': linesOf(detectedPorts(call.state, app)),
    'ps can-scale': String(app.formation !== true),
    'ps restart-policy': app.restartPolicy ?? '',
    'ps scale': linesOf(Object.entries(app.scale).map(([type, quantity]) => `${type}=${quantity}`)),
    'ps stop-timeout-seconds': app.stopSeconds ?? '',
    'ps restore': call.knows('0.38.0') ? String(!app.stopped) : '',
    'scheduler selected': app.scheduler ?? '',
    'storage mounts': call.knows('0.38.0') ? linesOf(app.mounts.map(attachmentOf)) : '',
    ...Object.fromEntries(limits),
    ...Object.fromEntries(Object.entries(app.nginx ?? {}).map(([key, value]) => [`nginx ${key}`, value])),
  };
}

/** As `urls` has it: the front stands for port 80, and port 443 is beside it where there is a certificate. */
function portsOf(call: Call, app: App): string[] {
  const front = frontPort(call.state);
  const set = app.ports.map((mapping) => mapping.replace(/^http:80:/, `http:${front}:`));
  if (set.length > 0 || app.certificate.expiresAtSeconds === null) return set;
  return [...detectedPorts(call.state, app), 'https:443:5000'];
}

const attachmentOf = ({ name, containerPath }: App['mounts'][number]) =>
  JSON.stringify({ entry_name: name, container_path: containerPath, phases: ['deploy', 'run'] });

const linesOf = (words: readonly string[]) => words.map((word) => `${word}\n`).join('');
