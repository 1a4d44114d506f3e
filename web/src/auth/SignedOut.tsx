import { useEffect } from 'react';
import { githubReturn } from '../data/github-visit.ts';
import {
  isDoorPath,
  replaceAddress,
  type SignedOutPath,
  useDoorAddress,
} from '../data/signed-out-address.ts';
import { ConfirmEmailPage } from './ConfirmEmailPage.tsx';
import { LoginPage } from './LoginPage.tsx';
import { ResetPasswordPage } from './ResetPasswordPage.tsx';
import { SignupPage } from './SignupPage.tsx';
import { VerifyEmailPage } from './VerifyEmailPage.tsx';

export interface SignedOutProps {
  path: SignedOutPath;
  /** Whether the drawn page offers GitHub. undefined if the page was not drawn. */
  github: boolean | undefined;
}

/** The signed-out page at this address. */
export function Door({ path, github }: SignedOutProps) {
  const { pathname, search, searchParams, hash } = useDoorAddress(path);
  const registering = pathname === '/register';
  useEffect(() => {
    if (registering) replaceAddress(`/signup${search}`);
  }, [registering, search]);

  const shown = isDoorPath(pathname) ? pathname : path;
  const next = searchParams.get('next') ?? undefined;
  // The token stands behind the `#`. Browsers never send that part, so no log and no Referer holds the token.
  const token = new URLSearchParams(hash.slice(1)).get('token') ?? undefined;
  switch (shown) {
    case '/login':
      return (
        <LoginPage
          next={next && withHash(next, hash)}
          github={github}
          back={githubReturn(searchParams)}
          invitation={token}
        />
      );
    case '/signup':
    case '/register':
      return (
        <SignupPage email={searchParams.get('email') ?? ''} next={next} invitation={token} github={github} />
      );
    case '/reset-password':
      return <ResetPasswordPage token={token} />;
    case '/verify-email':
      return <VerifyEmailPage token={token} />;
    case '/confirm-email':
      return <ConfirmEmailPage token={token} />;
  }
}

/** The console redirects here without knowing the part behind the `#`, which only the browser keeps. */
const withHash = (next: string, hash: string) => (next.includes('#') ? next : next + hash);
