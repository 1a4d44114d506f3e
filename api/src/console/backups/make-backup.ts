import { randomBytes } from 'node:crypto';
import { backupsPerHour, proofEveryMs } from '@homeport/contract/console/facts';
import type { ConsoleBackup } from '@homeport/contract/console/schema';
import type { SessionIdentity } from '@homeport/contract/services';
import { isUniqueViolation } from '@homeport/store';
import { ProblemError } from '../../http/problem.ts';
import { noteSecurityEvent } from '../../security-events/note-event.ts';
import { BackupFailed, type BackupProof } from './backup-folder.ts';
import { copyAway, endGoneCopies } from './copy-away.ts';
import type { BackupDeps } from './deps.ts';
import { goneAfterMs, keepAlive } from './keep-alive.ts';
import { readBackup } from './list-backups.ts';
import { notifyOwner } from './notify-owner.ts';
import { readPlan } from './plan.ts';
import { removeOldBackups } from './remove-old.ts';

const hourMs = 60 * 60_000;

/** A backup that runs, and what waits for its end. */
export type Begun = { id: string; ended: Promise<void> };

/**
 * Begins a backup for the owner. It goes on without the page, and the row says how it ends.
 *
 * @throws ProblemError `busy` while another one runs, `too_many` after some within an hour, `conflict` without a key.
 */
export async function beginBackup(
  deps: BackupDeps,
  { userId, sessionId }: SessionIdentity,
  { encrypted }: { encrypted: boolean },
): Promise<{ begun: Begun; backup: ConsoleBackup }> {
  const { store, folder, clock } = deps;
  const now = clock();
  const { recipient } = await readPlan(store.db, folder);
  if (encrypted && recipient === null)
    throw new ProblemError('conflict', 'There is no key yet for which the backup could be encrypted.', {
      recovery: 'Make a key first, or ask for a backup in clear.',
    });
  const { count } = await store.db
    .selectFrom('console_backups')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('started_by', '=', 'owner')
    .where('started_at', '>', now - hourMs)
    .executeTakeFirstOrThrow();
  if (Number(count) >= backupsPerHour)
    throw new ProblemError(
      'too_many',
      `${backupsPerHour} backups were begun within an hour, which is the most. This one was not begun.`,
    );
  const begun = await begin(deps, 'owner', encrypted ? recipient : null);
  if (!begun)
    throw new ProblemError('busy', 'A backup of this console is being made already.', {
      recovery: 'Wait until it has ended.',
    });
  await noteSecurityEvent(store.db, {
    ...{ owner: userId, from: { sessionId }, at: now, kind: 'console_backup_made' },
    subject: encrypted ? 'encrypted' : 'in clear',
  });
  return { begun, backup: await readBackup(deps, begun.id) };
}

/** Begins the backup. Null while another one runs. */
export async function begin(
  deps: BackupDeps,
  startedBy: ConsoleBackup['startedBy'],
  recipient: string | null,
): Promise<Begun | null> {
  const { store, clock, running } = deps;
  const now = clock();
  await endGone(deps, now);
  const file = nameOf(now, recipient !== null);
  try {
    const { id } = await store.db
      .insertInto('console_backups')
      .values({ started_by: startedBy, encrypted: recipient !== null, file, started_at: now, alive_at: now })
      .returning('id')
      .executeTakeFirstOrThrow();
    await notifyOwner(store.db);
    const ended = run(deps, { id, file, recipient }).finally(() => running.delete(ended));
    running.add(ended);
    return { id, ended };
  } catch (error) {
    if (isUniqueViolation(error)) return null;
    throw error;
  }
}

/** `homeport-2026-11-26-0300-4f2a.age`: sorted by time, and never the name of another file. */
function nameOf(now: number, encrypted: boolean): string {
  const [date, time = ''] = new Date(now).toISOString().split('T');
  return `homeport-${date}-${time.slice(0, 5).replace(':', '')}-${randomBytes(3).toString('hex')}.${encrypted ? 'age' : 'tar.gz'}`;
}

async function run(
  deps: BackupDeps,
  { id, file, recipient }: { id: string; file: string; recipient: string | null },
): Promise<void> {
  const { folder, clock, report } = deps;
  const alive = keepAlive(deps, id);
  try {
    const prove = await isProofDue(deps);
    const { proof, ...made } = await folder.make(file, recipient, { prove });
    await end(deps, id, { state: 'done', ...made, ...(proof && proofColumns(proof, clock())) });
    // In clear it is for a move within the hour, and leaves this machine by hand only.
    if (recipient !== null) await copyAway(deps, { id, file });
    await removeOldBackups(deps);
  } catch (error) {
    if (!(error instanceof BackupFailed)) report(error);
    const failure =
      error instanceof BackupFailed ? error.message : 'It ended for a reason that the console’s log has.';
    await end(deps, id, { state: 'failed', failure }).catch(report);
  } finally {
    alive.stop();
  }
}

/** One backup a week is restored as a test. A proof that did not come about is due again. */
async function isProofDue({ store, clock }: BackupDeps): Promise<boolean> {
  const proven = await store.db
    .selectFrom('console_backups')
    .select('id')
    .where('proof', '=', 'proven')
    .where('proof_at', '>', clock() - proofEveryMs)
    .executeTakeFirst();
  return proven === undefined;
}

const proofColumns = (proof: BackupProof, now: number) => ({
  ...{ proof: proof.state, proof_at: now },
  proof_note: proof.state === 'proven' ? null : proof.note,
});

type End =
  | ({ state: 'done'; rows: number; bytes: number; sha256: string } & Partial<
      ReturnType<typeof proofColumns>
    >)
  | { state: 'failed'; failure: string };

async function end({ store, clock }: BackupDeps, id: string, ended: End): Promise<void> {
  await store.db
    .updateTable('console_backups')
    .set({ ...ended, ended_at: clock() })
    .where('id', '=', id)
    .execute();
  await notifyOwner(store.db);
}

/** The process that made it ended without a word. */
export async function endGone({ store }: Pick<BackupDeps, 'store'>, now: number): Promise<void> {
  const gone = await store.db
    .updateTable('console_backups')
    .set({
      state: 'failed',
      ended_at: now,
      failure: 'The console ended while the backup was made. Nothing of it was kept.',
    })
    .where('state', '=', 'running')
    .where('alive_at', '<', now - goneAfterMs)
    .returning('id')
    .execute();
  const areCopiesGone = await endGoneCopies({ store }, now);
  if (gone.length > 0 || areCopiesGone) await notifyOwner(store.db);
}
