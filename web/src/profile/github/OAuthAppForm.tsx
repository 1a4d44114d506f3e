import type { GithubApp } from '@homeport/contract/github/schema';
import { type FormEvent, useRef } from 'react';
import { fieldProblem, problemText } from '../../data/problem-text.ts';
import { useAct, useApi } from '../../data/use-api.ts';
import { ProblemBanner } from '../../page-frame/ProblemBanner.tsx';
import { Button } from '../../ui/button/Button.tsx';
import { CopyValue, ExternalLink } from '../../ui/button/CodeLine.tsx';
import { toast } from '../../ui/feedback/toasts.ts';
import { PasswordField, TextField } from '../../ui/form/Field.tsx';
import layout from '../../ui/layout/layout.module.css';
import typography from '../../ui/text/typography.module.css';

/** The console's OAuth app at GitHub, for its owner. Nothing where the app stands in the settings. */
export function OAuthAppForm() {
  const app = useApi('GET /api/github/app').data;
  if (!app || app.from === 'settings') return null;
  return (
    <details>
      <summary className={typography.small}>
        {app.clientId === null
          ? 'OAuth app of this console: not set up'
          : `OAuth app of this console: ${app.clientId}`}
      </summary>
      <Fields app={app} />
    </details>
  );
}

function Fields({ app }: { app: GithubApp }) {
  const id = useRef<HTMLInputElement>(null);
  const secret = useRef<HTMLInputElement>(null);
  const keep = useAct('PUT /api/github/app', { onDone: () => toast.ok('The OAuth app is saved') });
  const forget = useAct('DELETE /api/github/app', {
    onDone: () => toast.ok('The OAuth app is forgotten'),
    onFailed: (error) => toast.bad(problemText(error)),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    keep.mutate({
      body: { client: id.current?.value ?? '', secret: secret.current?.value ?? '' },
    });
  };
  const problems = {
    id: fieldProblem(keep.error, 'client'),
    secret: fieldProblem(keep.error, 'secret'),
  };
  return (
    <form className={layout.stack} noValidate inert={keep.isPending} onSubmit={submit}>
      <p className={typography.small}>
        With an OAuth app everybody here links and signs in with one click.{' '}
        <ExternalLink href={app.newAppPage}>Make one at GitHub</ExternalLink> with this callback address:{' '}
        <CopyValue text={app.callbackUrl} what="callback address" />
      </p>
      {keep.error && !problems.id && !problems.secret && <ProblemBanner error={keep.error} />}
      <TextField
        ref={id}
        label="Client id"
        mono
        autoComplete="off"
        defaultValue={app.clientId ?? ''}
        error={problems.id}
      />
      <PasswordField
        ref={secret}
        label="Client secret"
        secret="secret"
        autoComplete="off"
        mono
        help="Kept encrypted, and shown to nobody."
        error={problems.secret}
      />
      <div className={layout.row}>
        <Button type="submit" busy={keep.isPending} busyLabel="Saving">
          Save the app
        </Button>
        {app.clientId !== null && (
          <Button
            variant="ghost"
            busy={forget.isPending}
            busyLabel="Forgetting"
            onClick={() => forget.mutate({})}
          >
            Forget it
          </Button>
        )}
      </div>
    </form>
  );
}
