import { passwordCharacters, passwordHint } from '@homeport/contract/identity/facts';
import { type FormEvent, useId, useReducer, useRef } from 'react';
import { fieldProblem, problemText } from '../../data/problem-text.ts';
import { useAct } from '../../data/use-api.ts';
import { Dialog } from '../../ui/dialog/Dialog.tsx';
import { SubmitButtons } from '../../ui/dialog/SubmitButtons.tsx';
import { toast } from '../../ui/feedback/toasts.ts';
import { Checkbox } from '../../ui/form/Choice.tsx';
import { PasswordField } from '../../ui/form/Field.tsx';
import layout from '../../ui/layout/layout.module.css';
import { useFocusAfterRefusal } from '../use-focus-after-refusal.ts';
import { emptyPasswordForm, passwordForm, passwordProblems } from './password-form.ts';

/** Asks for the present password and the new one. */
export function ChangePasswordDialog({ onClose }: { onClose: () => void }) {
  const formId = useId();
  const [form, tell] = useReducer(passwordForm, emptyPasswordForm);
  const current = useRef<HTMLInputElement>(null);
  const next = useRef<HTMLInputElement>(null);
  const change = useAct('PUT /api/profile/password', {
    onDone: ({ endedSessions }) => {
      onClose();
      toast.ok(endedSessions === 0 ? 'Password changed' : `Password changed, ${others(endedSessions)} ended`);
    },
    onFailed: (error) => {
      const beside = fieldProblem(error, 'currentPassword') ?? fieldProblem(error, 'newPassword');
      if (beside === undefined) toast.bad(problemText(error));
    },
  });
  useFocusAfterRefusal(change.error, 'currentPassword', current);
  useFocusAfterRefusal(change.error, 'newPassword', next);
  const problems = form.sent ? passwordProblems(form) : {};
  const submit = (event: FormEvent) => {
    event.preventDefault();
    tell({ type: 'sent' });
    const wrong = passwordProblems(form);
    if (wrong.current) current.current?.focus();
    else if (wrong.next) next.current?.focus();
    else {
      const { current: currentPassword, next: newPassword, endOtherWays } = form;
      change.mutate({ body: { currentPassword, newPassword, endOtherWays } });
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      size="slim"
      title="Change password"
      description="A new password ends every other sign-in of yours. This one goes on."
      dirty={form.current !== '' || form.next !== ''}
      initialFocus={current}
      footer={
        <SubmitButtons form={formId} onCancel={onClose} busy={change.isPending} busyLabel="Changing">
          Change password
        </SubmitButtons>
      }
    >
      <form id={formId} className={layout.stack} noValidate inert={change.isPending} onSubmit={submit}>
        <PasswordField
          ref={current}
          label="Current password"
          autoComplete="current-password"
          maxLength={passwordCharacters.most}
          value={form.current}
          error={problems.current ?? fieldProblem(change.error, 'currentPassword')}
          onChange={(event) => tell({ type: 'typed', field: 'current', text: event.currentTarget.value })}
        />
        <PasswordField
          ref={next}
          label="New password"
          secret="new password"
          autoComplete="new-password"
          maxLength={passwordCharacters.most}
          help={passwordHint}
          value={form.next}
          error={problems.next ?? fieldProblem(change.error, 'newPassword')}
          onChange={(event) => tell({ type: 'typed', field: 'next', text: event.currentTarget.value })}
        />
        <Checkbox
          checked={form.endOtherWays}
          label="Also revoke API tokens, remove passkeys and destinations of your news, end quiet hours, and unlink GitHub: somebody else may know the account."
          onChange={(event) => tell({ type: 'chosen', endOtherWays: event.currentTarget.checked })}
        />
      </form>
    </Dialog>
  );
}

const others = (count: number) => (count === 1 ? '1 other sign-in' : `${count} other sign-ins`);
