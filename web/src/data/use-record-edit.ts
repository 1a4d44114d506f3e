import type { ChangeTopic } from '@homeport/contract/live/facts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ZodType } from 'zod';
import { isProblem } from './api-problem.ts';
import { topicKey } from './query-keys.ts';

/** A kind of record that is edited. */
export interface RecordKind<A> {
  schema: ZodType<A>;
  topic: ChangeTopic;
}

/** `A`: the record. `T`: its edited part. `R`: the console's answer. */
export interface RecordEdit<A, T, R> {
  /** The part of the record that is edited. */
  part: (record: A) => T;
  /** Sends the edit, based on the known state of the record. */
  send: (mine: T, known: A) => Promise<R>;
  onSaved: (saved: R) => void;
}

/**
 * The record's present state when the console refused an edit because somebody else was faster. null for other
 * failures.
 */
export function changedElsewhere<A>(schema: ZodType<A>, error: unknown): A | null {
  if (!isProblem(error, 'stale_edit')) return null;
  return schema.safeParse(error.problem.current).data ?? null;
}

/**
 * Sends again when another part of the record was changed meanwhile: such a change does not collide.
 *
 * @throws the refusal, if the change collides.
 */
export async function sendEdit<A, T, R>(
  schema: ZodType<A>,
  { part, send }: Pick<RecordEdit<A, T, R>, 'part' | 'send'>,
  mine: T,
  known: A,
) {
  try {
    return await send(mine, known);
  } catch (error) {
    const now = changedElsewhere(schema, error);
    if (!now || JSON.stringify(part(now)) !== JSON.stringify(part(known))) throw error;
    return send(mine, now);
  }
}

/**
 * An edit of a record, starting from its state when the dialog opened. The dialog never silently overwrites a change made
 * elsewhere: `conflict` holds both versions, and `keepMine` sends the edit again on top of theirs.
 */
export function useRecordEdit<A, T, R>(
  record: A,
  { schema, topic }: RecordKind<A>,
  { part, send, onSaved }: RecordEdit<A, T, R>,
) {
  const client = useQueryClient();
  const [begun, setBegun] = useState(record);
  const act = useMutation<R, Error, { mine: T; known: A }>({
    mutationFn: ({ mine, known }) => sendEdit(schema, { part, send }, mine, known),
    onSuccess: onSaved,
    onSettled: () => client.invalidateQueries({ queryKey: topicKey(topic) }),
  });
  const theirs = changedElsewhere(schema, act.error);
  return {
    begun,
    /** Continues from the saved state, in a dialog that stays open. */
    beginFrom: (saved: A) => setBegun(() => saved),
    save: (mine: T) => act.mutate({ mine, known: begun }),
    conflict: theirs && act.variables ? { mine: act.variables.mine, theirs: part(theirs) } : null,
    keepMine: () => theirs && act.variables && act.mutate({ mine: act.variables.mine, known: theirs }),
    /** A failure other than the conflict. */
    error: theirs ? null : act.error,
    saving: act.isPending,
  };
}
