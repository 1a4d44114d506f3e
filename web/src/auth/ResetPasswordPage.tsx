import { passwordCharacters, passwordHint } from '@homeport/contract/identity/facts';
import { useActionState, useRef } from 'react';
import { replaceAddress } from '../data/signed-out-address.ts';
import { Button } from '../ui/button/Button.tsx';
import { classNames } from '../ui/class-names.ts';
import { Banner } from '../ui/feedback/Banner.tsx';
import { toast } from '../ui/feedback/toasts.ts';
import { Checkbox } from '../ui/form/Choice.tsx';
import { PasswordField } from '../ui/form/Field.tsx';
import layout from '../ui/layout/layout.module.css';
import { AuthPage } from './AuthPage.tsx';
import authStyles from './auth.module.css';
import { formText } from './form-text.ts';
import { resetPassword } from './mailed-links.ts';
import { useFocusAfterFailure } from './use-focus-after-failure.ts';

interface Refused {
  failures: number;
  /** What the console said of the password. */
  wrongPassword: string | undefined;
  keepOtherWays: boolean;
}

const notRefused: Refused = { failures: 0, wrongPassword: undefined, keepOtherWays: false };

/** Whoever forgot the password may have lost the account to somebody, so the other ways in, and the ways out for its news, end unless the person keeps them. */
export function ResetPasswordPage({ token }: { token: string | undefined }) {
  const password = useRef<HTMLInputElement>(null);
  const [refused, send, sending] = useActionState(
    async (before: Refused, form: FormData): Promise<Refused> => {
      const keepOtherWays = form.get('end-other-ways') === null;
      const result = await resetPassword(token ?? '', formText(form, 'password'), keepOtherWays);
      if (result.ok) {
        toast.ok('Password changed. Sign in with the new one.');
        replaceAddress('/login');
        return notRefused;
      }
      const wrongPassword = result.fields?.newPassword;
      if (wrongPassword === undefined) toast.bad(result.message);
      return { failures: before.failures + 1, wrongPassword, keepOtherWays };
    },
    notRefused,
  );
  useFocusAfterFailure(refused.failures, password);

  if (!token) {
    return (
      <AuthPage title="Reset your password" lead="This link is no longer valid.">
        <Banner tone="warn">
          <p>A link works once and for one hour. Ask for a new one on the sign-in page.</p>
        </Banner>
        <p className={authStyles.foot}>
          <a href="/login">Back to sign in</a>
        </p>
      </AuthPage>
    );
  }
  return (
    <AuthPage title="Choose a new password" lead="All other sessions of this account end.">
      <form className={classNames(layout.stack, layout.gap6)} action={send} inert={sending}>
        <PasswordField
          ref={password}
          label="New password"
          name="password"
          autoComplete="new-password"
          required
          minLength={passwordCharacters.least}
          help={passwordHint}
          error={refused.wrongPassword}
        />
        <Checkbox
          name="end-other-ways"
          defaultChecked={!refused.keepOtherWays}
          label="Also revoke API tokens, remove passkeys and destinations of your news, end quiet hours, and unlink GitHub. Leave this on if somebody else may know the account."
        />
        <Button type="submit" variant="primary" size="lg" block busy={sending} busyLabel="Saving">
          Save password
        </Button>
      </form>
    </AuthPage>
  );
}
