import type { Server } from '@homeport/contract/servers/schema';
import { useState } from 'react';
import { useAct } from '../../../data/use-api.ts';
import { changedElsewhere, collides, type ServerChanges } from './stale-edit.ts';

export interface EditConflict {
  mine: ServerChanges;
  theirs: Server;
}

export interface ServerEdit {
  save: (changes: ServerChanges) => void;
  keepMine: () => void;
  conflict: EditConflict | null;
  /** A failure other than the conflict. */
  error: Error | null;
  saving: boolean;
}

/**
 * Saves changes to a server, starting from the server's state when the dialog opened. The dialog never
 * silently overwrites a change made elsewhere: `conflict` holds both versions, and `keepMine` sends the edit
 * again on top of theirs.
 */
export function useServerEdit(server: Server, onSaved: (saved: Server) => void): ServerEdit {
  const [before] = useState(server);
  const [conflict, setConflict] = useState<EditConflict | null>(null);
  const act = useAct('PATCH /api/servers/:id', { onDone: onSaved });

  function send(mine: ServerChanges, version: number) {
    setConflict(null);
    act.mutate(
      { params: { id: server.id }, body: { version, ...mine } },
      {
        onError(error) {
          const theirs = changedElsewhere(error);
          if (!theirs) return;
          if (collides(before, theirs, mine)) setConflict({ mine, theirs });
          else send(mine, theirs.version);
        },
      },
    );
  }

  return {
    save: (changes: ServerChanges) => send(changes, before.version),
    keepMine: () => conflict && send(conflict.mine, conflict.theirs.version),
    conflict,
    error: act.error && changedElsewhere(act.error) ? null : act.error,
    saving: act.isPending,
  };
}
