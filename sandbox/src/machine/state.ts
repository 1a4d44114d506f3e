import { readdirSync, rmSync } from 'node:fs';
import { recommendedDokku } from '@homeport/contract/servers/dokku-versions';
import { readState, readText, writeState } from './files.ts';
import type { Paths } from './paths.ts';

export type Mount = { name: string; hostPath: string; containerPath: string };

/** A task of app.json. */
export type CronTask = {
  command: string;
  schedule: string;
  concurrency_policy?: string;
  maintenance?: boolean;
};

export type App = {
  name: string;
  createdAtSeconds: number;
  vhostsEnabled: boolean;
  vhosts: string[];
  config: Record<string, string>;
  /** `_default_.limit.memory` → `512` */
  limits: Record<string, string>;
  users: string[];
  /** `domains`: the domains of the certificate. */
  certificate: { email: string; server: string; expiresAtSeconds: number | null; domains?: string[] };
  scale: Record<string, number>;
  /** A formation in app.json sets the numbers of processes. */
  formation?: boolean;
  /** Of `ps:set`. Empty or absent: Dokku's default. */
  restartPolicy?: string;
  stopSeconds?: string;
  /** Of `checks:disable`, `checks:skip` and `checks:set`, as Dokku keeps them. */
  checks?: { disabled: string; skipped: string; retire: string };
  /** Of `nginx:set`, by property. */
  nginx?: Record<string, string>;
  /** What `nginx.conf` says of them since it was built last. */
  nginxBuilt?: Record<string, string>;
  /** The template of nginx's configuration of the last deploy. */
  template?: string | undefined;
  /** The Procfile of the last deploy; absent without one. */
  procfile?: string | undefined;
  /** The app.json of the last deploy. */
  manifest?: string | undefined;
  /** The CHECKS file of the last deploy. */
  checksFile?: string | undefined;
  /** Absent: Dokku's default, docker-local. The sandbox runs no other. */
  scheduler?: string;
  /** The tasks of the last deploy's app.json. */
  cron?: CronTask[];
  /** The ids of suspended tasks. */
  cronSuspended?: string[];
  /** The command of each process type, from the last build. */
  processes: Record<string, string>;
  deployBranch: string;
  deploySource: string;
  deploySourceMetadata: string;
  deployedAtSeconds: number | null;
  code: string | null;
  /** The image called `latest` where it is no build's own: the app went back to it. */
  image?: { id: string; labels: Record<string, string> } | undefined;
  stopped: boolean;
  ports: string[];
  /** The port of the Dockerfile’s EXPOSE, from the last build. */
  exposed?: number | null;
  mounts: Mount[];
  /** `web.1` → container id */
  containers: Record<string, string>;
  /** As Dokku leaves them: files that name a removed container of a type that the code has no more. */
  stale?: Record<string, string>;
};

export type Plugin = { name: string; version: string; description: string; url: string };

export type Settings = {
  /** Multiplies waiting times. 0 waits for nothing. */
  pace: number;
  globalDomains: string[];
  certificateEmail: string;
  certificateServer: string;
  certificateCron: boolean;
  autocreation: boolean;
  events: boolean;
  plugins: Plugin[];
  /** New services are real servers where this machine has the programs. */
  realDatabases: boolean;
  /** `hostPath` for an entry that was mounted by its path. Other entries lie in the folder of their name. */
  storage: { name: string; owner: string; hostPath?: string }[];
};

export const freshSettings: Settings = {
  pace: 0,
  globalDomains: [],
  certificateEmail: '',
  certificateServer: '',
  certificateCron: false,
  autocreation: true,
  events: false,
  plugins: [],
  realDatabases: false,
  storage: [],
};

export function newApp(name: string, settings: Settings): App {
  const vhosts = settings.globalDomains.map((domain) => `${name}.${domain}`);
  return {
    name,
    createdAtSeconds: Math.floor(Date.now() / 1000),
    vhostsEnabled: vhosts.length > 0,
    vhosts,
    config: { NO_VHOST: vhosts.length > 0 ? '0' : '1' },
    limits: {},
    users: [],
    certificate: { email: '', server: '', expiresAtSeconds: null },
    scale: { web: 1 },
    processes: {},
    deployBranch: '',
    deploySource: '',
    deploySourceMetadata: '',
    deployedAtSeconds: null,
    code: null,
    stopped: false,
    ports: [],
    mounts: [],
    containers: {},
  };
}

export class State {
  readonly paths: Paths;
  constructor(paths: Paths) {
    this.paths = paths;
  }

  settings(): Settings {
    return { ...freshSettings, ...readState<Partial<Settings>>(this.paths.settings) };
  }

  change(what: (settings: Settings) => void): void {
    const settings = this.settings();
    what(settings);
    writeState(this.paths.settings, settings);
  }

  appNames(): string[] {
    return readdirSync(this.paths.apps, { encoding: 'utf8' })
      .filter((file) => file.endsWith('.json'))
      .map((file) => file.slice(0, -'.json'.length))
      .sort();
  }

  /** `0.38.27` */
  version(): string {
    return readText(this.paths.version)?.trim() ?? recommendedDokku;
  }

  app(name: string): App | undefined {
    return readState<App>(this.paths.app(name));
  }

  save(app: App): void {
    writeState(this.paths.app(app.name), app);
  }

  changeApp(name: string, what: (app: App) => void): App {
    const app = this.app(name);
    if (!app) throw new Error(`App ${name} is gone.`);
    what(app);
    this.save(app);
    return app;
  }

  unlock(name: string): void {
    rmSync(this.paths.lock(name), { force: true });
  }

  forget(name: string): void {
    for (const path of [
      this.paths.app(name),
      this.paths.repository(name),
      this.paths.codeOf(name),
      this.paths.builds(name),
      this.paths.lock(name),
    ]) {
      rmSync(path, { recursive: true, force: true });
    }
  }
}
