import { useEffect } from 'react';
import { type DoorPath, isDoorPath, replaceAddress, useDoorAddress } from '../data/door-address.ts';
import { LoginPage } from './LoginPage.tsx';
import { ResetPasswordPage } from './ResetPasswordPage.tsx';
import { SignupPage } from './SignupPage.tsx';
import { VerifyEmailPage } from './VerifyEmailPage.tsx';

/** The signed-out page at this address. */
export function Door({ path }: { path: DoorPath }) {
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
      return <LoginPage next={next && withHash(next, hash)} />;
    case '/signup':
    case '/register':
      return <SignupPage email={searchParams.get('email') ?? ''} next={next} invitation={token} />;
    case '/reset-password':
      return <ResetPasswordPage token={token} />;
    case '/verify-email':
      return <VerifyEmailPage token={token} />;
  }
}

/** The console redirects here without knowing the part behind the `#`, which only the browser keeps. */
const withHash = (next: string, hash: string) => (next.includes('#') ? next : next + hash);
