import { emailCharacters } from '@homeport/contract/fields/facts';
import { passwordCharacters } from '@homeport/contract/identity/facts';
import { type FormEvent, useId, useRef, useState } from 'react';
import { fieldProblem } from '../../data/problem-text.ts';
import { useAct } from '../../data/use-api.ts';
import { ProblemBanner } from '../../page-frame/ProblemBanner.tsx';
import { Dialog } from '../../ui/dialog/Dialog.tsx';
import { SubmitButtons } from '../../ui/dialog/SubmitButtons.tsx';
import { PasswordField, TextField } from '../../ui/form/Field.tsx';
import layout from '../../ui/layout/layout.module.css';
import { useFocusAfterRefusal } from '../use-focus-after-refusal.ts';

/** Asks for the new address and the password. The change waits for two mailed links afterwards. */
export function ChangeEmailDialog({ onClose }: { onClose: () => void }) {
  const formId = useId();
  const address = useRef<HTMLInputElement>(null);
  const proof = useRef<HTMLInputElement>(null);
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const begin = useAct('PUT /api/profile/email-change', { onDone: onClose });
  useFocusAfterRefusal(begin.error, 'password', proof);
  useFocusAfterRefusal(begin.error, 'email', address);
  const problems = {
    email: fieldProblem(begin.error, 'email'),
    password: fieldProblem(begin.error, 'password'),
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    begin.mutate({ body: { email, password } });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      size="slim"
      dirty={email !== '' && !begin.isPending}
      title="Change e-mail"
      description="Homeport mails a link to your present address, and then one to the new address. The address changes when you have opened both."
      initialFocus={address}
      footer={
        <SubmitButtons form={formId} onCancel={onClose} busy={begin.isPending} busyLabel="Sending">
          Send the first link
        </SubmitButtons>
      }
    >
      <form id={formId} className={layout.stack} noValidate inert={begin.isPending} onSubmit={submit}>
        {begin.error && !problems.email && !problems.password && <ProblemBanner error={begin.error} />}
        <TextField
          ref={address}
          label="New e-mail"
          type="email"
          autoComplete="email"
          required
          maxLength={emailCharacters}
          value={email}
          error={problems.email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordField
          ref={proof}
          label="Your password"
          autoComplete="current-password"
          maxLength={passwordCharacters.most}
          value={password}
          error={problems.password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
      </form>
    </Dialog>
  );
}
