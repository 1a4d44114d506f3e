import { useEffect, useState } from 'react';
import { confirmEmailChange, type EmailChangeResult } from '../data/auth.ts';
import { buttonClass } from '../ui/button/button-class.ts';
import { Banner } from '../ui/feedback/Banner.tsx';
import { AuthPage } from './AuthPage.tsx';

const texts = {
  changed: { title: 'E-mail changed', lead: 'You sign in with the new address from now on.' },
  half: { title: 'One more link', lead: 'Now open the link that was mailed to the new address.' },
  over: { title: 'Change your e-mail', lead: 'This link changed nothing.' },
} as const;

/** The page that the two links of a change of the e-mail address open. */
export function ConfirmEmailPage({ token }: { token: string | undefined }) {
  const result = useConfirmation(token);
  if (token && !result) {
    return (
      <AuthPage title={texts.over.title} lead="Checking the link.">
        <p role="status">One moment.</p>
      </AuthPage>
    );
  }
  const { title, lead } = texts[!result?.ok ? 'over' : result.changed ? 'changed' : 'half'];
  return (
    <AuthPage title={title} lead={lead}>
      {!result?.ok && (
        <Banner tone="warn">
          <p>{result?.message ?? 'The address of this page has no token.'}</p>
        </Banner>
      )}
      <a className={buttonClass({ variant: 'primary', size: 'lg', block: true })} href="/profile">
        Go to your profile
      </a>
    </AuthPage>
  );
}

/** A link works once, so the page sends each token once, however often React draws the page. */
const sent = new Map<string, Promise<EmailChangeResult>>();

function useConfirmation(token: string | undefined): EmailChangeResult | undefined {
  const [result, setResult] = useState<EmailChangeResult>();
  useEffect(() => {
    if (!token) return;
    const answer = sent.get(token) ?? confirmEmailChange(token);
    sent.set(token, answer);
    void answer.then(setResult);
  }, [token]);
  return result;
}
