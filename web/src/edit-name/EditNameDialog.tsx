import { nameCharacters, nameProblem } from '@homeport/contract/fields/facts';
import { messages } from '@homeport/contract/messages';
import { type FormEvent, useId, useRef, useState } from 'react';
import { fieldProblem } from '../data/api-problem.ts';
import { type RecordKind, useRecordEdit } from '../data/use-record-edit.ts';
import { ProblemBanner } from '../shell/ProblemBanner.tsx';
import { Button } from '../ui/button/Button.tsx';
import { Conflict } from '../ui/dialog/Conflict.tsx';
import { Dialog } from '../ui/dialog/Dialog.tsx';
import { toast } from '../ui/feedback/toasts.ts';
import { TextField } from '../ui/form/Field.tsx';
import layout from '../ui/layout/layout.module.css';

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
  const formId = useId();
  const input = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(record.name);
  const edit = useRecordEdit(record, kind, {
    part: (each) => each.name,
    send,
    onSaved: () => {
      toast.ok(messages.nameUpdated);
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (nameProblem(name) === null) edit.save(name.trim());
    else input.current?.focus();
  };
  const refusal = fieldProblem(edit.error, 'name');
  return (
    <Dialog
      open
      onClose={onClose}
      size="slim"
      title="Edit name"
      description={description}
      dirty={name !== edit.begun.name}
      initialFocus={input}
      footer={
        <>
          <Button className={layout.atEnd} onClick={onClose}>
            Cancel
          </Button>
          {!edit.conflict && (
            <Button type="submit" form={formId} variant="primary" busy={edit.saving} busyLabel="Saving">
              Save name
            </Button>
          )}
        </>
      }
    >
      <form
        id={formId}
        className={layout.stack}
        noValidate
        inert={edit.saving || edit.conflict !== null}
        onSubmit={submit}
      >
        {edit.error && !refusal && <ProblemBanner error={edit.error} />}
        <TextField
          ref={input}
          label="Name"
          autoComplete="off"
          maxLength={nameCharacters}
          value={name}
          error={nameProblem(name) ?? refusal}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </form>
      {edit.conflict && (
        <Conflict
          rows={[{ label: 'Name', ...edit.conflict }]}
          busy={edit.saving}
          onKeepMine={edit.keepMine}
          onTakeTheirs={onClose}
        />
      )}
    </Dialog>
  );
}
