import { type App, appSchema } from '@homeport/contract/apps/schema';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isProblem } from '../../data/api-problem.ts';
import { topicKey } from '../../data/query-keys.ts';

export interface AppEdit<T, R> {
  /** The part of the app that is edited. */
  part: (app: App) => T;
  /** Sends the edit on top of the app as it was known. */
  send: (mine: T, known: App) => Promise<R>;
  onSaved: (saved: R) => void;
}

/** The app as it stands now, where an edit was refused because somebody else was faster; null for other failures. */
export function changedElsewhere(error: unknown): App | null {
  if (!isProblem(error, 'stale_edit')) return null;
  return appSchema.safeParse(error.problem.current).data ?? null;
}

/**
 * Sends once more where only something else of the app was changed meanwhile: that collides with nothing.
 *
 * @throws what the refusal was, where it does collide.
 */
export async function sendEdit<T, R>(
  { part, send }: Pick<AppEdit<T, R>, 'part' | 'send'>,
  mine: T,
  known: App,
) {
  try {
    return await send(mine, known);
  } catch (error) {
    const now = changedElsewhere(error);
    if (!now || JSON.stringify(part(now)) !== JSON.stringify(part(known))) throw error;
    return send(mine, now);
  }
}

/**
 * An edit of the app as it was when the dialog opened. What was changed elsewhere meanwhile is never overwritten without a
 * word: `conflict` holds both, `keepMine` sends once more on top of theirs.
 */
export function useAppEdit<T, R>(app: App, { part, send, onSaved }: AppEdit<T, R>) {
  const client = useQueryClient();
  const [begun, setBegun] = useState(app);
  const act = useMutation<R, Error, { mine: T; known: App }>({
    mutationFn: ({ mine, known }) => sendEdit({ part, send }, mine, known),
    onSuccess: onSaved,
    onSettled: () => client.invalidateQueries({ queryKey: topicKey('apps') }),
  });
  const theirs = changedElsewhere(act.error);
  return {
    begun,
    /** Goes on from what was saved, in a dialog that stays open. */
    beginFrom: setBegun,
    save: (mine: T) => act.mutate({ mine, known: begun }),
    conflict: theirs && act.variables ? { mine: act.variables.mine, theirs: part(theirs) } : null,
    keepMine: () => theirs && act.variables && act.mutate({ mine: act.variables.mine, known: theirs }),
    /** A failure other than the conflict. */
    error: theirs ? null : act.error,
    saving: act.isPending,
  };
}
