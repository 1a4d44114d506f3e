import { join } from 'node:path';
import type { DatabaseTypeName } from '@homeport/contract/databases/types/database-types';
import type { Paths } from '../../machine/paths.ts';
import type { ServiceKind } from '../kinds.ts';
import { dataFolderOf, folderOf, type Service } from '../service.ts';
import { accountFor, addressOfService, type Engine, type ServicePlace } from './engine.ts';
import { postgresEngine } from './postgres.ts';
import { redisEngine } from './redis.ts';

const engines: Partial<Record<DatabaseTypeName, () => Engine | null>> = {
  postgres: postgresEngine,
  redis: redisEngine,
};

/** The types whose servers this machine has the programs for. */
export const realTypes = (): DatabaseTypeName[] =>
  (['postgres', 'redis'] as const).filter((type) => engines[type]?.() != null);

/** Whether a new service of this kind can be a real server here. */
export const canBeReal = (paths: Paths, { type }: ServiceKind): boolean =>
  realTypes().includes(type) && accountFor(paths.root) !== null;

/** The version that a new service of this kind runs where it can be a real server; null: a file stands for it. */
export const realVersionOf = (paths: Paths, kind: ServiceKind): string | null =>
  canBeReal(paths, kind) ? (engines[kind.type]?.()?.version() ?? null) : null;

/** The real server of a service, and its place. Null: a file stands for the service's data. */
export function engineOf(paths: Paths, service: Service): { engine: Engine; place: ServicePlace } | null {
  const { kind, name } = service;
  const engine = service.isReal ? engines[kind.type]?.() : null;
  const account = engine ? accountFor(paths.root) : null;
  if (!engine || !account) return null;
  return {
    engine,
    place: {
      service,
      folder: folderOf(paths, kind, name),
      dataFolder: dataFolderOf(paths, kind, name),
      address: addressOfService(paths, kind, name),
      account,
      shared: join(paths.root, 'engines'),
    },
  };
}
