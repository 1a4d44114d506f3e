import { nameCharacters, nameProblem } from '@homeport/contract/fields/facts';
import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react';
import { fieldProblem } from '../data/problem-text.ts';
import { ProblemBanner } from '../page-frame/ProblemBanner.tsx';
import { Button } from '../ui/button/Button.tsx';
import { Dialog } from '../ui/dialog/Dialog.tsx';
import { SubmitButtons } from '../ui/dialog/SubmitButtons.tsx';
import { TextField } from '../ui/form/Field.tsx';
import layout from '../ui/layout/layout.module.css';

interface RenameDialogProps {
  title: string;
  /** What the new name leaves as it is. */
  description: string;
  name: string;
  busy: boolean;
  error: Error | null;
  /** What the person has to decide before another name can be sent. It stands below the form. */
  conflict?: ReactNode;
  onRename: (name: string) => void;
  onClose: () => void;
}

/** Changes the name of a thing that only its owner sees. For a record that others may change meanwhile there is `EditNameDialog`. */
export function RenameDialog({
  title,
  description,
  name: before,
  busy,
  error,
  conflict = null,
  onRename,
  onClose,
}: RenameDialogProps) {
  const formId = useId();
  const input = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(before);
  const refusal = fieldProblem(error, 'name');
  const problem = nameProblem(name);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (problem) input.current?.focus();
    else onRename(name.trim());
  };
  return (
    <Dialog
      open
      onClose={onClose}
      size="slim"
      title={title}
      description={description}
      dirty={name !== before}
      initialFocus={input}
      footer={
        conflict ? (
          <Button className={layout.atEnd} onClick={onClose}>
            Cancel
          </Button>
        ) : (
          <SubmitButtons form={formId} onCancel={onClose} busy={busy} busyLabel="Saving">
            Save name
          </SubmitButtons>
        )
      }
    >
      <form
        id={formId}
        className={layout.stack}
        noValidate
        inert={busy || conflict !== null}
        onSubmit={submit}
      >
        {error && !refusal && <ProblemBanner error={error} />}
        <TextField
          ref={input}
          label="Name"
          autoComplete="off"
          maxLength={nameCharacters}
          value={name}
          error={problem ?? refusal}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </form>
      {conflict}
    </Dialog>
  );
}
