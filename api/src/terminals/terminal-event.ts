import { eventSubjectCharacters } from '@homeport/contract/account/facts';
import type { Database, Owner } from '@homeport/store';
import type { Kysely } from 'kysely';
import { completeEvent } from '../security-events/complete-event.ts';
import { noteSecurityEvent } from '../security-events/note-event.ts';

/**
 * Notes that a terminal opens, before the server hears of it: whose sign-in opened it, and where. Returns what completes the event at
 * the end, with the time and the bytes. No key and no output is noted.
 */
export async function noteTerminal(
  db: Kysely<Database>,
  { owner, sessionId, where }: { owner: Owner; sessionId: string; where: string },
): Promise<(end: { seconds: number; typedBytes: number; shownBytes: number } | null) => Promise<void>> {
  const id = await db.transaction().execute((transaction) =>
    noteSecurityEvent(transaction, {
      ...{ owner, kind: 'terminal_opened', subject: where, from: { sessionId }, at: Date.now() },
    }),
  );
  if (id === null) throw new Error('An event of a terminal is always a new one.');
  return (end) => {
    const how = end
      ? `: ${inTime(end.seconds)}, ${inSize(end.typedBytes)} typed, ${inSize(end.shownBytes)} shown`
      : ': not opened';
    // Names may be long; the end of an event says more than the end of a name.
    const subject = `${where.slice(0, eventSubjectCharacters - how.length)}${how}`;
    return completeEvent(db, { owner, id, subject });
  };
}

const inTime = (seconds: number) => (seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`);

const inSize = (bytes: number) =>
  bytes < 1_000
    ? `${bytes} B`
    : bytes < 1e6
      ? `${Math.round(bytes / 1e3)} kB`
      : `${(bytes / 1e6).toFixed(1)} MB`;
