import { nameCharacters } from '@homeport/contract/fields/facts';
import { passwordCharacters, passwordHint } from '@homeport/contract/identity/facts';
import { useActionState, useEffect, useRef, useState } from 'react';
import { call } from '../data/call.ts';
import { readSession } from '../data/read-session.ts';
import type { RouteOutput } from '../data/route-types.ts';
import { safeNext } from '../data/safe-next.ts';
import { doorHref, leaveFor, replaceAddress } from '../data/signed-out-address.ts';
import { Button } from '../ui/button/Button.tsx';
import { classNames } from '../ui/class-names.ts';
import { Banner } from '../ui/feedback/Banner.tsx';
import { toast } from '../ui/feedback/toasts.ts';
import { PasswordField, TextField } from '../ui/form/Field.tsx';
import layout from '../ui/layout/layout.module.css';
import { AuthPage } from './AuthPage.tsx';
import authStyles from './auth.module.css';
import { EmailField } from './EmailField.tsx';
import { formText } from './form-text.ts';
import { GithubLink, useGithubOffer } from './GithubEntry.tsx';
import { signUp } from './sign-up.ts';
import { useFocusAfterFailure } from './use-focus-after-failure.ts';

export interface SignupPageProps {
  /** The initial value of the field. */
  email: string;
  /** The address to open after signing up, as the query gives it. */
  next: string | undefined;
  /** That of the invitation's link. undefined without an invitation. */
  token: string | undefined;
  github: boolean | undefined;
}

interface Typed {
  name: string;
  /** undefined until the form is sent for the first time. */
  email: string | undefined;
  /** What the console said of the password. */
  wrongPassword: string | undefined;
  failures: number;
}

export function SignupPage({ email, next, token: invitation, github }: SignupPageProps) {
  const { signUps, hasOwner } = useSignUps();
  const withGithub = useGithubOffer(github);
  const password = useRef<HTMLInputElement>(null);
  const [typed, send, sending] = useActionState(
    async (before: Typed, form: FormData): Promise<Typed> => {
      const values = {
        name: formText(form, 'name'),
        email: formText(form, 'email'),
        wrongPassword: undefined,
        failures: 0,
      };
      const result = await signUp(values.name, values.email, formText(form, 'password'), invitation);
      if (!result.ok) {
        const wrongPassword = result.fields?.password;
        if (wrongPassword === undefined) toast.bad(result.message);
        return { ...values, wrongPassword, failures: before.failures + 1 };
      }
      if (await readSession().catch(() => null)) return leaveFor(safeNext(next) ?? '/home');
      replaceAddress(doorHref('/login', next));
      return values;
    },
    { name: '', email: undefined, wrongPassword: undefined, failures: 0 },
  );
  useFocusAfterFailure(typed.failures, password);

  return (
    <AuthPage
      title={hasOwner === false ? 'Create the owner’s account' : 'Create an account'}
      lead={
        hasOwner === false
          ? 'The first account owns this console.'
          : 'Your servers, apps and domains in one place.'
      }
    >
      {signUps === 'closed' && (
        <Banner tone="warn">
          <p>New accounts are closed on this console. Ask its owner to open them.</p>
        </Banner>
      )}
      {signUps === 'invite' && !invitation && (
        <Banner tone="warn">
          <p>
            You need an invitation to make an account on this console. Open the link in your invitation, or
            ask the owner of the console for one.
          </p>
        </Banner>
      )}
      {withGithub && <GithubLink href={`${doorHref('/login', next)}${hashOf(invitation)}`} />}
      <form className={classNames(layout.stack, layout.gap6)} action={send} inert={sending}>
        <div className={layout.stack}>
          <TextField
            label="Name"
            name="name"
            autoComplete="name"
            required
            maxLength={nameCharacters}
            defaultValue={typed.name}
          />
          <EmailField
            // An invitation is valid for one address only.
            readOnly={Boolean(invitation && email)}
            defaultValue={typed.email ?? email}
          />
          <PasswordField
            ref={password}
            label="Password"
            name="password"
            autoComplete="new-password"
            required
            minLength={passwordCharacters.least}
            help={passwordHint}
            error={typed.wrongPassword}
          />
        </div>
        <Button
          type="submit"
          variant="primary"
          size="lg"
          block
          busy={sending}
          busyLabel="Creating the account"
        >
          Create account
        </Button>
      </form>
      <p className={authStyles.foot}>
        Have an account? <a href={doorHref('/login', next)}>Sign in</a>
      </p>
      {hasOwner === false && <RestoreInstead />}
    </AuthPage>
  );
}

/** On the machine only: a page that takes a backup would let whoever reaches a new console first fill it. */
function RestoreInstead() {
  return (
    <details>
      <summary>Restore a backup instead</summary>
      <p>
        Stop this console. On its machine, as its user and with its settings, run{' '}
        <code>npm start -- restore FILE --identity KEY</code>, or the same command of the release’s program.
        FILE is the backup, KEY the file with its private key. Then start the console again.
      </p>
    </details>
  );
}

/** The sign-in page needs the invitation too. Browsers never send the part behind the `#`. */
const hashOf = (invitation: string | undefined) =>
  invitation === undefined ? '' : `#${new URLSearchParams({ token: invitation })}`;

type SignUps = Partial<Pick<RouteOutput<'GET /api/configuration'>, 'signUps' | 'hasOwner'>>;

/**
 * Who may sign up, so that the form can say so early. Empty until known: the console refuses a forbidden
 * sign-up in any case.
 */
function useSignUps(): SignUps {
  const [signUps, setSignUps] = useState<SignUps>({});
  useEffect(() => {
    const leaving = new AbortController();
    call('GET /api/configuration', undefined, { signal: leaving.signal }).then(setSignUps, () => {});
    return () => leaving.abort();
  }, []);
  return signUps;
}
