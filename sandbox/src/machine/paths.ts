import { join } from 'node:path';

/** The paths of one sandbox. The stand-ins set DOKKU_SANDBOX_ROOT to the folder for which they were made. */
export type Paths = ReturnType<typeof pathsOf>;

export function pathsOf(root: string) {
  return {
    root,
    bin: join(root, 'bin'),
    program: join(root, 'program.cjs'),
    settings: join(root, 'settings.json'),
    version: join(root, 'version'),
    apps: join(root, 'apps'),
    app: (name: string) => join(root, 'apps', `${name}.json`),
    repository: (name: string) => join(root, 'home', name),
    code: (name: string, build: string) => join(root, 'code', name, build),
    codeOf: (name: string) => join(root, 'code', name),
    builds: (name: string) => join(root, 'builds', name),
    lock: (name: string) => join(root, 'locks', name),
    containers: join(root, 'containers'),
    container: (id: string) => join(root, 'containers', id),
    /** Where an agent finds a container, in Docker’s layout of cgroup v2 with systemd. */
    cgroup: (id: string) => join(root, `machine/sys/fs/cgroup/system.slice/docker-${id}.scope`),
    keys: join(root, 'authorized_keys'),
    services: join(root, 'lib/services'),
    /** The properties of Dokku’s plugin `network`, by app. */
    network: join(root, 'lib/config/network'),
    /** `~dokku/.ssh`, without the keys of `dokku@`. */
    ssh: join(root, 'ssh'),
    pluginData: join(root, 'lib/data/homeport'),
    storage: (name: string) => join(root, 'lib/data/storage', name),
    events: join(root, 'events.log'),
    routes: join(root, 'routes.json'),
    front: join(root, 'front.json'),
    /** The socket where the front answers what only reads. */
    answers: join(root, 'answers'),
    kept: join(root, 'kept'),
    /** `/var/lib/dokku/plugins` of the host, where the installation puts a plugin's files. */
    plugins: join(root, 'machine/var/lib/dokku/plugins'),
    starts: join(root, 'starts.log'),
    allBuilds: join(root, 'builds'),
    fault: (name: string) => join(root, 'faults', name),
  };
}

/** @throws Error outside of a sandbox. */
export function pathsFromEnvironment(): Paths {
  const root = process.env.DOKKU_SANDBOX_ROOT;
  if (!root) throw new Error('DOKKU_SANDBOX_ROOT is not set: this program runs inside a sandbox only.');
  return pathsOf(root);
}
