import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useRouter } from '@tanstack/react-router';
import { useActionState, useRef } from 'react';
import { signUp } from '../data/auth.ts';
import { sessionQuery } from '../data/session.ts';
import { useApi } from '../data/use-api.ts';
import { Banner } from '../ui/Banner.tsx';
import { Button } from '../ui/Button.tsx';
import { PasswordField, TextField } from '../ui/Field.tsx';
import { toast } from '../ui/toasts.ts';
import { AuthPage } from './AuthPage.tsx';
import { formText } from './form-text.ts';
import { safeNext } from './safe-next.ts';
import { useFocusAfterFailure } from './use-focus-after-failure.ts';
import { useLinkToken } from './use-link-token.ts';

const route = getRouteApi('/signed-out/signup');

interface Typed {
  name: string;
  email: string;
  failures: number;
}

const leastCharacters = 8;

export function SignupPage() {
  const { email, next } = route.useSearch();
  const invitation = useLinkToken();
  const router = useRouter();
  const client = useQueryClient();
  const configuration = useApi('GET /api/configuration');
  const password = useRef<HTMLInputElement>(null);
  const [typed, send, sending] = useActionState(
    async (before: Typed, form: FormData): Promise<Typed> => {
      const values = { name: formText(form, 'name'), email: formText(form, 'email'), failures: 0 };
      const result = await signUp(values.name, values.email, formText(form, 'password'), invitation);
      if (!result.ok) {
        toast.bad(result.message);
        return { ...values, failures: before.failures + 1 };
      }
      const session = await client.fetchQuery({ ...sessionQuery, staleTime: 0 });
      if (session) router.history.replace(safeNext(next) ?? '/home');
      else await router.navigate({ to: '/login', search: { next } });
      return values;
    },
    { name: '', email: email ?? '', failures: 0 },
  );
  useFocusAfterFailure(typed.failures, password);

  return (
    <AuthPage title="Create an account" lead="Your servers, apps and domains in one place.">
      {configuration.data?.signUps === 'closed' && (
        <Banner tone="warn">
          <p>New accounts are closed on this console. Ask its owner to open them.</p>
        </Banner>
      )}
      {configuration.data?.signUps === 'invite' && !invitation && (
        <Banner tone="warn">
          <p>
            New accounts on this console are by invitation. Open the link of yours, or ask its owner for one.
          </p>
        </Banner>
      )}
      <form className="stack g6" action={send} inert={sending}>
        <div className="stack">
          <TextField
            label="Name"
            name="name"
            autoComplete="name"
            required
            maxLength={80}
            defaultValue={typed.name}
          />
          <TextField
            label="E-mail"
            name="email"
            type="email"
            autoComplete="username"
            required
            // An invitation is for one address.
            readOnly={Boolean(invitation && email)}
            defaultValue={typed.email}
          />
          <PasswordField
            ref={password}
            label="Password"
            name="password"
            autoComplete="new-password"
            required
            minLength={leastCharacters}
            help={`At least ${leastCharacters} characters.`}
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
      <p className="foot">
        Have an account?{' '}
        <Link to="/login" search={{ next }}>
          Sign in
        </Link>
      </p>
    </AuthPage>
  );
}
