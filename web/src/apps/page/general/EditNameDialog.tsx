import type { App } from '@homeport/contract/apps/schema';
import { nameCharacters } from '@homeport/contract/fields/facts';
import { messages } from '@homeport/contract/messages';
import { type FormEvent, useId, useRef, useState } from 'react';
import { fieldProblem } from '../../../data/api-problem.ts';
import { call } from '../../../data/call.ts';
import { ProblemBanner } from '../../../shell/ProblemBanner.tsx';
import { Button } from '../../../ui/button/Button.tsx';
import { Conflict } from '../../../ui/dialog/Conflict.tsx';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { toast } from '../../../ui/feedback/toasts.ts';
import { TextField } from '../../../ui/form/Field.tsx';
import layout from '../../../ui/layout/layout.module.css';
import { useAppEdit } from '../use-app-edit.ts';

/** Changes the display name. The name on the server stays as it is. */
export function EditNameDialog({ app, onClose }: { app: App; onClose: () => void }) {
  const formId = useId();
  const input = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(app.name);
  const edit = useAppEdit(app, {
    part: (each) => each.name,
    send: (mine, { id, version }) =>
      call('PATCH /api/apps/:id', { params: { id }, body: { version, name: mine } }),
    onSaved: () => {
      toast.ok(messages.nameUpdated);
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    edit.save(name);
  };
  const refusal = fieldProblem(edit.error, 'name');
  const fieldError = name.trim() === '' ? 'Enter a name.' : refusal;

  return (
    <Dialog
      open
      onClose={onClose}
      size="slim"
      title="Edit name"
      description={`Its name on the server stays ${app.longname}.`}
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
          error={fieldError}
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
