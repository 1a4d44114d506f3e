import { useState } from 'react';
import { sendVerificationEmail } from '../data/auth.ts';
import { useSession } from '../data/session.ts';
import { Banner, LinkButton } from '../ui/feedback/Banner.tsx';
import { toast } from '../ui/feedback/toasts.ts';
import layout from '../ui/layout/layout.module.css';
import { InsecureContext } from './InsecureContext.tsx';

/** What concerns every page: no cryptography here, or an address that is not verified. */
export function PageNotices() {
  return (
    <div className={layout.banners}>
      <InsecureContext />
      <UnverifiedEmail />
    </div>
  );
}

function UnverifiedEmail() {
  const { user } = useSession();
  const [sending, setSending] = useState(false);
  if (user.emailVerified) return null;
  const send = async () => {
    setSending(true);
    const result = await sendVerificationEmail(user.email);
    setSending(false);
    if (result.ok) toast.ok(`Verification e-mail sent to ${user.email}`);
    else toast.bad(result.message);
  };
  return (
    <Banner>
      <p>
        We sent a verification e-mail to {user.email}.{' '}
        {sending ? 'Sending' : <LinkButton onClick={send}>Send again</LinkButton>}
      </p>
    </Banner>
  );
}
