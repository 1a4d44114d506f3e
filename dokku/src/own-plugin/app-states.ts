import type { Site } from '@homeport/contract/apps/site/schema';
import { containersPerApp, domainsPerApp } from '@homeport/contract/limits';
import { z } from 'zod';
import { type Build, buildRecordSchema, buildsOf, lastStartOf } from '../app-state/builds.ts';
import {
  type ContainerState,
  cpusOf,
  endOf,
  judgeProcesses,
  type Processes,
  restartPolicyOf,
  runningOf,
  shownIdCharacters,
} from '../app-state/processes.ts';
import { siteValuesOf } from '../app-state/site-values.ts';
import type { GitReport } from '../commands/git.ts';
import type { PortMapping } from '../commands/ports.ts';
import type { Limits } from '../commands/resource.ts';
import type { Mount } from '../commands/storage.ts';
import { epochSecondsToMs } from '../output.ts';
import { addressesOf, portsInForce, type Routing } from './addresses.ts';
import {
  type KeptRelease,
  keptReleaseOf,
  keptSchema,
  lineOfMessage,
  type ReleasesLine,
  releasesSchema,
} from './kept-releases.ts';
import {
  type ProcessTypes,
  type ProcessTypesLine,
  processTypesOf,
  processTypesSchema,
} from './process-types.ts';
import type { ReleaseId } from './releases.ts';

/** All that Homeport's plugin tells of one app, in the words of Dokku's own reports. */
export type ReportedApp = {
  readonly name: string;
  /** The program that runs the containers: `docker-local`, `k3s`. Of any other than the first, only Dokku knows the processes. */
  readonly scheduler: string;
  readonly processes: Processes;
  /** Null where Docker did not answer. */
  readonly containers: readonly ContainerState[] | null;
  /** Newest first. Null on Dokku before 0.38, which keeps none. */
  readonly builds: readonly Build[] | null;
  /** When the server last started the deployed version again (`ps:start`, `ps:scale`). */
  readonly lastStart: number | null;
  readonly domains: readonly string[];
  /** Null where only `urls` knows. */
  readonly addresses: readonly string[] | null;
  readonly certificate: boolean;
  readonly git: GitReport;
  readonly createdAt: number | null;
  readonly deploySource: string;
  readonly deploySourceMetadata: string;
  readonly ports: readonly PortMapping[];
  /** Null when the proxy is switched off. */
  readonly proxy: string | null;
  /** Null from an older plugin. */
  readonly site: Site | null;
  readonly limits: Limits;
  readonly hostCpus: number | null;
  /** Null on Dokku before 0.38, which keeps mounts elsewhere. */
  readonly mounts: readonly Mount[] | null;
  /** Null in the answer about all apps, and from an older plugin. */
  readonly listed: ListedContainers | null;
  /** The start of the readme; null without one. Undefined in the answer about all apps. */
  readonly readme: string | null | undefined;
  /** Which commits the deploys were of, as far as the plugin saw them. Empty in the answer about all apps. */
  readonly commits: readonly BuildCommit[];
  /** Null in the answer about all apps, and from an older plugin. */
  readonly processTypes: ProcessTypes | null;
  /** The commit that each container says of itself (`GIT_REV`), by its id. Dokku sets it at a push, and leaves it as it is at a rebuild. */
  readonly revisions: ReadonlyMap<string, string>;
  /** Newest first. None in the answer about all apps, and from an older plugin. */
  readonly releases: {
    readonly kept: readonly KeptRelease[];
    /** The one that every process runs; null: another version, or several. */
    readonly serving: ReleaseId | null;
    /** False: Docker does not say which images it has. */
    readonly known: boolean;
    /** The release that a going-back was to serve which was cut off. */
    readonly cutOff: ReleaseId | null;
    /** The commit at which the deployed branch stands. */
    readonly branch: string | null;
  };
};

/** The commit of the deploy whose record Dokku calls `build`. */
export type BuildCommit = {
  readonly build: string;
  readonly commit: string;
  /** Empty where the server does not have the commit any more. */
  readonly author: string;
  /** The first line of its message. */
  readonly title: string;
  /** The app went back to it. */
  readonly back: boolean;
  /** It went back to an image, of which the commit is Dokku's own. */
  readonly image: boolean;
};

/** What Docker lists of an app beyond the containers whose ids Dokku keeps. */
export type ListedContainers = {
  /** What containers publish past the proxy and the firewall: `0.0.0.0:32768->5000/tcp`. */
  readonly published: readonly string[];
  /** Containers that a failed deploy left, or that a running deploy is about to use. */
  readonly upcoming: readonly {
    readonly id: string;
    readonly name: string;
    readonly state: string;
    readonly createdAt: number | null;
  }[];
};

// An answer has its bound in bytes, and yet one of its lines may be named by each of the others. So what is told once for several has a
// length of its own, and lists whose entries are told with each other have a number.

/** A word of Dokku's or Docker's. */
const word = z.string().transform((text) => text.slice(0, 256));
const propertiesSchema = z.record(
  z.string(),
  z.string().transform((text) => text.slice(0, 4_096)),
);
/** As long as a name of DNS may be (RFC 1035, 2.3.4). */
const domainsSchema = z
  .array(z.string())
  .transform((domains) => domains.filter(({ length }) => length <= 253).slice(0, domainsPerApp));

const serverSchema = z.object({
  server: z.object({
    properties: propertiesSchema,
    domains: domainsSchema,
    cpus: z.number().nullable(),
    keepsBuilds: z.boolean(),
    namesStorage: z.boolean(),
  }),
});
type ReportedServer = z.output<typeof serverSchema>['server'];

const appSchema = z.object({
  app: z.object({
    name: z.string(),
    properties: propertiesSchema,
    domains: domainsSchema,
    routed: z.boolean(),
    certificate: z.boolean(),
    // Told since 1.14: the repository has a template of nginx's configuration.
    template: z.boolean().nullish(),
    processes: z.array(z.object({ name: word, id: word })).transform((all) => all.slice(0, containersPerApp)),
  }),
});
type AppLine = z.output<typeof appSchema>['app'];

const containerSchema = z.object({
  container: z.object({
    id: word,
    state: word,
    exitCode: z.number(),
    outOfMemory: z.boolean(),
    restarts: z.number(),
    endedAt: z.iso.datetime({ offset: true }),
    memory: z.number(),
    nanoCpus: z.number(),
    cpuQuota: z.number().nullish(),
    cpuPeriod: z.number().nullish(),
    // Told since 1.11.
    image: word.default(''),
    createdAt: z.iso.datetime({ offset: true }).nullish(),
    policy: word.default('no'),
    tries: z.number().default(0),
    builder: word.nullish(),
    // Told since 1.12.
    release: word.nullish(),
    revisions: z.array(z.string().nullable()).default([]),
  }),
});
type ContainerLine = z.output<typeof containerSchema>['container'];

const silentDockerSchema = z.object({ containers: z.literal('unknown') });
const buildSchema = z.object({
  buildOf: z.string(),
  lives: z.boolean(),
  record: buildRecordSchema.extend({ status: z.string() }),
});
const pushSchema = z.object({ pushOf: z.string(), atSeconds: z.number() });
const mountSchema = z.object({
  mountOf: z.string(),
  mount: z.object({
    entry_name: z.string(),
    container_path: z.string(),
    phases: z.array(z.string()).default(['deploy']),
  }),
  entry: z.object({ host_path: z.string() }).nullable(),
});

const readmeSchema = z.object({
  readmeOf: z.string(),
  readme: z.object({ base64: z.base64() }).nullable(),
});

const listedSchema = z.object({
  listed: z.object({
    app: z.string(),
    id: z.string(),
    name: z.string(),
    state: z.string(),
    ports: z.string(),
    createdAt: z.string(),
  }),
});
type ListedLine = z.output<typeof listedSchema>['listed'];

const commitSchema = z.object({
  commitOf: z.string(),
  build: z.string(),
  commit: z.string().regex(/^[0-9a-f]{40,64}$/),
  author: lineOfMessage,
  title: lineOfMessage,
  // Told since 1.12.
  back: z.boolean().default(false),
  image: z.boolean().default(false),
});

const lineSchema = z.union([
  keptSchema,
  releasesSchema,
  processTypesSchema,
  commitSchema,
  listedSchema,
  readmeSchema,
  serverSchema,
  appSchema,
  containerSchema,
  silentDockerSchema,
  buildSchema,
  pushSchema,
  mountSchema,
]);

/** Each shape by the key that no other one has, so that a line is compared with one of them. */
const shapes = new Map(lineSchema.options.map((schema) => [Object.keys(schema.shape)[0], schema]));

/** The lines of an answer about apps, sorted by what they tell. */
export type Told = {
  server: ReportedServer | null;
  apps: AppLine[];
  containers: Map<string, ContainerLine>;
  dockerAnswered: boolean;
  builds: Map<string, z.output<typeof buildSchema>[]>;
  pushes: Map<string, number>;
  mounts: Map<string, Mount[]>;
  readmes: Map<string, string | null>;
  listed: Map<string, ListedLine[]>;
  commits: Map<string, BuildCommit[]>;
  processTypes: Map<string, ProcessTypesLine>;
  kept: Map<string, KeptRelease[]>;
  releases: Map<string, ReleasesLine>;
};

export const nothingTold = (): Told => ({
  server: null,
  apps: [],
  containers: new Map(),
  dockerAnswered: true,
  builds: new Map(),
  pushes: new Map(),
  mounts: new Map(),
  readmes: new Map(),
  listed: new Map(),
  commits: new Map(),
  processTypes: new Map(),
  kept: new Map(),
  releases: new Map(),
});

/** Takes one line in. A line of no known shape is left out: a later version of the plugin may tell more. */
export function take(told: Told, value: unknown): void {
  const read = shapeOf(value)?.safeParse(value);
  if (!read?.success) return;
  const line = read.data;
  if ('processesOf' in line) told.processTypes.set(line.processesOf, line);
  else if ('keptOf' in line) addTo(told.kept, line.keptOf, keptReleaseOf(line));
  else if ('releasesOf' in line) told.releases.set(line.releasesOf, line);
  else if ('listed' in line) addTo(told.listed, line.listed.app, line.listed);
  else if ('commitOf' in line) {
    const { commitOf, ...commit } = line;
    addTo(told.commits, commitOf, commit);
  } else if ('server' in line) told.server = line.server;
  else if ('app' in line) told.apps.push(line.app);
  else if ('container' in line) told.containers.set(line.container.id, line.container);
  else if ('containers' in line) told.dockerAnswered = false;
  else if ('buildOf' in line) addTo(told.builds, line.buildOf, line);
  else if ('pushOf' in line) told.pushes.set(line.pushOf, line.atSeconds * 1000);
  else if ('readmeOf' in line) told.readmes.set(line.readmeOf, line.readme && textOf(line.readme.base64));
  else for (const mount of mountsOf(line)) addTo(told.mounts, line.mountOf, mount);
}

function shapeOf(value: unknown) {
  if (typeof value !== 'object') return undefined;
  for (const key in value) if (shapes.has(key)) return shapes.get(key);
  return undefined;
}

const textOf = (base64: string) => Buffer.from(base64, 'base64').toString('utf8');

function addTo<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** What is mounted when the app is deployed, like `storage:list`. */
const mountsOf = ({ mount, entry }: z.output<typeof mountSchema>): Mount[] =>
  entry !== null && mount.phases.includes('deploy')
    ? [{ name: mount.entry_name, hostPath: entry.host_path, containerPath: mount.container_path }]
    : [];

/** The apps that were told, in their order. */
export function appsOf({
  server,
  apps,
  containers,
  dockerAnswered,
  builds,
  pushes,
  mounts,
  readmes,
  listed,
  commits,
  processTypes,
  kept,
  releases,
}: Told): ReportedApp[] {
  if (!server) return [];
  return apps.map((app) => ({
    ...factsOf(app, server, pushes.get(app.name) ?? null),
    ...containersOf(app, dockerAnswered ? containers : null),
    builds: server.keepsBuilds
      ? withGoingsBack(recordsOf(builds.get(app.name) ?? []), commits.get(app.name))
      : null,
    lastStart: lastStartOf(recordsOf(builds.get(app.name) ?? [])),
    mounts: server.namesStorage ? (mounts.get(app.name) ?? []) : null,
    readme: readmes.get(app.name),
    listed: listedOf(app, listed.get(app.name)),
    commits: commits.get(app.name) ?? [],
    processTypes: typesOf(app, server, processTypes.get(app.name)),
    revisions: revisionsOf(app, containers),
    releases: releasesOf(
      app,
      containers,
      (kept.get(app.name) ?? []).slice(0, releasesAtMost),
      releases.get(app.name),
    ),
  }));
}

function typesOf(
  app: AppLine,
  server: ReportedServer,
  line: ProcessTypesLine | undefined,
): ProcessTypes | null {
  if (!line) return null;
  return processTypesOf(line, (key) => app.properties[key] || server.properties[key] || '');
}

/** A going-back to an image counts as the deploy of that image. */
function withGoingsBack(records: Parameters<typeof buildsOf>[0], commits: readonly BuildCommit[] = []) {
  const back = new Map(commits.filter((commit) => commit.back).map((commit) => [commit.build, commit]));
  return buildsOf(records, new Set(back.keys())).map((build) =>
    back.get(build.id)?.image ? { ...build, source: 'git:from-image' } : build,
  );
}

/** The plugin keeps fewer. */
const releasesAtMost = 10;

/** After a going-back a container says which release it runs; after a deploy its image does. */
function releasesOf(
  { processes }: AppLine,
  containers: ReadonlyMap<string, ContainerLine>,
  kept: readonly KeptRelease[],
  line: ReleasesLine | undefined,
): ReportedApp['releases'] {
  const serving = new Set(
    processes.flatMap(({ id }) => {
      const container = containers.get(id);
      // Dokku leaves the file of a type that the code has no more; its container is gone.
      if (!container) return [];
      const { release, image } = container;
      return [kept.find((each) => each.id === release || (!release && each.images.includes(image)))?.id];
    }),
  );
  const [only = null] = serving;
  return {
    kept,
    serving: serving.size === 1 ? only : null,
    known: line?.known ?? true,
    cutOff: line?.cutOff || null,
    branch: line?.branch || null,
  };
}

/** Nobody but Dokku should set the variable, and yet anybody may: whatever is no commit is left out. */
function revisionsOf({ processes }: AppLine, containers: ReadonlyMap<string, ContainerLine>) {
  return new Map(
    processes.flatMap(({ id }) => {
      const sha = containers.get(id)?.revisions.find((text) => text !== null);
      return sha && /^[0-9a-f]{40,64}$/.test(sha) ? [[id, sha] as const] : [];
    }),
  );
}

function listedOf({ processes }: AppLine, lines: readonly ListedLine[] | undefined): ListedContainers | null {
  if (!lines) return null;
  const kept = new Set(processes.map(({ id }) => id));
  return {
    published: [...new Set(lines.flatMap(({ ports }) => ports.split(', ').filter(isPublished)))].sort(),
    upcoming: lines
      .filter(({ id, name }) => !kept.has(id) && /\.upcoming-\d{1,10}$/.test(name))
      .map(({ id, name, state, createdAt }) => ({ id, name, state, createdAt: createdAtOf(createdAt) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
}

/** Docker lists ports as `5000/tcp`, and as `0.0.0.0:32768->5000/tcp` where a port of the server leads to the container. */
const isPublished = (port: string) => port.includes('->') && !/^(?:127\.|\[?::1\]?:)/.test(port);

/** Docker writes `2026-11-25 16:00:00 +0000 UTC`. */
function createdAtOf(text: string): number | null {
  const [day, time, zone] = text.split(' ');
  const at = Date.parse(`${day}T${time}${zone}`);
  return Number.isNaN(at) ? null : at;
}

/**
 * In the order of `builds:list`: a running deploy stands before later ones that its lock refused, and then the newest first. With
 * Dokku's own word for a record that says `running` while its process is gone.
 */
const recordsOf = (told: readonly z.output<typeof buildSchema>[]) =>
  told
    .map(({ record, lives }) => ({
      ...record,
      display_status: record.status === 'running' && !lives ? 'abandoned' : record.status,
    }))
    .sort(
      (a, b) =>
        Number(b.display_status === 'running') - Number(a.display_status === 'running') ||
        Date.parse(b.started_at) - Date.parse(a.started_at),
    );

type Facts = Omit<
  ReportedApp,
  | 'processes'
  | 'containers'
  | 'builds'
  | 'lastStart'
  | 'mounts'
  | 'readme'
  | 'listed'
  | 'commits'
  | 'processTypes'
  | 'revisions'
  | 'releases'
>;

function factsOf(app: AppLine, server: ReportedServer, pushedAt: number | null): Facts {
  const own = (key: string) => app.properties[key] ?? '';
  const global = (key: string) => server.properties[key] ?? '';
  const either = (key: string) => own(key) || global(key);
  const proxied = own('proxy.disabled') !== 'true';
  const routing: Routing = {
    domains: app.domains,
    routed: app.routed,
    certificate: app.certificate,
    globalDomains: server.domains,
    portsSet: own('ports.map'),
    portsDetected: own('ports.map-detected'),
    proxyPort: either('proxy.proxy-port'),
    proxySslPort: either('proxy.proxy-ssl-port'),
    proxied,
  };
  return {
    name: app.name,
    scheduler: either('scheduler.selected') || 'docker-local',
    domains: app.domains,
    addresses: addressesOf(routing),
    certificate: app.certificate,
    git: {
      deployBranch: either('git.deploy-branch') || 'master',
      deployBranchSet: either('git.deploy-branch') !== '',
      lastUpdatedAt: pushedAt,
    },
    createdAt: epochSecondsToMs(own('apps.created-at')),
    deploySource: own('apps.deploy-source'),
    deploySourceMetadata: own('apps.deploy-source-metadata'),
    ports: portsInForce(routing),
    proxy: proxied ? either('proxy.type') || 'nginx' : null,
    site: siteOf(app.template, own, global),
    limits: {
      memoryMb: limitOf(own('resource._default_.limit.memory')),
      cpus: limitOf(own('resource._default_.limit.cpu')),
    },
    hostCpus: server.cpus,
  };
}

/** A plugin before 1.14 tells of no template, and of none of the properties. */
function siteOf(
  template: boolean | null | undefined,
  own: (key: string) => string,
  global: (key: string) => string,
): Site | null {
  if (template === null || template === undefined) return null;
  const isOff = (own('nginx.disable-custom-config') || global('nginx.disable-custom-config')) === 'true';
  return {
    ...siteValuesOf(
      (property) => own(`nginx.${property}`),
      (property) => global(`nginx.${property}`),
    ),
    ownTemplate: template && !isOff,
  };
}

/** As `resource:report` is read: megabytes or processors, with or without Docker's `m`. */
const limitOf = (value: string) => (/^\d+(\.\d+)?m?$/.test(value) ? Number.parseFloat(value) : null);

/** The containers whose ids Dokku keeps. One that Docker no longer has is `missing`, as in `ps:report`. */
function containersOf(
  app: AppLine,
  containers: ReadonlyMap<string, ContainerLine> | null,
): Pick<ReportedApp, 'processes' | 'containers'> {
  const processes = app.processes.map(({ name, id }) => ({
    name,
    state: containers === null ? 'unknown' : (containers.get(id)?.state ?? 'missing'),
    containerId: id.slice(0, shownIdCharacters),
  }));
  const deployed = app.properties['common.deployed'];
  return {
    processes: judgeProcesses({
      // Dokku works it out in the same way where it never noted it.
      deployed: deployed === undefined ? processes.length > 0 : deployed === 'true',
      running: runningOf(processes),
      restore: app.properties['ps.restore'] !== 'false',
      count: processes.length,
      processes,
    }),
    containers:
      containers &&
      app.processes.flatMap(({ name, id }) => {
        const container = containers.get(id);
        return container ? [stateOf(name, container)] : [];
      }),
  };
}

function stateOf(name: string, container: ContainerLine): ContainerState {
  return {
    id: container.id,
    name,
    state: container.state,
    memoryBytes: container.memory || null,
    cpus: cpusOf({
      nanoCpus: container.nanoCpus,
      cpuQuota: container.cpuQuota ?? 0,
      cpuPeriod: container.cpuPeriod ?? 0,
    }),
    restarts: container.restarts,
    outOfMemory: container.outOfMemory,
    exitCode: container.exitCode,
    endedAt: endOf(container.endedAt),
    createdAt: Date.parse(container.createdAt ?? '') || 0,
    image: container.image,
    builder: container.builder || null,
    restartPolicy: restartPolicyOf(container.policy, container.tries),
  };
}
