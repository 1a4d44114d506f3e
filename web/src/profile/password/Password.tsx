import { passwordCharacters, passwordHint } from '@homeport/contract/identity/facts';
import { type FormEvent, useReducer, useRef } from 'react';
import { fieldProblem, problemText } from '../../data/api-problem.ts';
import { useAct, useApi } from '../../data/use-api.ts';
import { Button } from '../../ui/button/Button.tsx';
import { Failed, SkeletonRows } from '../../ui/feedback/States.tsx';
import { toast } from '../../ui/feedback/toasts.ts';
import { Checkbox } from '../../ui/form/Choice.tsx';
import controlsStyles from '../../ui/form/controls.module.css';
import { PasswordField } from '../../ui/form/Field.tsx';
import layout from '../../ui/layout/layout.module.css';
import { Panel } from '../../ui/layout/Panel.tsx';
import { useFocusAfterRefusal } from '../use-focus-after-refusal.ts';
import { emptyPasswordForm, passwordForm, passwordProblems } from './password-form.ts';

/** The change of the password. A person who signs in with another account only has none. */
export function Password() {
  const profile = useApi('GET /api/profile');
  return (
    <Panel
      id="password"
      title="Password"
      busy={profile.isPending}
      footer="A new password ends every other sign-in of yours. This one goes on."
    >
      {profile.isPending && <SkeletonRows rows={2} />}
      {profile.isError && (
        <Failed title="Your profile could not be loaded" onRetry={() => profile.refetch()}>
          {problemText(profile.error)}
        </Failed>
      )}
      {profile.data?.hasPassword === false && (
        <p>
          This account has no password. To set one, sign out and choose “Forgot password?” on the sign-in
          page.
        </p>
      )}
      {profile.data?.hasPassword && <PasswordChange />}
    </Panel>
  );
}

function PasswordChange() {
  const [form, tell] = useReducer(passwordForm, emptyPasswordForm);
  const current = useRef<HTMLInputElement>(null);
  const next = useRef<HTMLInputElement>(null);
  const change = useAct('PUT /api/profile/password', {
    onDone: ({ endedSessions }) => {
      tell({ type: 'done' });
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
    <form className={layout.stack} noValidate inert={change.isPending} onSubmit={submit}>
      <div className={controlsStyles.pair}>
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
      </div>
      <Checkbox
        checked={form.endOtherWays}
        label="Also revoke API tokens, remove passkeys and unlink GitHub: somebody else may know the account."
        onChange={(event) => tell({ type: 'chosen', endOtherWays: event.currentTarget.checked })}
      />
      <div className={layout.row}>
        <Button className={layout.atEnd} type="submit" busy={change.isPending} busyLabel="Changing">
          Change password
        </Button>
      </div>
    </form>
  );
}

const others = (count: number) => (count === 1 ? '1 other sign-in' : `${count} other sign-ins`);
