import { Link, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { sendVerificationEmail } from '../data/auth.ts';
import { useSession } from '../data/session.ts';
import { Banner, LinkButton } from '../ui/feedback/Banner.tsx';
import { toast } from '../ui/feedback/toasts.ts';
import layout from '../ui/layout/layout.module.css';
import { onDemand } from '../ui/on-demand.tsx';
import { InsecureContext } from './InsecureContext.tsx';
import { verificationNotice } from './verification-notice.ts';

const RestoredConsole = onDemand(async () => (await import('./RestoredConsole.tsx')).RestoredConsole);

/** The pages on which the address is asked about in full. Elsewhere the account menu carries a dot. */
const askedOn: readonly string[] = ['/home', '/profile'];

/** Notices above the page: the browser offers no cryptography, the console was restored, or the user's address is not verified. */
export function PageNotices() {
  return (
    <div className={layout.banners}>
      <InsecureContext />
      <Restored />
      <UnverifiedEmail />
    </div>
  );
}

function Restored() {
  const { owner, restored } = useSession();
  return restored && <RestoredConsole restored={restored} owner={owner} />;
}

function UnverifiedEmail() {
  const { user, owner, mailConfigured, restored } = useSession();
  const { pathname } = useLocation();
  // A restored console sends no message that could be spoken of.
  if (user.emailVerified || restored || !askedOn.includes(pathname)) return null;
  return <Unverified email={user.email} owner={owner} mailConfigured={mailConfigured} />;
}

function Unverified({ email, ...known }: { email: string; owner: boolean; mailConfigured: boolean }) {
  const [sending, setSending] = useState(false);
  const notice = verificationNotice(email, known);
  const send = async () => {
    setSending(true);
    const result = await sendVerificationEmail(email);
    setSending(false);
    if (result.ok) toast.ok(notice.done);
    else toast.bad(result.message);
  };
  return (
    <Banner>
      <p>
        {notice.text}{' '}
        {notice.outbox && (
          <>
            <Link to="/profile" hash="outbox">
              Open the outbox
            </Link>{' '}
            or{' '}
          </>
        )}
        {sending ? 'Sending' : <LinkButton onClick={send}>{notice.again}</LinkButton>}
      </p>
    </Banner>
  );
}
