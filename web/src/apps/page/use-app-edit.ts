import { type App, appSchema } from '@homeport/contract/apps/schema';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isProblem } from '../../data/api-problem.ts';
import { topicKey } from '../../data/query-keys.ts';

export interface AppEdit<T, R> {
  /** The part of the app that is edited. */
  part: (app: App) => T;
  /** Sends the edit, based on the known state of the app. */
  send: (mine: T, known: App) => Promise<R>;
  onSaved: (saved: R) => void;
}

/**
 * The app's present state when the console refused an edit because somebody else was faster. null for other
 * failures.
 */
export function changedElsewhere(error: unknown): App | null {
  if (!isProblem(error, 'stale_edit')) return null;
  return appSchema.safeParse(error.problem.current).data ?? null;
}

/**
 * Sends again when another part of the app was changed meanwhile: such a change does not collide.
 *
 * @throws the refusal, if the change collides.
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
 * An edit of the app, starting from the app's state when the dialog opened. The dialog never silently
 * overwrites a change made elsewhere: `conflict` holds both versions, and `keepMine` sends the edit again on
 * top of theirs.
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
    /** Continues from the saved state, in a dialog that stays open. */
    beginFrom: setBegun,
    save: (mine: T) => act.mutate({ mine, known: begun }),
    conflict: theirs && act.variables ? { mine: act.variables.mine, theirs: part(theirs) } : null,
    keepMine: () => theirs && act.variables && act.mutate({ mine: act.variables.mine, known: theirs }),
    /** A failure other than the conflict. */
    error: theirs ? null : act.error,
    saving: act.isPending,
  };
}
