import { passwordCharacters } from '@homeport/contract/identity/facts';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId, useRef, useState } from 'react';
import { fieldProblem } from '../../data/problem-text.ts';
import { ProblemBanner } from '../../page-frame/ProblemBanner.tsx';
import { Dialog } from '../../ui/dialog/Dialog.tsx';
import { SubmitButtons } from '../../ui/dialog/SubmitButtons.tsx';
import { PasswordField } from '../../ui/form/Field.tsx';
import layout from '../../ui/layout/layout.module.css';
import { useFocusAfterRefusal } from '../use-focus-after-refusal.ts';

export interface PasswordDialogProps<T> {
  title: string;
  description: string;
  action: string;
  busyLabel: string;
  danger?: boolean;
  send: (password: string) => Promise<T>;
  onDone: (answer: T) => void;
  onClose: () => void;
}

/** Asks for the password again before a change of the account. */
export function PasswordDialog<T>(props: PasswordDialogProps<T>) {
  const { title, description, action, busyLabel, danger = false, send, onDone, onClose } = props;
  const formId = useId();
  const input = useRef<HTMLInputElement>(null);
  const [password, setPassword] = useState('');
  const act = useMutation({ mutationFn: send, onSuccess: onDone });
  useFocusAfterRefusal(act.error, 'password', input);
  const refusal = fieldProblem(act.error, 'password');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    act.mutate(password);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      size="slim"
      title={title}
      description={description}
      initialFocus={input}
      footer={
        <SubmitButtons
          form={formId}
          onCancel={onClose}
          busy={act.isPending}
          busyLabel={busyLabel}
          variant={danger ? 'danger' : 'primary'}
        >
          {action}
        </SubmitButtons>
      }
    >
      <form
        data-keeps="nothing"
        id={formId}
        className={layout.stack}
        noValidate
        inert={act.isPending}
        onSubmit={submit}
      >
        {act.error && !refusal && <ProblemBanner error={act.error} />}
        <PasswordField
          ref={input}
          label="Your password"
          autoComplete="current-password"
          maxLength={passwordCharacters.most}
          value={password}
          error={refusal}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
      </form>
    </Dialog>
  );
}
