import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type DatabaseTypeName, databaseTypeOf } from '@homeport/contract/databases/types/database-types';
import { readText, writeText } from '../machine/files.ts';
import type { Paths } from '../machine/paths.ts';
import { portsOfKind, type ServiceKind } from './kinds.ts';

/** A database service, in the files in which Dokku's service plugins keep it. */
export type Service = {
  readonly kind: ServiceKind;
  readonly name: string;
  readonly password: string;
  /** The apps that it is linked to, sorted. */
  readonly links: readonly string[];
  /** The words of `expose`. Empty: not exposed. */
  readonly ports: readonly string[];
  readonly imageVersion: string;
  readonly memoryMb: number | null;
  /** Its last container, which may be gone. */
  readonly containerId: string;
  /** A real server of this machine holds the data. Otherwise a file stands for them. */
  readonly isReal: boolean;
  /** Somebody stopped it. Docker would not start its container again with the machine. */
  readonly isPaused: boolean;
};

const files = {
  password: 'PASSWORD',
  links: 'LINKS',
  ports: 'PORT',
  imageVersion: 'IMAGE_VERSION',
  memoryMb: 'SERVICE_MEMORY',
  containerId: 'ID',
  isReal: 'SANDBOX_ENGINE',
  isPaused: 'SANDBOX_PAUSED',
} as const;

export const folderOf = (paths: Paths, { type }: ServiceKind, name: string) =>
  join(paths.services, type, name);

export const dataFolderOf = (paths: Paths, kind: ServiceKind, name: string) =>
  join(folderOf(paths, kind, name), 'data');

/**
 * What the service holds, in the place of a database's own files: the whole of what `export` gives. Tests write and read it.
 */
export const heldDataOf = (paths: Paths, kind: ServiceKind, name: string) =>
  join(dataFolderOf(paths, kind, name), kind.type === 'redis' ? 'dump.rdb' : 'held-by-the-sandbox');

/** The names of the services of one kind, sorted. */
export function serviceNames(paths: Paths, { type }: ServiceKind): string[] {
  try {
    return readdirSync(join(paths.services, type)).sort();
  } catch {
    return [];
  }
}

export function serviceOf(paths: Paths, kind: ServiceKind, name: string): Service | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(name)) return undefined;
  const read = (file: string) => readText(join(folderOf(paths, kind, name), file))?.trim() ?? '';
  if (readText(join(folderOf(paths, kind, name), files.links)) === undefined) return undefined;
  const memory = read(files.memoryMb);
  return {
    kind,
    name,
    password: read(files.password),
    links: wordsOf(read(files.links)),
    ports: wordsOf(read(files.ports)),
    imageVersion: read(files.imageVersion),
    memoryMb: memory === '' ? null : Number(memory),
    containerId: read(files.containerId),
    isReal: read(files.isReal) === 'real',
    isPaused: read(files.isPaused) === 'paused',
  };
}

const wordsOf = (text: string) => text.split(/\s/).filter((word) => word !== '');

type Change = Partial<Pick<Service, 'links' | 'ports' | 'containerId' | 'isPaused'>>;

/** Writes what changes after the creation. */
export function changeService(paths: Paths, { kind, name }: Service, change: Change): void {
  const write = (file: string, text: string) => writeText(join(folderOf(paths, kind, name), file), text);
  const { links, ports, containerId, isPaused } = change;
  if (links)
    write(
      files.links,
      [...new Set(links)]
        .sort()
        .map((app) => `${app}\n`)
        .join(''),
    );
  if (containerId !== undefined) write(files.containerId, containerId);
  if (isPaused) write(files.isPaused, 'paused\n');
  else if (isPaused === false) rmSync(join(folderOf(paths, kind, name), files.isPaused), { force: true });
  if (ports && ports.length > 0) write(files.ports, `${ports.join(' ')}\n`);
  else if (ports) rmSync(join(folderOf(paths, kind, name), files.ports), { force: true });
}

export function saveNewService(paths: Paths, service: Service): void {
  const write = (file: string, text: string, mode?: number) =>
    writeText(join(folderOf(paths, service.kind, service.name), file), text, mode);
  changeService(paths, service, { links: service.links });
  // The stand-in for what an image writes when it starts for the first time.
  write('data/made-by-the-sandbox', `${service.kind.image}:${service.imageVersion}\n`);
  if (service.isReal) write(files.isReal, 'real\n');
  else if (databaseTypeOf(service.kind.type).dump.kind === 'file')
    writeText(heldDataOf(paths, service.kind, service.name), emptyData[service.kind.type] ?? '-- empty\n');
  if (service.password !== '') write(files.password, `${service.password}\n`, 0o640);
  write(files.imageVersion, `${service.imageVersion}\n`);
  if (service.memoryMb !== null) write(files.memoryMb, `${service.memoryMb}\n`);
}

/** How an export of a database without data begins. */
const emptyData: Partial<Record<DatabaseTypeName, string>> = {
  postgres: 'PGDMP: no rows\n',
  redis: 'REDIS0013: no keys\n',
};

export function forgetService(paths: Paths, { kind, name }: Service): void {
  rmSync(folderOf(paths, kind, name), { recursive: true, force: true });
}

export const imageOf = ({ kind, imageVersion }: Service) => `${kind.image}:${imageVersion}`;

/** `postgres://postgres:<password>@dokku-postgres-main-db:5432/main_db` */
export function dsnOf({ kind, name, password }: Service): string {
  const host = `dokku-${kind.type}-${name}`.replaceAll(/[._]/g, '-');
  const user = kind.user === null ? '' : `${kind.user(name)}:${password}@`;
  const database = kind.namesDatabase ? `/${name.replaceAll(/[.-]/g, '_')}` : '';
  return `${kind.scheme}://${user}${host}:${portsOfKind(kind)[0]}${database}`;
}

/** `5432->15432 `, as `info` has it, with its last blank; `-` where nothing is exposed. */
export function exposedPortsOf({ kind, ports }: Service): string {
  if (ports.length === 0) return '-';
  return portsOfKind(kind)
    .map((port, at) => `${port}->${ports[at] ?? ''} `)
    .join('');
}
