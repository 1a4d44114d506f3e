import type { Key } from '@homeport/contract/credentials/schema';
import { nameCharacters, nameProblem } from '@homeport/contract/fields/facts';
import { messages } from '@homeport/contract/messages';
import { type FormEvent, useId, useRef, useState } from 'react';
import { fieldProblem } from '../data/api-problem.ts';
import { useAct } from '../data/use-api.ts';
import { ProblemBanner } from '../shell/ProblemBanner.tsx';
import { Dialog } from '../ui/dialog/Dialog.tsx';
import { SubmitButtons } from '../ui/dialog/SubmitButtons.tsx';
import { toast } from '../ui/feedback/toasts.ts';
import { TextField } from '../ui/form/Field.tsx';
import layout from '../ui/layout/layout.module.css';

/** Changes the name of a stored key. Nothing changes on the servers that use the key. */
export function RenameKeyDialog({
  stored,
  onClose,
}: {
  stored: Pick<Key, 'id' | 'name'>;
  onClose: () => void;
}) {
  const formId = useId();
  const input = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(stored.name);
  const rename = useAct('PATCH /api/keys/:id', {
    onDone: () => {
      toast.ok(messages.nameUpdated);
      onClose();
    },
  });
  const refusal = fieldProblem(rename.error, 'name');
  const problem = nameProblem(name);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (problem) input.current?.focus();
    else rename.mutate({ params: { id: stored.id }, body: { name } });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      size="slim"
      title="Rename key"
      description="Only the name in this console changes. The key and the servers that accept it stay as they are."
      dirty={name !== stored.name}
      initialFocus={input}
      footer={
        <SubmitButtons form={formId} onCancel={onClose} busy={rename.isPending} busyLabel="Saving">
          Save name
        </SubmitButtons>
      }
    >
      <form id={formId} className={layout.stack} noValidate inert={rename.isPending} onSubmit={submit}>
        {rename.error && !refusal && <ProblemBanner error={rename.error} />}
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
    </Dialog>
  );
}
