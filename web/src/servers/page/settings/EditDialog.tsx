import type { ReactNode, SubmitEventHandler } from 'react';
import { problemText } from '../../../data/problem-text.ts';
import { Button } from '../../../ui/button/Button.tsx';
import { Conflict } from '../../../ui/dialog/Conflict.tsx';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { Failed } from '../../../ui/feedback/States.tsx';
import layout from '../../../ui/layout/layout.module.css';
import type { ServerChanges } from './stale-edit.ts';
import type { EditConflict, ServerEdit } from './use-server-edit.ts';

export interface EditDialogProps {
  title: string;
  description?: string;
  dirty: boolean;
  edit: Omit<ServerEdit, 'save'>;
  /** Why nothing can be saved yet. */
  held?: string | null;
  /** The changed values in words, for the comparison with the other version. */
  show: (values: ServerChanges) => readonly { label: string; value: string }[];
  onSubmit: SubmitEventHandler<HTMLFormElement>;
  onClose: () => void;
  children: ReactNode;
}

/**
 * The frame of the dialogs that edit a server: the form, its failure, and the conflict with a change made
 * elsewhere.
 */
export function EditDialog({
  title,
  description,
  dirty,
  edit: { saving, error, conflict, keepMine },
  held,
  show,
  onSubmit,
  onClose,
  children,
}: EditDialogProps) {
  return (
    <Dialog
      open
      title={title}
      description={description}
      dirty={dirty && !saving}
      onClose={onClose}
      footer={
        <>
          <Button className={layout.atEnd} onClick={onClose}>
            Cancel
          </Button>
          {!conflict && (
            <Button
              variant="primary"
              type="submit"
              form="edit-server"
              busy={saving}
              busyLabel="Saving"
              disabledReason={held}
            >
              Save
            </Button>
          )}
        </>
      }
    >
      <form
        id="edit-server"
        className={layout.stack}
        noValidate
        inert={saving || conflict !== null}
        onSubmit={onSubmit}
      >
        {children}
      </form>
      {conflict && <Conflict rows={compare(conflict, show)} onKeepMine={keepMine} onTakeTheirs={onClose} />}
      {error && <Failed title="Nothing was saved">{problemText(error)}</Failed>}
    </Dialog>
  );
}

function compare({ mine, theirs }: EditConflict, show: EditDialogProps['show']) {
  const other = show(theirs);
  return show(mine).map(({ label, value }, row) => ({
    label,
    mine: value,
    theirs: other[row]?.value ?? '',
  }));
}
