import { type ReactNode, useActionState, useRef, useState } from 'react';
import { send } from '../data/auth.ts';
import { safeNext } from '../data/safe-next.ts';
import { doorHref, leaveFor, replaceAddress } from '../data/signed-out-address.ts';
import { Button } from '../ui/button/Button.tsx';
import { classNames } from '../ui/class-names.ts';
import { LinkButton } from '../ui/feedback/Banner.tsx';
import { tellPartMissing } from '../ui/feedback/part-missing.ts';
import { toast } from '../ui/feedback/toasts.ts';
import { PasswordField } from '../ui/form/Field.tsx';
import layout from '../ui/layout/layout.module.css';
import { AuthPage } from './AuthPage.tsx';
import authStyles from './auth.module.css';
import { EmailField } from './EmailField.tsx';
import type { ForgotForm } from './ForgotForm.tsx';
import { formText } from './form-text.ts';
import { GithubEntry } from './GithubEntry.tsx';
import { PasskeyEntry } from './PasskeyEntry.tsx';
import type { FirstStep, SecondStepForm } from './SecondStepForm.tsx';
import { useFocusAfterFailure } from './use-focus-after-failure.ts';

export interface LoginPageProps {
  /** The address to open after signing in, as the query gives it. */
  next: string | undefined;
  github: boolean | undefined;
  /** The query with which GitHub leads back here. */
  back: URLSearchParams | null;
  /** The token of an invitation's link. */
  invitation: string | undefined;
}

type Form =
  | { kind: 'sign-in' }
  | { kind: 'forgot'; Forgot: typeof ForgotForm; typed: string }
  | { kind: 'second-step'; after: FirstStep; next: string | undefined; Step: typeof SecondStepForm };

const loadForgot = () => import('./ForgotForm.tsx');

export function LoginPage({ next, github, back, invitation }: LoginPageProps) {
  const [form, setForm] = useState<Form>({ kind: 'sign-in' });
  const goBack = () => setForm({ kind: 'sign-in' });
  if (form.kind === 'forgot') return <form.Forgot typed={form.typed} onBack={goBack} />;
  if (form.kind === 'second-step') return <form.Step next={form.next} after={form.after} onBack={goBack} />;
  /** Resolves with false where the form could not be loaded. */
  const askForCode = async (after: FirstStep, opens: string | undefined) => {
    const loaded = await import('./SecondStepForm.tsx').catch(() => null);
    if (loaded) setForm({ kind: 'second-step', after, next: opens, Step: loaded.SecondStepForm });
    else tellPartMissing();
    return loaded !== null;
  };
  const openForgot = async (signIn: HTMLFormElement | null) => {
    const loaded = await loadForgot().catch(() => null);
    // A person goes on typing while the form loads.
    const typed = signIn ? formText(new FormData(signIn), 'email') : '';
    if (loaded) setForm({ kind: 'forgot', Forgot: loaded.ForgotForm, typed });
    else tellPartMissing();
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
      onForgot={(form) => void openForgot(form)}
      onSecondStep={(after) => askForCode(after, next)}
    />
  );
}

interface SignInFormProps {
  next: string | undefined;
  /** The other way in. */
  entry: ReactNode;
  onForgot: (form: HTMLFormElement | null) => void;
  onSecondStep: (after: 'password' | 'passkey') => Promise<boolean>;
}

function SignInForm({ next, entry, onForgot, onSecondStep }: SignInFormProps) {
  const password = useRef<HTMLInputElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const [{ email, failures }, submit, sending] = useActionState(
    async (before: { email: string; failures: number }, form: FormData) => {
      const typed = formText(form, 'email');
      const result = await send('sign-in/email', { email: typed, password: formText(form, 'password') });
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
      <form ref={form} className={classNames(layout.stack, layout.gap6)} action={submit} inert={sending}>
        <div className={layout.stack}>
          <EmailField defaultValue={email} />
          <PasswordField
            ref={password}
            label="Password"
            name="password"
            autoComplete="current-password"
            required
            after={
              <LinkButton
                onClick={() => onForgot(form.current)}
                onReach={() => void loadForgot().catch(() => {})}
              >
                Forgot password?
              </LinkButton>
            }
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
