import { fineGrainedPermissions } from '@homeport/contract/github/facts';
import { type FormEvent, useRef, useState } from 'react';
import { fieldProblem } from '../../data/problem-text.ts';
import { useAct } from '../../data/use-api.ts';
import { ProblemBanner } from '../../page-frame/ProblemBanner.tsx';
import { Button } from '../../ui/button/Button.tsx';
import { ExternalLink } from '../../ui/button/CodeLine.tsx';
import { PasswordField } from '../../ui/form/Field.tsx';
import layout from '../../ui/layout/layout.module.css';
import typography from '../../ui/text/typography.module.css';

/** Links the account of an access token: the way without an OAuth app. The token is read from its field, and kept in no state. */
export function TokenForm({ tokensPage }: { tokensPage: string }) {
  const token = useRef<HTMLInputElement>(null);
  const [missing, setMissing] = useState(false);
  const link = useAct('POST /api/github/token', { onFailed: () => token.current?.focus() });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const typed = token.current?.value.trim() ?? '';
    setMissing(typed === '');
    if (typed === '') token.current?.focus();
    else link.mutate({ body: { token: typed } });
  };
  const problem = fieldProblem(link.error, 'token');
  return (
    <form className={layout.stack} noValidate inert={link.isPending} onSubmit={submit}>
      <p className={typography.small}>
        <ExternalLink href={tokensPage}>Make a fine-grained token at GitHub</ExternalLink> for the
        repositories that you deploy, with these permissions: {fineGrainedPermissions.join(', ')}. A classic
        token needs the scopes repo and workflow.
      </p>
      {link.error && !problem && <ProblemBanner error={link.error} />}
      <PasswordField
        ref={token}
        label="Access token"
        secret="token"
        autoComplete="off"
        mono
        error={missing ? 'Enter an access token.' : problem}
      />
      <div className={layout.row}>
        <Button className={layout.atEnd} type="submit" busy={link.isPending} busyLabel="Checking">
          Link by token
        </Button>
      </div>
    </form>
  );
}
