import type { Configuration, Invitation } from '@homeport/contract/identity/schema';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { fieldProblem, problemText } from '../../data/problem-text.ts';
import { topicKey } from '../../data/query-keys.ts';
import { useAct, useApi } from '../../data/use-api.ts';
import { NotLoaded } from '../../page-frame/NotLoaded.tsx';
import { Button } from '../../ui/button/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { NothingYet, SkeletonRows } from '../../ui/feedback/States.tsx';
import { Badge, type BadgeTone } from '../../ui/feedback/Status.tsx';
import { toast } from '../../ui/feedback/toasts.ts';
import { TextField } from '../../ui/form/Field.tsx';
import layout from '../../ui/layout/layout.module.css';
import { Panel } from '../../ui/layout/Panel.tsx';
import panelStyles from '../../ui/layout/panel.module.css';
import settingsListStyles from '../../ui/layout/settings-list.module.css';
import { useFirstRows } from '../../ui/table/use-first-rows.tsx';
import { formatDate } from '../../ui/text/format.ts';
import typography from '../../ui/text/typography.module.css';

/** Who makes an account on this console, shown to its owner: the invited, everybody or nobody. */
export function People({ configuration }: { configuration: Configuration | undefined }) {
  const [isExplained, explain] = useState(false);
  if (configuration?.signUps === 'invite')
    return <Invitations mailConfigured={configuration.mailConfigured} />;
  return (
    <Panel
      id="people"
      title="People"
      body="flush"
      busy={!configuration}
      actions={
        configuration && (
          <Button size="sm" variant="ghost" aria-expanded={isExplained} onClick={() => explain(!isExplained)}>
            How to invite
          </Button>
        )
      }
    >
      {configuration ? (
        <NothingYet>
          {policyTexts[configuration.signUps]}
          {isExplained && (
            <>
              {' '}
              Start the console with <code className={typography.longWords}>HOMEPORT_SIGNUPS=invite</code>,
              and this section invites people. Accounts stay.
            </>
          )}
        </NothingYet>
      ) : (
        <SkeletonRows rows={1} />
      )}
    </Panel>
  );
}

const policyTexts = {
  open: 'Everybody who reaches this console can make an account.',
  closed: 'This console takes no new accounts.',
};

const shownFirst = 10;

function Invitations({ mailConfigured }: { mailConfigured: boolean }) {
  const invitations = useApi('GET /api/invitations');
  const { shown, more } = useFirstRows(invitations.data ?? [], shownFirst);
  return (
    <Panel
      id="people"
      title="People"
      body="flush"
      actions={more}
      footer={
        mailConfigured
          ? 'An invitation is a link to sign up with. It works once, for this address, for a week.'
          : 'An invitation is a link to sign up with. It works once, for this address, for a week. This console has no mail server: the link is in the outbox below, for you to hand over.'
      }
    >
      <InviteForm mailConfigured={mailConfigured} />
      <NotLoaded query={invitations} title="The invitations could not be loaded" rows={3} />
      {invitations.data?.length === 0 && <NothingYet>Nobody is invited yet.</NothingYet>}
      {invitations.data && invitations.data.length > 0 && (
        <ul className={settingsListStyles.settings} aria-label="Invitations">
          {shown.map((invitation) => (
            <InvitationLine key={invitation.id} invitation={invitation} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function InviteForm({ mailConfigured }: { mailConfigured: boolean }) {
  const client = useQueryClient();
  const [email, setEmail] = useState('');
  const invite = useAct('POST /api/invitations', {
    onDone: (made) => {
      toast.ok(`Invitation for ${made.email} ${mailConfigured ? 'sent' : 'is in the outbox'}`);
      void client.invalidateQueries({ queryKey: topicKey('outbox') });
      setEmail('');
    },
    onFailed: (error) => {
      if (!fieldProblem(error, 'email')) toast.bad(problemText(error));
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    invite.mutate({ body: { email: email.trim() } });
  };
  return (
    <form
      className={classNames(panelStyles.body, layout.stack)}
      noValidate
      inert={invite.isPending}
      onSubmit={submit}
    >
      <TextField
        label="E-mail of the person"
        type="email"
        autoComplete="off"
        value={email}
        error={fieldProblem(invite.error, 'email')}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <div className={layout.row}>
        <Button
          className={layout.atEnd}
          type="submit"
          icon="plus"
          busy={invite.isPending}
          busyLabel="Inviting"
        >
          Invite
        </Button>
      </div>
    </form>
  );
}

const stateLooks: Record<Invitation['state'], { word: string; tone: BadgeTone }> = {
  pending: { word: 'Invited', tone: 'info' },
  accepted: { word: 'Joined', tone: 'ok' },
  expired: { word: 'Expired', tone: 'plain' },
  withdrawn: { word: 'Withdrawn', tone: 'plain' },
};

function InvitationLine({
  invitation: { id, email, state, createdAt, expiresAt },
}: {
  invitation: Invitation;
}) {
  const withdraw = useAct('POST /api/invitations/:id/withdraw', {
    onDone: () => toast.ok(`Invitation for ${email} withdrawn`),
    onFailed: (error) => toast.bad(problemText(error)),
  });
  return (
    <li>
      <span className={typography.twoLines}>
        <span className={typography.strong}>{email}</span>
        <small>
          Invited {formatDate(createdAt)}
          {state === 'pending' && `, until ${formatDate(expiresAt)}`}
        </small>
      </span>
      <span className={layout.row}>
        <Badge tone={stateLooks[state].tone}>{stateLooks[state].word}</Badge>
        {state === 'pending' && (
          <Button
            size="sm"
            busy={withdraw.isPending}
            busyLabel="Withdrawing"
            onClick={() => withdraw.mutate({ params: { id } })}
          >
            Withdraw<span className={layout.visuallyHidden}> the invitation for {email}</span>
          </Button>
        )}
      </span>
    </li>
  );
}
