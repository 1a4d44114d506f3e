import { nameCharacters } from '@homeport/contract/fields/facts';
import { messages } from '@homeport/contract/messages';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldProblem, problemText } from '../data/api-problem.ts';
import { useSession } from '../data/session.ts';
import { sessionKey } from '../data/session-key.ts';
import { useAct, useApi } from '../data/use-api.ts';
import { initials } from '../shell/initials.ts';
import { Page } from '../shell/Page.tsx';
import { Button } from '../ui/button/Button.tsx';
import { classNames } from '../ui/class-names.ts';
import { Failed, NothingYet, SkeletonRows } from '../ui/feedback/States.tsx';
import { Badge } from '../ui/feedback/Status.tsx';
import { toast } from '../ui/feedback/toasts.ts';
import controlsStyles from '../ui/form/controls.module.css';
import { TextField } from '../ui/form/Field.tsx';
import layout from '../ui/layout/layout.module.css';
import { Panel } from '../ui/layout/Panel.tsx';
import settingsListStyles from '../ui/layout/settings-list.module.css';
import avatarStyles from '../ui/picture/avatar.module.css';
import { formatDateTime } from '../ui/text/format.ts';
import typography from '../ui/text/typography.module.css';
import { People } from './People.tsx';
import styles from './ProfilePage.module.css';

export function ProfilePage() {
  const session = useSession();
  return (
    <Page title="Profile" width="form">
      <div className={classNames(layout.stack, layout.gap5)}>
        <You key={session.user.name} />
        {session.owner && <ForOwner />}
      </div>
    </Page>
  );
}

function You() {
  const { user } = useSession();
  const client = useQueryClient();
  const [name, setName] = useState(user.name);
  const save = useAct('PATCH /api/profile', {
    onDone: async () => {
      await client.invalidateQueries({ queryKey: sessionKey });
      toast.ok(messages.nameUpdated);
    },
    onFailed: (error) => {
      if (!fieldProblem(error, 'name')) toast.bad(problemText(error));
    },
  });
  return (
    <Panel title="You">
      <form
        className={classNames(layout.row, layout.gap4, layout.alignedToTop)}
        inert={save.isPending}
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate({ body: { name } });
        }}
      >
        <span className={classNames(avatarStyles.avatar, avatarStyles.large)} aria-hidden="true">
          {initials(user.name)}
        </span>
        <div className={classNames(layout.grow, layout.stack)}>
          <div className={controlsStyles.pair}>
            <TextField
              label="Name"
              autoComplete="name"
              required
              maxLength={nameCharacters}
              value={name}
              error={fieldProblem(save.error, 'name')}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <TextField label="E-mail" readOnly value={user.email} />
          </div>
          <div className={classNames(layout.row, layout.spaceBetween)}>
            {user.emailVerified ? (
              <Badge tone="ok" icon="success">
                E-mail verified
              </Badge>
            ) : (
              <Badge tone="warn" icon="warning">
                E-mail not verified
              </Badge>
            )}
            <Button type="submit" busy={save.isPending} busyLabel="Saving">
              Save name
            </Button>
          </div>
        </div>
      </form>
    </Panel>
  );
}

/** The parts of the page that only the console's owner sees. */
function ForOwner() {
  const { data } = useApi('GET /api/configuration');
  if (!data) return null;
  return (
    <>
      {data.signUps === 'invite' && <People mailConfigured={data.mailConfigured} />}
      {!data.mailConfigured && <Outbox />}
    </>
  );
}

/** Messages that were not sent because no mail server is configured. Shown to the console's owner. */
function Outbox() {
  const mail = useApi('GET /api/outbox');
  return (
    <Panel
      id="outbox"
      title="Outbox"
      body="flush"
      footer="This console has no mail server, so verification and reset messages are kept here. Only you can see them."
    >
      {mail.isPending && <SkeletonRows />}
      {mail.isError && (
        <Failed title="The messages could not be loaded" onRetry={() => mail.refetch()}>
          {problemText(mail.error)}
        </Failed>
      )}
      {mail.data?.length === 0 && <NothingYet>No messages yet.</NothingYet>}
      <ul className={settingsListStyles.settings}>
        {mail.data?.map((message) => (
          <li key={message.id}>
            <details>
              <summary>
                <span className={typography.strong}>{message.subject}</span>{' '}
                <span className={typography.subtle}>
                  to {message.to}, {formatDateTime(message.at)}
                </span>
              </summary>
              <pre className={styles.mail}>{message.text}</pre>
            </details>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
