import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { sendVerificationEmail } from '../data/auth.ts';
import { useSession } from '../data/session.ts';
import { useApi } from '../data/use-api.ts';
import { Banner, LinkButton } from '../ui/feedback/Banner.tsx';
import { toast } from '../ui/feedback/toasts.ts';
import layout from '../ui/layout/layout.module.css';
import { InsecureContext } from './InsecureContext.tsx';
import { verificationNotice } from './verification-notice.ts';

/** Notices for every page: the browser offers no cryptography, or the user's address is not verified. */
export function PageNotices() {
  return (
    <div className={layout.banners}>
      <InsecureContext />
      <UnverifiedEmail />
    </div>
  );
}

function UnverifiedEmail() {
  const { user, owner } = useSession();
  return user.emailVerified ? null : <Unverified email={user.email} owner={owner} />;
}

function Unverified({ email, owner }: { email: string; owner: boolean }) {
  const configuration = useApi('GET /api/configuration').data;
  const [sending, setSending] = useState(false);
  if (!configuration) return null;
  const notice = verificationNotice(email, { owner, mailConfigured: configuration.mailConfigured });
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
