import type { ServerRemoval } from '@homeport/contract/servers/schema';
import type { OwnerRead } from '@homeport/store';
import { findServer } from '../records/server-record.ts';

/** What the removal of the server takes out of Homeport beside its apps. Asks the server nothing. */
export async function reportRemoval({ owner, db }: OwnerRead, serverId: string): Promise<ServerRemoval> {
  await findServer({ owner, db }, serverId);
  const rows = await db
    .selectFrom('databases')
    .leftJoin('backup_schedules', 'backup_schedules.database_id', 'databases.id')
    .select(['databases.id', 'databases.name', 'backup_schedules.told', 'backup_schedules.unsure'])
    .where('databases.owner_id', '=', owner)
    .where('databases.server_id', '=', serverId)
    .orderBy('databases.name')
    .execute();
  return {
    databases: rows.map(({ id, name, told, unsure }) => ({ id, name, schedule: standingOf(told, unsure) })),
  };
}

/** A schedule of a later console counts as one that runs, so that nobody ends backups unaware. */
function standingOf(told: unknown, unsure: boolean | null): ServerRemoval['databases'][number]['schedule'] {
  if (unsure) return 'unknown';
  if (told === null || told === undefined) return null;
  return (told as { paused?: unknown }).paused === true ? 'paused' : 'runs';
}
