import { isProblem } from '../data/api-problem.ts';
import { call } from '../data/call.ts';
import { useSession } from '../data/session.ts';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import type { KeyRow } from './key-rows.ts';
import { dropHeldKey } from './keys/keystore.ts';

export interface DeleteKeyDialogProps {
  row: KeyRow;
  onClose: () => void;
  onDeleted: () => void;
}

export function DeleteKeyDialog({ row, onClose, onDeleted }: DeleteKeyDialogProps) {
  const { user } = useSession();
  const remove = async () => {
    // Asked also where the row says that the console does not have it: the row may be older than what another tab stored.
    await call('DELETE /api/keys/:id', { params: { id: row.id } }).catch((error: unknown) => {
      if (!isProblem(error, 'not_found')) throw error;
    });
    if (row.privatePart !== 'unknown') await dropHeldKey(user.id, row.id);
    onDeleted();
  };
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete ${row.name}?`}
      description={
        row.privatePart === 'open' || row.privatePart === 'locked'
          ? 'Its public half is removed from Homeport and its private half from this browser. Without a saved file the key is gone.'
          : 'Its public half is removed from Homeport.'
      }
      action="Delete key"
      busyLabel="Deleting"
      onConfirm={remove}
    >
      {row.usedBy.length > 0 && (
        <div className="stack g2 sm">
          <p>
            {row.usedBy.length === 1 ? 'This server loses' : 'These servers lose'} the credential and cannot
            be managed until another is chosen:
          </p>
          <ul className="losing">
            {row.usedBy.map(({ id, name }) => (
              <li key={id}>{name}</li>
            ))}
          </ul>
          <p className="muted">
            A server itself accepts the key until its line is removed from ~/.ssh/authorized_keys there.
          </p>
        </div>
      )}
    </ConfirmDialog>
  );
}
