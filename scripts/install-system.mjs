import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * A package, the programs that it brings, and what they are for.
 *
 * @typedef {{ debian: string, programs: readonly string[], why: string }} SystemPackage
 */

/**
 * Real programs that the tests run and that not every Debian has. sshd is not in an ordinary user's PATH.
 *
 * @type {readonly SystemPackage[]}
 */
const wanted = [
  { debian: 'chromium', programs: ['chromium'], why: 'the browser of the tests' },
  { debian: 'firefox-esr', programs: ['firefox-esr'], why: 'the main job in Firefox' },
  { debian: 'webkit2gtk-driver', programs: ['WebKitWebDriver'], why: 'the main job in WebKit' },
  { debian: 'xvfb', programs: ['Xvfb'], why: 'a display for WebKit' },
  { debian: 'openssh-server', programs: ['sshd'], why: 'the server that the tests link' },
  {
    debian: 'openssh-client',
    programs: ['ssh', 'ssh-keygen', 'ssh-agent', 'ssh-add'],
    why: 'keys, an SSH agent, and git over SSH',
  },
  { debian: 'util-linux', programs: ['unshare'], why: 'an sshd that knows one more account' },
  { debian: 'git', programs: ['git'], why: 'pushes of a user' },
  { debian: 'sudo', programs: ['visudo'], why: 'the rule of the console’s own account' },
  { debian: 'shellcheck', programs: ['shellcheck'], why: 'the programs of the Dokku plugin' },
  { debian: 'curl', programs: ['curl'], why: 'reports of the agent' },
  { debian: 'redis-server', programs: ['redis-server', 'redis-cli'], why: 'Redis databases that hold data' },
  {
    debian: 'postgresql',
    programs: ['psql', 'pg_restore', 'pg_lsclusters'],
    why: 'PostgreSQL databases that hold data',
  },
  {
    debian: 'mariadb-server-core',
    programs: ['mariadbd', 'mariadb-install-db'],
    why: 'a server that counts what MySQL’s client asks',
  },
  { debian: 'mariadb-client-core', programs: ['mariadb'], why: 'the client of that server' },
  { debian: 'caddy', programs: ['caddy'], why: 'the front of the proxy service' },
  { debian: 'nginx', programs: ['nginx'], why: 'a website behind the proxy service' },
  { debian: 'nghttp2-client', programs: ['h2load'], why: 'HTTP/2 through the front of the proxy service' },
  { debian: 'wget', programs: ['wget'], why: 'reports of the agent without curl' },
  {
    debian: 'age',
    programs: ['age', 'age-keygen'],
    why: 'backups of the console that their owner opens by hand',
  },
  { debian: 'rclone', programs: ['rclone'], why: 'copies of backups' },
  { debian: 'prometheus', programs: ['prometheus', 'promtool'], why: 'a reader of /metrics' },
];

/**
 * Installs missing programs with apt-get, as root on Debian and its derivatives. Elsewhere, and where the package sources lack a
 * package, it names the packages and goes on: the tests that need a missing program fail by themselves, or are skipped outside of CI.
 *
 * @param {readonly SystemPackage[]} more programs that only the caller runs
 */
export function ensureSystemPackages(more = []) {
  const missing = [...wanted, ...more].filter(({ programs }) => !programs.every(isProgram));
  if (missing.length === 0) return;
  const names = missing.map(({ debian }) => debian);
  for (const { debian, why } of missing) console.log(`Missing: ${debian} (${why})`);
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) {
    console.error(
      `The tests need these packages. On Debian or Ubuntu run: sudo apt-get install ${names.join(' ')}`,
    );
    return;
  }
  // Where a service manager runs, installing a server also starts the machine's own: sshd, Redis, PostgreSQL, Prometheus. No test connects to
  // those.
  run('apt-get', ['update', '--quiet=2']);
  // apt-get installs nothing at all when one of its packages is unknown. Ubuntu, for one, has no firefox-esr.
  const known = names.filter(isKnown);
  for (const name of names.filter((each) => !known.includes(each)))
    console.error(`The package sources of this machine have no ${name}.`);
  if (known.length === 0) return;
  console.log(`Installing ${known.join(', ')} with apt-get`);
  run('apt-get', ['install', '--yes', '--quiet=2', '--no-install-recommends', ...known]);
}

/** @param {string} debian the name of a package */
function isKnown(debian) {
  return spawnSync('apt-cache', ['show', debian], { stdio: 'ignore' }).status === 0;
}

/** @param {string} command @param {readonly string[]} args */
function run(command, args) {
  const { status } = spawnSync(command, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (status !== 0) console.error(`${command} ${args[0]} failed (exit code ${status}).`);
}

/** @param {string} name */
function isProgram(name) {
  return [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin'].some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
