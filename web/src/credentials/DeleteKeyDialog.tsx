import { isProblem } from '../data/api-problem.ts';
import { call } from '../data/call.ts';
import { useSession } from '../data/session.ts';
import { dropHeldKey } from '../keys/keystore/keystore.ts';
import { classNames } from '../ui/class-names.ts';
import { ConfirmDialog } from '../ui/dialog/ConfirmDialog.tsx';
import layout from '../ui/layout/layout.module.css';
import typography from '../ui/text/typography.module.css';
import styles from './DeleteKeyDialog.module.css';
import type { KeyRow } from './key-rows.ts';

export interface DeleteKeyDialogProps {
  row: KeyRow;
  onClose: () => void;
  onDeleted: () => void;
}

export function DeleteKeyDialog({ row, onClose, onDeleted }: DeleteKeyDialogProps) {
  const { user } = useSession();
  const remove = async () => {
    // The row may be older than a change by another tab. Therefore the page calls the console even if the row
    // says that the console lacks the key.
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
        <div className={classNames(layout.stack, layout.gap2, typography.small)}>
          <p>
            {row.usedBy.length === 1 ? 'This server loses' : 'These servers lose'} the credential and cannot
            be managed until another is chosen:
          </p>
          <ul className={styles.losing}>
            {row.usedBy.map(({ id, name }) => (
              <li key={id}>{name}</li>
            ))}
          </ul>
          <p className={typography.muted}>
            A server itself accepts the key until its line is removed from ~/.ssh/authorized_keys there.
          </p>
        </div>
      )}
    </ConfirmDialog>
  );
}
