import { clickhouse } from './clickhouse.ts';
import { memcached } from './memcached.ts';
import { mongo } from './mongo.ts';
import { mysql } from './mysql.ts';
import { postgres } from './postgres.ts';
import { redis } from './redis.ts';

/** Every type of database service, in the order in which pages offer them. */
export const databaseTypes = [postgres, mysql, mongo, redis, memcached, clickhouse] as const;

export type DatabaseType = (typeof databaseTypes)[number];
export type DatabaseTypeName = DatabaseType['type'];

export const databaseTypeNames = databaseTypes.map(({ type }) => type);

export function databaseTypeOf(name: DatabaseTypeName): DatabaseType {
  const found = databaseTypes.find(({ type }) => type === name);
  if (!found) throw new Error(`There is no type of database called ${name}.`);
  return found;
}
