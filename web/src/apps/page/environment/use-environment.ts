import type { Environment } from '@homeport/contract/apps/settings-schema';
import { messages } from '@homeport/contract/messages';
import { useQueryClient } from '@tanstack/react-query';
import { useReducer } from 'react';
import { useServerCall } from '../../../connections/call-on-server.ts';
import { isProblem } from '../../../data/api-problem.ts';
import { openOperation } from '../../../operations/open-operation.ts';
import { toast } from '../../../ui/feedback/toasts.ts';
import type { AppPlace } from '../../on-server/app-place.ts';
import { useOnServer } from '../../on-server/use-on-server.ts';
import { collidingKeys, listVariables, pendingChanges } from './staged-changes.ts';
import { noEdits, reduceVariableEdits } from './variable-edits.ts';

const nothingRead: Pick<Environment, 'values' | 'managed'> = { values: {}, managed: [] };

/** The app's variables as the server has them, and the edits until they are saved together. */
export function useEnvironment(place: AppPlace) {
  const client = useQueryClient();
  const { state, queryKey } = useOnServer('GET /api/apps/:id/environment', place, 'environment');
  const [{ staged, begun }, dispatch] = useReducer(reduceVariableEdits, noEdits);
  const save = useServerCall('PATCH /api/apps/:id/environment', {
    onDone: ({ environment, operation, notRestarted }) => {
      client.setQueryData(queryKey, environment);
      dispatch({ kind: 'forgotten' });
      toast.ok(messages.appConfigUpdated);
      if (operation) openOperation(operation.id);
      else if (notRestarted !== null) toast.warn('Saved, and not restarted', { detail: notRestarted });
    },
    // If the variable changed elsewhere, reads the new value and asks the user.
    onFailed: (error) => {
      if (isProblem(error, 'stale_edit')) void client.invalidateQueries({ queryKey });
    },
  });
  const present = state.kind === 'ready' ? state.data : nothingRead;
  const pending = pendingChanges(present, staged);
  const colliding = collidingKeys(present, staged, begun);
  return {
    state,
    variables: listVariables(present, staged),
    pending,
    /** Keys that somebody else changed after their edit began here. */
    colliding,
    save,
    send(restart: boolean) {
      const from = Object.fromEntries([...pending.keys()].map((key) => [key, begun.get(key) ?? null]));
      const values = Object.fromEntries(pending);
      save.mutate({ params: { id: place.app.id }, body: { values, from, restart } });
    },
    edit: (edits: readonly (readonly [string, string])[]) => dispatch({ kind: 'edited', edits, present }),
    takeBack: (keys: readonly string[]) => dispatch({ kind: 'taken back', keys }),
    keepMine: () => dispatch({ kind: 'kept mine', keys: colliding, present }),
    discard() {
      save.reset();
      dispatch({ kind: 'forgotten' });
    },
  };
}
