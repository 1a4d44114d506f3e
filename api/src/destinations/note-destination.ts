import type { OwnerWrite } from '@homeport/store';
import { noteSecurityEvent } from '../security-events/note-event.ts';

/** Tells the person of a place that gets the news from now on: whoever held the account for a moment could listen for years. */
export async function noteDestination(
  { owner, db }: OwnerWrite,
  kind: 'destination_added' | 'destination_changed',
  destination: { kind: string; shown: string; sessionId: string; at: number },
): Promise<void> {
  const { sessionId, at } = destination;
  const subject = `${destination.kind}, ${destination.shown}`;
  await noteSecurityEvent(db, { owner, kind, subject, from: { sessionId }, at });
}
