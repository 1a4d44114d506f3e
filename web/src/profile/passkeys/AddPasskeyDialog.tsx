import { nameCharacters, nameProblem } from '@homeport/contract/fields/facts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useRef, useState } from 'react';
import { call } from '../../data/call.ts';
import { callConfirmed } from '../../data/call-confirmed.ts';
import { renewTopic } from '../../data/live/renew-topic.ts';
import { makePasskey, NoPasskey } from '../../keys/passkey-device.ts';
import { ProblemBanner } from '../../page-frame/ProblemBanner.tsx';
import { Dialog } from '../../ui/dialog/Dialog.tsx';
import { SubmitButtons } from '../../ui/dialog/SubmitButtons.tsx';
import { Banner } from '../../ui/feedback/Banner.tsx';
import { toast } from '../../ui/feedback/toasts.ts';
import { TextField } from '../../ui/form/Field.tsx';
import layout from '../../ui/layout/layout.module.css';

export interface AddPasskeyDialogProps {
  onClose: () => void;
}

/** Asks for a name, and has a device make the passkey. */
export function AddPasskeyDialog({ onClose }: AddPasskeyDialogProps) {
  const formId = useId();
  const client = useQueryClient();
  const first = useRef<HTMLInputElement>(null);
  const [name, setName] = useState('');
  const [sent, setSent] = useState(false);
  const add = useMutation({
    mutationFn: async () => {
      const options = await callConfirmed('POST /api/passkeys/begin');
      return call('POST /api/passkeys', { body: { name, made: await makePasskey(options) } });
    },
    onSuccess: async () => {
      toast.ok(`Passkey ${name.trim()} added`);
      await renewTopic(client, 'passkeys');
      onClose();
    },
  });
  const wrongName = nameProblem(name);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (wrongName) first.current?.focus();
    else add.mutate();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Add a passkey"
      description="Your browser asks next which device or password manager keeps it."
      dirty={name !== ''}
      initialFocus={first}
      footer={
        <SubmitButtons
          form={formId}
          onCancel={onClose}
          busy={add.isPending}
          busyLabel="Waiting for the device"
        >
          Add passkey
        </SubmitButtons>
      }
    >
      <form id={formId} className={layout.stack} noValidate inert={add.isPending} onSubmit={submit}>
        {add.error instanceof NoPasskey ? (
          <Banner tone="bad">{add.error.message} Nothing was added.</Banner>
        ) : (
          add.error && <ProblemBanner error={add.error} />
        )}
        <TextField
          ref={first}
          label="Name"
          help="Say where the passkey is: the device or the password manager."
          autoComplete="off"
          maxLength={nameCharacters}
          value={name}
          error={sent ? (wrongName ?? undefined) : undefined}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </form>
    </Dialog>
  );
}
