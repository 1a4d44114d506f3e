import { messages } from '@homeport/contract/messages';
import { type RecordKind, useRecordEdit } from '../data/use-record-edit.ts';
import { Conflict } from '../ui/dialog/Conflict.tsx';
import { toast } from '../ui/feedback/toasts.ts';
import { RenameDialog } from './RenameDialog.tsx';

interface EditNameDialogProps<A extends { name: string }> {
  record: A;
  kind: RecordKind<A>;
  /** What the new name leaves as it is. */
  description: string;
  /** Sends the name, based on the known state of the record. */
  send: (name: string, known: A) => Promise<unknown>;
  onClose: () => void;
}

/** Changes the display name of a record. */
export function EditNameDialog<A extends { name: string }>({
  record,
  kind,
  description,
  send,
  onClose,
}: EditNameDialogProps<A>) {
  const edit = useRecordEdit(record, kind, {
    part: (each) => each.name,
    send,
    onSaved: () => {
      toast.ok(messages.nameUpdated);
      onClose();
    },
  });
  return (
    <RenameDialog
      title="Edit name"
      description={description}
      name={edit.begun.name}
      busy={edit.saving}
      error={edit.error}
      conflict={
        edit.conflict && (
          <Conflict
            rows={[{ label: 'Name', ...edit.conflict }]}
            busy={edit.saving}
            onKeepMine={edit.keepMine}
            onTakeTheirs={onClose}
          />
        )
      }
      onRename={edit.save}
      onClose={onClose}
    />
  );
}
