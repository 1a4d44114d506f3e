import type { ConsoleBackup, ConsoleBackups } from '@homeport/contract/console/schema';
import type { ConsoleBackupTable } from '@homeport/store';
import type { Selectable } from 'kysely';
import { ProblemError } from '../../http/problem.ts';
import type { BackupFolder } from './backup-folder.ts';
import type { BackupDeps } from './deps.ts';
import { readPlan } from './plan.ts';

/** Failed ones are listed too, so there may be more than stay. */
const mostListed = 80;

export async function listBackups({ store, folder }: BackupDeps): Promise<ConsoleBackups> {
  const rows = await store.db
    .selectFrom('console_backups')
    .selectAll()
    .orderBy('started_at', 'desc')
    .orderBy('id')
    .limit(mostListed)
    .execute();
  return {
    folder: folder.path,
    copiedTo: folder.copies?.target ?? null,
    plan: await readPlan(store.db, folder),
    backups: await Promise.all(rows.map((row) => describeBackup(row, folder))),
  };
}

export async function readBackup({ store, folder }: BackupDeps, id: string): Promise<ConsoleBackup> {
  return describeBackup(await findBackup({ store }, id), folder);
}

/** @throws ProblemError `not_found`. */
export async function findBackup({ store }: Pick<BackupDeps, 'store'>, id: string): Promise<BackupRow> {
  const row = await store.db
    .selectFrom('console_backups')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw new ProblemError('not_found', 'This backup is not there any more.');
  return row;
}

export type BackupRow = Selectable<ConsoleBackupTable>;

async function describeBackup(row: BackupRow, folder: BackupFolder): Promise<ConsoleBackup> {
  const { id, state, encrypted, file, rows, bytes, failure } = row;
  return {
    ...{ id, state, encrypted, file, rows, bytes, failure },
    startedBy: row.started_by,
    isHere: state === 'done' && (await folder.has(file)),
    startedAt: row.started_at,
    endedAt: row.ended_at,
    checkedAt: row.checked_at,
    isIntact: row.is_intact,
    proof:
      row.proof === null || row.proof_at === null
        ? null
        : { state: row.proof, at: row.proof_at, note: row.proof_note },
    copy:
      row.copy_state === null || row.copied_to === null
        ? null
        : {
            ...{ state: row.copy_state, to: row.copied_to, at: row.copy_at, note: row.copy_note },
            tries: row.copy_tries,
            // Where the operator named another remote meanwhile, this one is not asked any more.
            againAt:
              row.copy_state === 'failed' && folder.copies?.target === row.copied_to ? row.copy_due_at : null,
          },
  };
}
