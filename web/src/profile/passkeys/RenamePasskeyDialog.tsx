import { nameCharacters, nameProblem } from '@homeport/contract/fields/facts';
import { messages } from '@homeport/contract/messages';
import type { Passkey } from '@homeport/contract/passkeys/schema';
import { type FormEvent, useId, useRef, useState } from 'react';
import { fieldProblem } from '../../data/api-problem.ts';
import { useAct } from '../../data/use-api.ts';
import { ProblemBanner } from '../../shell/ProblemBanner.tsx';
import { Dialog } from '../../ui/dialog/Dialog.tsx';
import { SubmitButtons } from '../../ui/dialog/SubmitButtons.tsx';
import { toast } from '../../ui/feedback/toasts.ts';
import { TextField } from '../../ui/form/Field.tsx';
import layout from '../../ui/layout/layout.module.css';

/** Changes the name of a passkey here. The device keeps the name that it shows. */
export function RenamePasskeyDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const formId = useId();
  const input = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(passkey.name);
  const rename = useAct('PATCH /api/passkeys/:id', {
    onDone: () => {
      toast.ok(messages.nameUpdated);
      onClose();
    },
  });
  const refusal = fieldProblem(rename.error, 'name');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (nameProblem(name) === null) rename.mutate({ params: { id: passkey.id }, body: { name } });
    else input.current?.focus();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      size="slim"
      title="Rename passkey"
      description="The device goes on to show its own name."
      dirty={name !== passkey.name}
      initialFocus={input}
      footer={
        <SubmitButtons form={formId} onCancel={onClose} busy={rename.isPending} busyLabel="Saving">
          Save
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
          error={nameProblem(name) ?? refusal}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </form>
    </Dialog>
  );
}
