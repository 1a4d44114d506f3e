import type { SessionIdentity } from '@homeport/contract/services';
import type { FileAnswer } from '../../http/file-answer.ts';
import { ProblemError } from '../../http/problem.ts';
import { noteSecurityEvent } from '../../security-events/note-event.ts';
import type { BackupDeps } from './deps.ts';
import { findBackup } from './list-backups.ts';

/** A backup leaves the console: the person hears of it as of a way in. The file itself is read by a GET, which writes nothing. */
export async function noteFetch(
  { store, clock }: BackupDeps,
  { userId, sessionId }: SessionIdentity,
  id: string,
): Promise<void> {
  const { file } = await findBackup({ store }, id);
  await noteSecurityEvent(store.db, {
    ...{ owner: userId, from: { sessionId }, at: clock(), kind: 'console_backup_fetched', subject: file },
  });
}

export async function fetchBackup({ store, folder }: BackupDeps, id: string): Promise<FileAnswer> {
  const { file } = await findBackup({ store }, id);
  const opened = await folder.open(file);
  if (!opened) throw new ProblemError('not_found', 'The file of this backup is not on this machine.');
  return {
    ...{ name: file, bytes: opened.bytes },
    async pour(take) {
      for await (const chunk of opened.chunks) await take(chunk);
    },
  };
}
