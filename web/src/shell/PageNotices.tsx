import { useState } from 'react';
import { sendVerificationEmail } from '../data/auth.ts';
import { useSession } from '../data/session.ts';
import { Banner, LinkButton } from '../ui/Banner.tsx';
import { toast } from '../ui/toasts.ts';

/** What concerns every page: no cryptography here, or an address that is not verified. */
export function PageNotices() {
  return (
    <div className="pagebanners">
      <InsecureContext />
      <UnverifiedEmail />
    </div>
  );
}

/** Outside loopback a browser gives a page its cryptography over https only. */
export function InsecureContext() {
  if (window.isSecureContext) return null;
  const { hostname, port } = window.location;
  const local = port || '80';
  return (
    <Banner tone="warn">
      <p>
        This address is not secure, so the browser gives this page no cryptography: keys cannot be made, kept
        or used here. Two ways out: serve the console over https, or reach it through a tunnel with{' '}
        <code>
          ssh -L {local}:127.0.0.1:{local} {hostname}
        </code>{' '}
        and open <code>http://127.0.0.1:{local}</code>.
      </p>
    </Banner>
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
