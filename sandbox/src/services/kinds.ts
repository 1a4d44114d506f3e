import { type DatabaseTypeName, databaseTypeOf } from '@homeport/contract/databases/types/database-types';
import type { Plugin } from '../machine/state.ts';

/** What differs between the service plugins, beside the facts of the contract. */
export type ServiceKind = {
  readonly type: DatabaseTypeName;
  /** How the plugin writes its name in messages. */
  readonly title: string;
  readonly image: string;
  readonly imageVersion: string;
  readonly scheme: string;
  /** The user in a connection string; null: no user and no password. */
  readonly user: ((service: string) => string) | null;
  readonly namesDatabase: boolean;
  readonly passwordBytes: number;
  /** The folder that `info` names as the one for configuration. */
  readonly configFolder: 'config' | 'data';
  /** What `create` prints between the wait for the container and its end. */
  readonly steps: readonly string[];
  /** Where the image keeps its data. */
  readonly dataPath: string;
  /** The memory of a container whose creator asked for no limit, in MB. */
  readonly usualMemoryMb: number | null;
  readonly pluginVersion: string;
};

const named = (service: string) => service;
const usual = { namesDatabase: true, configFolder: 'config', steps: [], usualMemoryMb: null } as const;

/** By the plugins of the contract's six types: postgres 1.48.0, mysql 1.44.3, redis 1.43.0 and the sources of the other three. */
export const serviceKinds: Readonly<Record<DatabaseTypeName, ServiceKind>> = {
  postgres: {
    ...usual,
    type: 'postgres',
    title: 'Postgres',
    image: 'postgres',
    imageVersion: '18.4',
    scheme: 'postgres',
    user: () => 'postgres',
    passwordBytes: 16,
    configFolder: 'data',
    steps: ['Creating container database', 'Securing connection to database'],
    dataPath: '/var/lib/postgresql',
    pluginVersion: '1.48.0',
  },
  mysql: {
    ...usual,
    type: 'mysql',
    title: 'MySQL',
    image: 'mysql',
    imageVersion: '9.7.0',
    scheme: 'mysql',
    user: () => 'mysql',
    passwordBytes: 8,
    dataPath: '/var/lib/mysql',
    pluginVersion: '1.44.3',
  },
  mongo: {
    ...usual,
    type: 'mongo',
    title: 'MongoDB',
    image: 'mongo',
    imageVersion: '8.2.9',
    scheme: 'mongodb',
    user: named,
    passwordBytes: 16,
    dataPath: '/data/db',
    pluginVersion: '1.40.6',
  },
  redis: {
    ...usual,
    type: 'redis',
    title: 'Redis',
    image: 'redis',
    imageVersion: '8.8.0',
    scheme: 'redis',
    user: () => '',
    namesDatabase: false,
    passwordBytes: 32,
    dataPath: '/data',
    pluginVersion: '1.43.0',
  },
  memcached: {
    ...usual,
    type: 'memcached',
    title: 'Memcached',
    image: 'memcached',
    imageVersion: '1.6.42',
    scheme: 'memcached',
    user: null,
    namesDatabase: false,
    passwordBytes: 0,
    dataPath: '/data',
    usualMemoryMb: 64,
    pluginVersion: '1.37.4',
  },
  clickhouse: {
    ...usual,
    type: 'clickhouse',
    title: 'Clickhouse',
    image: 'clickhouse/clickhouse-server',
    imageVersion: '26.5.1.882',
    scheme: 'clickhouse',
    user: named,
    passwordBytes: 8,
    dataPath: '/var/lib/clickhouse',
    pluginVersion: '1.49.2',
  },
};

export const allServiceKinds = Object.values(serviceKinds);

export const portsOfKind = ({ type }: ServiceKind): number[] =>
  databaseTypeOf(type).ports.map(({ number }) => number);

/** The variable of a link, without its ending: `DATABASE`. */
export const usualAlias = ({ type }: ServiceKind): string =>
  databaseTypeOf(type).variable.slice(0, -'_URL'.length);

export const pluginOfKind = ({ type, pluginVersion }: ServiceKind): Plugin => ({
  name: type,
  version: pluginVersion,
  description: `dokku ${type} service plugin`,
  url: databaseTypeOf(type).pluginUrl,
});
