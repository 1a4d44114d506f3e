import type { DatabaseState } from '@homeport/contract/databases/facts';
import { databaseStates } from '@homeport/contract/databases/facts';
import type { DatabaseEnding, ExposedPort } from '@homeport/contract/databases/schema';
import {
  type DatabaseTypeName,
  databaseTypeNames,
  databaseTypeOf,
} from '@homeport/contract/databases/types/database-types';
import { z } from 'zod';
import { stateAfter } from '../services/ending.ts';
import { readPorts, versionOfImage } from '../services/read-service.ts';

/** All that Homeport's plugin tells of one database service. It never tells a password or a connection string. */
export type ReportedDatabase = {
  readonly type: DatabaseTypeName;
  readonly name: string;
  /**
   * `paused`: somebody stopped its container; `exited`: the container ended by itself, and Docker starts it no more; `ended`: an
   * older plugin does not tell which; `unknown`: Docker did not answer.
   */
  readonly state: DatabaseState;
  /** Null: it has not ended, or an older plugin does not tell. */
  readonly ending: DatabaseEnding | null;
  /** The whole id of its container; null where there is none. */
  readonly containerId: string | null;
  /** The tag of the image that the container runs; null where the container is missing. */
  readonly imageVersion: string | null;
  readonly ports: readonly ExposedPort[];
  /** Ports are exposed, the service runs, and the container that leads the ports to it does not. */
  readonly exposureFails: boolean;
  /** Null: no limit, or no container. */
  readonly memoryBytes: number | null;
  /** Null where the data were not measured, or not all of them within the time. */
  readonly dataBytes: number | null;
  readonly links: readonly {
    readonly app: string;
    /** The variables of the app that hold the connection string. Null where the caller may not see the app. */
    readonly variables: readonly string[] | null;
  }[];
};

const databaseSchema = z.object({
  database: z.object({
    type: z.enum(databaseTypeNames),
    name: z.string(),
    ports: z.array(z.string()),
    bytes: z.number().nullish(),
    links: z.array(z.object({ app: z.string(), variables: z.array(z.string()).nullable() })),
  }),
});
type DatabaseLine = z.output<typeof databaseSchema>['database'];

const containerSchema = z.object({
  service: z.object({
    /** With Docker's leading slash. */
    name: z.string(),
    id: z.string().regex(/^[0-9a-f]{64}$/),
    state: z.string(),
    image: z.string(),
    memory: z.number(),
    restarts: z.number(),
    startedAt: z.string(),
    /** Absent where an older plugin tells. */
    exitCode: z.number().optional(),
    outOfMemory: z.boolean().optional(),
  }),
});
type ContainerLine = z.output<typeof containerSchema>['service'];

const silentDockerSchema = z.object({ containers: z.literal('unknown') });
const timeSchema = z.object({ atSeconds: z.number() });
const lineSchema = z.union([databaseSchema, containerSchema, silentDockerSchema, timeSchema]);

/** The lines of an answer about databases, sorted by what they tell. */
export type ReportedServices = {
  databases: DatabaseLine[];
  containers: Map<string, ContainerLine>;
  dockerAnswered: boolean;
  /** The server's clock. */
  atMs: number;
};

export const noDatabases = (): ReportedServices => ({
  databases: [],
  containers: new Map(),
  dockerAnswered: true,
  atMs: 0,
});

/** Takes one line in. A line of no known shape is left out: a later version of the plugin may tell more. */
export function takeDatabase(told: ReportedServices, value: unknown): void {
  const read = lineSchema.safeParse(value);
  if (!read.success) return;
  const line = read.data;
  if ('database' in line) told.databases.push(line.database);
  else if ('service' in line) told.containers.set(line.service.name.replace(/^\//, ''), line.service);
  else if ('containers' in line) told.dockerAnswered = false;
  else told.atMs = line.atSeconds * 1000;
}

/** The databases that were told, in their order. */
export function databasesOf(told: ReportedServices): ReportedDatabase[] {
  return told.databases.map((database) => toldOf(database, told));
}

function toldOf(
  database: DatabaseLine,
  { containers, dockerAnswered, atMs }: ReportedServices,
): ReportedDatabase {
  const { type, name, links, bytes } = database;
  const container = containers.get(`dokku.${type}.${name}`);
  const state = dockerAnswered ? stateOf(container) : 'unknown';
  const ports = portsOf(database);
  const leading = containers.get(`dokku.${type}.${name}.ambassador`);
  return {
    type,
    name,
    state,
    ending: dockerAnswered ? endingOf(container) : null,
    containerId: container?.id ?? null,
    imageVersion: container ? versionOfImage(container.image) : null,
    ports,
    exposureFails: ports.length > 0 && state === 'running' && !leads(leading, atMs),
    memoryBytes: container?.memory || null,
    dataBytes: bytes ?? null,
    links,
  };
}

function stateOf(container: ContainerLine | undefined): DatabaseState {
  const state = readState(container?.state ?? 'missing');
  return state === 'exited' ? stateAfter(endingOf(container)) : state;
}

/** Null for a container that has not ended, or whose plugin is too old to tell. */
function endingOf(container: ContainerLine | undefined): DatabaseEnding | null {
  const { state, exitCode, outOfMemory } = container ?? {};
  if (state !== 'exited' || exitCode === undefined) return null;
  return { exitCode, outOfMemory: outOfMemory ?? false };
}

const readState = (word: string) => z.enum(databaseStates).catch('unknown').parse(word);

/** Dokku keeps the ports of the server only, in the order of the container's ports. */
function portsOf({ type, ports }: DatabaseLine): ExposedPort[] {
  const pairs = databaseTypeOf(type).ports.map(({ number }, at) => `${number}->${ports[at] ?? ''}`);
  return readPorts(pairs.join(' '));
}

/**
 * Whether connections reach the service. On Docker 29, where links set no variables any more, the container that leads them ends
 * again and again, and between two ends it runs for a moment.
 */
function leads(container: ContainerLine | undefined, atMs: number): boolean {
  if (container?.state !== 'running') return false;
  const runsForMs = atMs - Date.parse(container.startedAt);
  return container.restarts === 0 || !(runsForMs < settledAfterMs);
}

/** Docker waits at most a minute between two restarts, and at least 10 s of running make it wait less again. */
const settledAfterMs = 10_000;
