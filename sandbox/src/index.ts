import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { DatabaseTypeName } from '@homeport/contract/databases/types/database-types';
import { buildProgram } from './build.ts';
import { allContainers, stateOf, stopContainer, until } from './machine/containers.ts';
import { readState, readText, writeState, writeText } from './machine/files.ts';
import { endKept } from './machine/keep.ts';
import { pathsOf } from './machine/paths.ts';
import { isAlive, signal } from './machine/processes.ts';
import { beginCounting, readStarts, type Start } from './machine/starts.ts';
import { freshSettings } from './machine/state.ts';
import { programFolders } from './program-folders.ts';
import { servicesAtBoot } from './services/boot.ts';
import { writeDockerfile } from './services/dockerfile.ts';
import { knownPlugins } from './services/known-plugins.ts';
import { askFront, installer, standIns } from './stand-ins.ts';

export type SandboxOptions = {
  /** An absolute path. The folder is made if it is missing. Files of an earlier run stay, so apps survive. */
  readonly root: string;
  /** False makes a host without `dokku` until the installer ran. Default true. */
  readonly installed?: boolean;
  /** Multiplies the waiting times of the real Dokku. 0 (default) waits for nothing. */
  readonly pace?: number;
  /** The port on 127.0.0.1 where the apps answer. 0 (default) takes a free port. */
  readonly frontPort?: number;
  /** The plugins that are installed from the start. Default acl, letsencrypt, postgres and redis. */
  readonly plugins?: readonly PluginName[];
  /**
   * `real`: new services of PostgreSQL and Redis run the servers that Debian has, where this machine has them and an account that may
   * run them reaches the folder. Default `stand-in`: a file stands for the data of each service.
   */
  readonly databases?: 'real' | 'stand-in';
  /** Default: inactive. */
  readonly firewall?: 'inactive' | 'active' | 'not_installed';
  /** The version of Dokku, from 0.35.0 on. An older version lacks later features. Default: the newest, which the installer also installs. */
  readonly dokkuVersion?: string;
  /** The account to which `git push` goes. Default: the user who runs this. */
  readonly gitUser?: string;
  /** Counts the starts of Dokku, each with the processor time that it takes a real server. Default false. */
  readonly counted?: boolean;
  /** The built program. By default it is built here when it is missing or old, which needs the source and rolldown. */
  readonly program?: string;
};

export type PluginName = 'acl' | 'letsencrypt' | DatabaseTypeName;

/**
 * A fault makes a part of the sandbox fail while it is set. `pull`: no image of a service can be fetched. `service`: the
 * container of a new service ends again and again. `ambassador`: so does the one that leads exposed ports to a service, as on
 * Docker 29. `export`: an export ends in its middle.
 */
export type Fault =
  | 'dpkg-lock'
  | 'unsupported-os'
  | 'hostname'
  | 'download'
  | 'certificate'
  | 'sudo'
  | 'pull'
  | 'service'
  | 'ambassador'
  | 'export'
  | 'crontab';

export type SandboxHost = {
  readonly root: string;
  /** PATH with the stand-ins in front. */
  readonly path: string;
  /** The variables of every session on the host: PATH, DOKKU_SANDBOX_ROOT and DOKKU_SANDBOX_GIT_USER. */
  readonly env: Readonly<Record<string, string>>;
  /** The keys of `dokku@`, each with its forced command. `ssh-keys:add` writes this file. */
  readonly authorizedKeysFile: string;
  /** Lines for the top of an sshd_config. They set `env` in every session. */
  readonly sshdLines: readonly string[];
  /** A line of authorized_keys with the forced command for one key. The key reaches git and Dokku, and no shell. */
  authorizedKeysLine(name: string, publicKey: string): string;
  /** Apps answer at `http://<domain>:<frontPort>/`; send the domain as Host to 127.0.0.1. */
  readonly frontPort: number;
  setFault(fault: Fault, on: boolean): void;
  /** The commands of Dokku that start the databases that ran before this machine went down, as Docker does when it boots. */
  servicesAtBoot(): (readonly [command: string, name: string])[];
  /** The starts of Dokku so far, if the sandbox counts them. */
  starts(): Start[];
  /** Ends every process that the sandbox started; the folder stays. */
  dispose(): Promise<void>;
};

const activeFirewall = `Status: active

To                         Action      From
--                         ------      ----
22/tcp                     LIMIT       Anywhere                  
80,443/tcp                 ALLOW       Anywhere                  
22/tcp (v6)                LIMIT       Anywhere (v6)             
80,443/tcp (v6)            ALLOW       Anywhere (v6)             
`;

/** Makes a Dokku host of a folder. It isolates nothing: pushed programs run as the user who runs the sandbox. */
export async function prepareSandboxHost(options: SandboxOptions): Promise<SandboxHost> {
  const paths = pathsOf(options.root);
  const pace = options.pace ?? 0;
  for (const folder of [
    paths.bin,
    paths.apps,
    paths.containers,
    paths.allBuilds,
    join(paths.plugins, 'available'),
    join(paths.plugins, 'enabled'),
    join(paths.root, 'faults'),
    join(paths.root, 'home'),
    paths.services,
    join(paths.root, 'lib/data/storage'),
  ]) {
    mkdirSync(folder, { recursive: true });
  }
  copyFileSync(options.program ?? (await buildProgram()), paths.program);
  const { dokku = '', ...others } = standIns(paths.root);
  for (const [name, text] of Object.entries(others)) writeText(join(paths.bin, name), text, 0o755);
  writeText(join(paths.root, 'ask-front.pl'), askFront);
  writeText(join(paths.root, 'dokku.stand-in'), dokku, 0o755);
  if (options.installed ?? true) writeText(join(paths.bin, 'dokku'), dokku, 0o755);
  writeText(join(paths.root, 'bootstrap.sh'), installer(paths.root, pace), 0o755);
  if (readText(paths.keys) === undefined) writeText(paths.keys, '', 0o600);
  for (const { name } of pluginsOf(options)) writeDockerfile(paths, name, options.databases === 'real');
  const earlier = readState<object>(paths.settings);
  writeState(paths.settings, {
    ...freshSettings,
    plugins: pluginsOf(options),
    realDatabases: options.databases === 'real',
    ...earlier,
    pace,
  });
  if (options.dokkuVersion !== undefined) writeText(paths.version, `${options.dokkuVersion}\n`);
  if (options.counted) beginCounting(paths);
  const firewall = options.firewall ?? 'inactive';
  if (firewall === 'not_installed') rmSync(join(paths.root, 'ufw'), { force: true });
  else writeText(join(paths.root, 'ufw'), firewall === 'active' ? activeFirewall : '');
  const frontPort = await startFront(paths.root, options.frontPort ?? 0);
  const env = {
    PATH: [paths.bin, ...programFolders(paths.root)].join(':'),
    DOKKU_SANDBOX_ROOT: paths.root,
    // Dokku’s own variable for /var/lib/dokku.
    DOKKU_LIB_ROOT: join(paths.root, 'lib'),
    DOKKU_SANDBOX_GIT_USER: options.gitUser ?? userInfo().username,
  };
  const setEnv = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return {
    root: paths.root,
    path: env.PATH,
    env,
    authorizedKeysFile: paths.keys,
    // sshd_config(5) takes only the first SetEnv, so all variables stand on one line. With SHLVL, bash does not read ~/.bashrc for each
    // command: on a developer's machine that file may start fifty programs.
    sshdLines: [`SetEnv SHLVL=2 ${setEnv.join(' ')}`],
    authorizedKeysLine: (name, publicKey) =>
      `command="${join(paths.bin, 'dokku-key')} ${name}",no-agent-forwarding,no-user-rc,no-X11-forwarding,no-port-forwarding ${publicKey.trim()}\n`,
    frontPort,
    servicesAtBoot: () => servicesAtBoot(paths),
    starts: () => readStarts(paths),
    setFault: (fault, on) => {
      if (on) writeText(paths.fault(fault), '');
      else rmSync(paths.fault(fault), { force: true });
    },
    dispose: () => dispose(paths.root),
  };
}

function pluginsOf({ plugins, installed }: SandboxOptions) {
  const usual: readonly PluginName[] = installed === false ? [] : ['acl', 'letsencrypt', 'postgres', 'redis'];
  const names: readonly string[] = plugins ?? usual;
  return knownPlugins.filter(({ name }) => names.includes(name));
}

/** The front listens or ends. A busy machine takes long to start it. */
const startWithinMs = 60_000;

type Front = { port: number; pid: number; ticks: string | null };

async function startFront(root: string, port: number): Promise<number> {
  const paths = pathsOf(root);
  const earlier = readState<Front>(paths.front);
  if (earlier && isAlive(earlier.pid, earlier.ticks)) return earlier.port;
  rmSync(paths.front, { force: true });
  const child = spawn(process.execPath, [paths.program, 'front', String(port)], {
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, DOKKU_SANDBOX_ROOT: root },
  });
  child.unref();
  await until(() => readState<Front>(paths.front) !== undefined || child.exitCode !== null, startWithinMs);
  const front = readState<Front>(paths.front);
  if (!front) throw new Error(`The sandbox could not listen on port ${port}: it is taken.`);
  return front.port;
}

async function dispose(root: string): Promise<void> {
  const paths = pathsOf(root);
  const containers = readdirSync(paths.containers).length > 0 ? allContainers(paths) : [];
  const running = containers.filter((container) => stateOf(paths, container.id)?.status !== 'exited');
  await Promise.all(running.map((container) => stopContainer(paths, container.id, 3_000)));
  await endKept(paths);
  const front = readState<Front>(paths.front);
  if (!front || !isAlive(front.pid, front.ticks)) return;
  signal(front.pid, 'SIGTERM');
  await until(() => !isAlive(front.pid, front.ticks), 3_000);
}
