import { nameCharacters } from '@homeport/contract/fields/facts';
import { messages } from '@homeport/contract/messages';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldProblem, problemText } from '../../data/problem-text.ts';
import { useSession } from '../../data/session.ts';
import { sessionKey } from '../../data/session-key.ts';
import { useAct } from '../../data/use-api.ts';
import { Avatar } from '../../shell/Avatar.tsx';
import { Button } from '../../ui/button/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Badge } from '../../ui/feedback/Status.tsx';
import { toast } from '../../ui/feedback/toasts.ts';
import controlsStyles from '../../ui/form/controls.module.css';
import { TextField } from '../../ui/form/Field.tsx';
import layout from '../../ui/layout/layout.module.css';
import { Panel } from '../../ui/layout/Panel.tsx';
import { onDemand } from '../../ui/on-demand.tsx';
import { ChangeEmailButton, EmailChange } from './EmailChange.tsx';
import { PictureActions } from './PictureActions.tsx';

const ChangeEmailDialog = onDemand(async () => (await import('./ChangeEmailDialog.tsx')).ChangeEmailDialog);

/** The person's name, picture and e-mail address. */
export function You() {
  const { user } = useSession();
  const client = useQueryClient();
  const [name, setName] = useState(user.name);
  const [changing, setChanging] = useState(false);
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
    <Panel id="you" title="You" footer={<PictureActions />}>
      <form
        className={classNames(layout.row, layout.gap4, layout.alignedToTop)}
        inert={save.isPending}
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate({ body: { name } });
        }}
      >
        <Avatar user={user} large />
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
          <EmailChange />
          <div className={classNames(layout.row, layout.wrap, layout.spaceBetween)}>
            {user.emailVerified ? (
              <Badge tone="ok" icon="success">
                E-mail verified
              </Badge>
            ) : (
              <Badge tone="warn" icon="warning">
                E-mail not verified
              </Badge>
            )}
            <span className={classNames(layout.row, layout.wrap, layout.gap3)}>
              <ChangeEmailButton onReach={ChangeEmailDialog.prepare} onClick={() => setChanging(true)} />
              <Button type="submit" busy={save.isPending} busyLabel="Saving">
                Save name
              </Button>
            </span>
          </div>
        </div>
      </form>
      {/* Not in the form: the dialog's own form would submit this one too. */}
      {changing && <ChangeEmailDialog onClose={() => setChanging(false)} />}
    </Panel>
  );
}
