import { useEffect, useState } from 'react';
import { type AuthResult, verifyEmail } from '../data/auth.ts';
import { buttonClass } from '../ui/button/button-class.ts';
import { Banner } from '../ui/feedback/Banner.tsx';
import { AuthPage } from './AuthPage.tsx';

/** The page that the link in the verification message opens. */
export function VerifyEmailPage({ token }: { token: string | undefined }) {
  const result = useVerification(token);
  if (token && !result) {
    return (
      <AuthPage title="Verify your e-mail" lead="Checking the link.">
        <p role="status">One moment.</p>
      </AuthPage>
    );
  }
  const verified = result?.ok === true;
  return (
    <AuthPage
      title={verified ? 'E-mail verified' : 'Verify your e-mail'}
      lead={verified ? 'Your address is confirmed.' : 'This link is no longer valid.'}
    >
      {!verified && (
        <Banner tone="warn">
          <p>A link works for one hour. Sign in and choose Send again to get a new one.</p>
        </Banner>
      )}
      <a className={buttonClass({ variant: 'primary', size: 'lg', block: true })} href="/home">
        Go to Homeport
      </a>
    </AuthPage>
  );
}

/** The link works once, so the page sends each token once, however often React draws the page. */
const sent = new Map<string, Promise<AuthResult>>();

function useVerification(token: string | undefined): AuthResult | undefined {
  const [result, setResult] = useState<AuthResult>();
  useEffect(() => {
    if (!token) return;
    const answer = sent.get(token) ?? verifyEmail(token);
    sent.set(token, answer);
    void answer.then(setResult);
  }, [token]);
  return result;
}
