import { useActionState } from 'react';
import { send } from '../data/auth.ts';
import { Button } from '../ui/button/Button.tsx';
import { classNames } from '../ui/class-names.ts';
import { LinkButton } from '../ui/feedback/Banner.tsx';
import { toast } from '../ui/feedback/toasts.ts';
import layout from '../ui/layout/layout.module.css';
import { AuthPage } from './AuthPage.tsx';
import authStyles from './auth.module.css';
import { EmailField } from './EmailField.tsx';
import { formText } from './form-text.ts';

/** Asks for the address that the link to a new password goes to, which may stand in the sign-in form already. */
export function ForgotForm({ typed, onBack }: { typed: string; onBack: () => void }) {
  const [email, submit, sending] = useActionState(async (_before: string, form: FormData) => {
    const asked = formText(form, 'email');
    const result = await requestPasswordReset(asked);
    if (result.ok) toast.info(`If ${asked} has an account here, a message with a link is on its way.`);
    else toast.bad(result.message);
    return asked;
  }, typed);
  return (
    <AuthPage title="Reset your password" lead="We send a link that lets you choose a new one.">
      <form className={classNames(layout.stack, layout.gap6)} action={submit} inert={sending}>
        <EmailField autoFocus defaultValue={email} />
        <Button type="submit" variant="primary" size="lg" block busy={sending} busyLabel="Sending">
          Send the link
        </Button>
      </form>
      <p className={authStyles.foot}>
        <LinkButton onClick={onBack}>Back to sign in</LinkButton>
      </p>
    </AuthPage>
  );
}

/** Gives the same answer for known and unknown addresses. */
const requestPasswordReset = (email: string) =>
  send('request-password-reset', { email, redirectTo: '/reset-password' });
