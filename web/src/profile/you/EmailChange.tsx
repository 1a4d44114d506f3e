import type { EmailChange as PendingChange } from '@homeport/contract/identity/schema';
import { problemText } from '../../data/problem-text.ts';
import { useSession } from '../../data/session.ts';
import { useAct, useApi } from '../../data/use-api.ts';
import { Button } from '../../ui/button/Button.tsx';
import { Banner } from '../../ui/feedback/Banner.tsx';
import { toast } from '../../ui/feedback/toasts.ts';
import layout from '../../ui/layout/layout.module.css';
import { consoleTime } from '../../ui/text/console-time.ts';
import { formatWhen } from '../../ui/text/format.ts';

/** Leads to the dialog that changes the address. */
export function ChangeEmailButton({ onReach, onClick }: { onReach: () => void; onClick: () => void }) {
  const profile = useApi('GET /api/profile').data;
  return (
    <Button
      icon="mail"
      disabledReason={
        profile?.hasPassword === false
          ? 'Set a password first: sign out and choose “Forgot password?”.'
          : null
      }
      onPointerEnter={onReach}
      onFocus={onReach}
      onClick={onClick}
    >
      Change e-mail
    </Button>
  );
}

/** The change that waits for a mailed link, if there is one. */
export function EmailChange() {
  const change = useApi('GET /api/profile').data?.emailChange;
  return change ? <Pending change={change} /> : null;
}

function Pending({ change: { email, waitsFor, expiresAt } }: { change: PendingChange }) {
  const { user } = useSession();
  const cancel = useAct('DELETE /api/profile/email-change', {
    onDone: () => toast.ok('Change of the e-mail address cancelled'),
    onFailed: (error) => toast.bad(problemText(error)),
  });
  return (
    <Banner
      action={
        <Button size="sm" busy={cancel.isPending} busyLabel="Cancelling" onClick={() => cancel.mutate({})}>
          Cancel<span className={layout.visuallyHidden}> the change of the e-mail address</span>
        </Button>
      }
    >
      <p>
        Your address becomes {email} when you have opened the link that was mailed to{' '}
        {waitsFor === 'present' ? `${user.email}. A second link follows.` : `${email}.`} It works until{' '}
        {formatWhen(expiresAt, consoleTime())}.
      </p>
    </Banner>
  );
}
