import { type App, appSchema } from '@homeport/contract/apps';
import { messages } from '@homeport/contract/messages';
import { type FormEvent, useId, useRef, useState } from 'react';
import { fieldProblem, isProblem, problemText } from '../../data/api-problem.ts';
import { useAct } from '../../data/use-api.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextField } from '../../ui/Field.tsx';
import { toast } from '../../ui/toasts.ts';

/** The name that people read; the name on the server stays as it is. */
export function EditNameDialog({ app, onClose }: { app: App; onClose: () => void }) {
  const formId = useId();
  const input = useRef<HTMLInputElement>(null);
  // The version that this edit began from: a change from elsewhere meanwhile must not be overwritten unseen.
  const [begun] = useState(app);
  const [name, setName] = useState(app.name);
  const save = useAct('PATCH /api/apps/:id', {
    onDone: () => {
      toast.ok(messages.nameUpdated);
      onClose();
    },
  });
  const theirs = isProblem(save.error, 'stale_edit')
    ? appSchema.pick({ name: true, version: true }).safeParse(save.error.problem.current).data
    : undefined;
  const send = (version: number) => save.mutate({ params: { id: app.id }, body: { version, name } });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send(begun.version);
  };
  const fieldError = name.trim() === '' ? 'Enter a name.' : fieldProblem(save.error, 'name');

  return (
    <Dialog
      open
      onClose={onClose}
      size="slim"
      title="Edit name"
      description={`Its name on the server stays ${app.longname}.`}
      dirty={name !== begun.name}
      initialFocus={input}
      footer={
        theirs ? (
          <>
            <Button className="end" onClick={onClose}>
              Take theirs
            </Button>
            <Button
              variant="primary"
              busy={save.isPending}
              busyLabel="Saving"
              onClick={() => send(theirs.version)}
            >
              Keep mine
            </Button>
          </>
        ) : (
          <>
            <Button className="end" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" form={formId} variant="primary" busy={save.isPending} busyLabel="Saving">
              Save name
            </Button>
          </>
        )
      }
    >
      <form id={formId} className="stack" noValidate inert={save.isPending} onSubmit={submit}>
        {theirs && (
          <Banner tone="warn">
            <p>
              This was changed elsewhere. Theirs: <b>{theirs.name}</b>. Yours: <b>{name}</b>.
            </p>
          </Banner>
        )}
        {save.error && !theirs && !fieldError && (
          <Banner tone="bad">
            <p>{problemText(save.error)}</p>
          </Banner>
        )}
        <TextField
          ref={input}
          label="Name"
          autoComplete="off"
          maxLength={80}
          value={name}
          error={fieldError}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </form>
    </Dialog>
  );
}
