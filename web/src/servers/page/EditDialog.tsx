import type { ReactNode, SubmitEventHandler } from 'react';
import { problemText } from '../../data/api-problem.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Failed } from '../../ui/States.tsx';
import type { ServerChanges } from './stale-edit.ts';
import type { EditConflict } from './use-server-edit.ts';

export interface EditDialogProps {
  title: string;
  description?: string;
  dirty: boolean;
  saving: boolean;
  error: Error | null;
  conflict: EditConflict | null;
  /** The changed values in words, for the comparison. */
  show: (values: ServerChanges) => readonly { label: string; value: string }[];
  onSubmit: SubmitEventHandler<HTMLFormElement>;
  onKeepMine: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** The frame of the dialogs that edit a server: form, failure, and what to do when it was changed elsewhere. */
export function EditDialog({
  title,
  description,
  dirty,
  saving,
  error,
  conflict,
  show,
  onSubmit,
  onKeepMine,
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
          <Button className="end" onClick={onClose}>
            Cancel
          </Button>
          {!conflict && (
            <Button variant="primary" type="submit" form="edit-server" busy={saving} busyLabel="Saving">
              Save
            </Button>
          )}
        </>
      }
    >
      <form
        id="edit-server"
        className="stack"
        noValidate
        inert={saving || conflict !== null}
        onSubmit={onSubmit}
      >
        {children}
      </form>
      {conflict && (
        <Conflict conflict={conflict} show={show} onKeepMine={onKeepMine} onTakeTheirs={onClose} />
      )}
      {error && <Failed title="Nothing was saved">{problemText(error)}</Failed>}
    </Dialog>
  );
}

function Conflict({
  conflict: { mine, theirs },
  show,
  onKeepMine,
  onTakeTheirs,
}: Pick<EditDialogProps, 'show' | 'onKeepMine'> & { conflict: EditConflict; onTakeTheirs: () => void }) {
  const other = show(theirs);
  return (
    <section className="banner warn conflict" aria-labelledby="conflict-title" role="alert">
      <div className="grow stack g3">
        <p className="strong" id="conflict-title">
          This was changed elsewhere
        </p>
        <table className="compact">
          <thead>
            <tr>
              <th scope="col">
                <span className="sr">Field</span>
              </th>
              <th scope="col">Mine</th>
              <th scope="col">Theirs</th>
            </tr>
          </thead>
          <tbody>
            {show(mine).map(({ label, value }, row) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{value}</td>
                <td>{other[row]?.value}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <div className="row">
          <Button size="sm" onClick={onKeepMine}>
            Keep mine
          </Button>
          <Button size="sm" onClick={onTakeTheirs}>
            Take theirs
          </Button>
        </div>
      </div>
    </section>
  );
}
