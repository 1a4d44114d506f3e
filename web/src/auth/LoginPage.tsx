import { type ReactNode, useActionState, useRef, useState } from 'react';
import type { GithubReturn } from '../data/github-visit.ts';
import { safeNext } from '../data/safe-next.ts';
import { doorHref, leaveFor, replaceAddress } from '../data/signed-out-address.ts';
import { Button } from '../ui/button/Button.tsx';
import { classNames } from '../ui/class-names.ts';
import { LinkButton } from '../ui/feedback/Banner.tsx';
import { toast } from '../ui/feedback/toasts.ts';
import { PasswordField } from '../ui/form/Field.tsx';
import layout from '../ui/layout/layout.module.css';
import { AuthPage } from './AuthPage.tsx';
import authStyles from './auth.module.css';
import { EmailField } from './EmailField.tsx';
import { formText } from './form-text.ts';
import { GithubEntry } from './GithubEntry.tsx';
import { PasskeyEntry } from './PasskeyEntry.tsx';
import { tellPartMissing } from './part-missing.ts';
import type { FirstStep, SecondStepForm } from './SecondStepForm.tsx';
import { requestPasswordReset, signIn } from './sign-in.ts';
import { useFocusAfterFailure } from './use-focus-after-failure.ts';

export interface LoginPageProps {
  /** The address to open after signing in, as the query gives it. */
  next: string | undefined;
  github: boolean | undefined;
  /** The visit to GitHub that leads here. */
  back: GithubReturn | null;
  /** The token of an invitation's link. */
  invitation: string | undefined;
}

type Form =
  | { kind: 'sign-in' }
  | { kind: 'forgot' }
  | { kind: 'second-step'; after: FirstStep; next: string | undefined; Step: typeof SecondStepForm };

export function LoginPage({ next, github, back, invitation }: LoginPageProps) {
  const [form, setForm] = useState<Form>({ kind: 'sign-in' });
  const goBack = () => setForm({ kind: 'sign-in' });
  if (form.kind === 'forgot') return <ForgotForm onBack={goBack} />;
  if (form.kind === 'second-step') return <form.Step next={form.next} after={form.after} onBack={goBack} />;
  /** Resolves with false where the form could not be loaded. */
  const askForCode = async (after: FirstStep, opens: string | undefined) => {
    const loaded = await import('./SecondStepForm.tsx').catch(() => null);
    if (loaded) setForm({ kind: 'second-step', after, next: opens, Step: loaded.SecondStepForm });
    else tellPartMissing();
    return loaded !== null;
  };
  return (
    <SignInForm
      next={next}
      entry={
        <GithubEntry
          drawn={github}
          back={back}
          next={next}
          invitation={invitation}
          onNoOwner={() => replaceAddress(doorHref('/signup', next))}
          onSecondStep={(opens) => askForCode('github', opens)}
        />
      }
      onForgot={() => setForm({ kind: 'forgot' })}
      onSecondStep={(after) => askForCode(after, next)}
    />
  );
}

interface SignInFormProps {
  next: string | undefined;
  /** The other way in. */
  entry: ReactNode;
  onForgot: () => void;
  onSecondStep: (after: 'password' | 'passkey') => Promise<boolean>;
}

function SignInForm({ next, entry, onForgot, onSecondStep }: SignInFormProps) {
  const password = useRef<HTMLInputElement>(null);
  const [{ email, failures }, send, sending] = useActionState(
    async (before: { email: string; failures: number }, form: FormData) => {
      const typed = formText(form, 'email');
      const result = await signIn(typed, formText(form, 'password'));
      if (!result.ok) {
        toast.bad(result.message);
        return { email: typed, failures: before.failures + 1 };
      }
      if (result.secondStep) {
        const isOpen = await onSecondStep('password');
        return { email: typed, failures: isOpen ? 0 : before.failures + 1 };
      }
      return leaveFor(safeNext(next) ?? '/home');
    },
    { email: '', failures: 0 },
  );
  useFocusAfterFailure(failures, password);

  return (
    <AuthPage title="Sign in" lead="Your servers, apps and domains in one place.">
      {entry}
      <form className={classNames(layout.stack, layout.gap6)} action={send} inert={sending}>
        <div className={layout.stack}>
          <EmailField defaultValue={email} />
          <PasswordField
            ref={password}
            label="Password"
            name="password"
            autoComplete="current-password"
            required
            after={<LinkButton onClick={onForgot}>Forgot password?</LinkButton>}
          />
        </div>
        <Button type="submit" variant="primary" size="lg" block busy={sending} busyLabel="Signing in">
          Sign in
        </Button>
      </form>
      <PasskeyEntry next={next} onSecondStep={() => onSecondStep('passkey')} />
      <p className={authStyles.foot}>
        New to Homeport? <a href={doorHref('/signup', next)}>Create an account</a>
      </p>
    </AuthPage>
  );
}

function ForgotForm({ onBack }: { onBack: () => void }) {
  const [typed, send, sending] = useActionState(async (_before: string, form: FormData) => {
    const email = formText(form, 'email');
    const result = await requestPasswordReset(email);
    if (result.ok) toast.info(`If ${email} has an account here, a message with a link is on its way.`);
    else toast.bad(result.message);
    return email;
  }, '');
  return (
    <AuthPage title="Reset your password" lead="We send a link that lets you choose a new one.">
      <form className={classNames(layout.stack, layout.gap6)} action={send} inert={sending}>
        <EmailField autoFocus defaultValue={typed} />
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
