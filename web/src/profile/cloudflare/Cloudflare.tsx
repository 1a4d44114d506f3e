import { tokenPageUrl, tokenPermissions } from '@homeport/contract/domains/facts';
import type { CloudflareAccount } from '@homeport/contract/domains/schema';
import { messages } from '@homeport/contract/messages';
import { type FormEvent, useRef, useState } from 'react';
import { fieldProblem, orSentence, problemText } from '../../data/problem-text.ts';
import { useAct, useApi } from '../../data/use-api.ts';
import { NotLoaded } from '../../page-frame/NotLoaded.tsx';
import { ProblemBanner } from '../../page-frame/ProblemBanner.tsx';
import { Button } from '../../ui/button/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { ConfirmDialog } from '../../ui/dialog/confirm-on-demand.ts';
import { Banner } from '../../ui/feedback/Banner.tsx';
import { Badge } from '../../ui/feedback/Status.tsx';
import { toast } from '../../ui/feedback/toasts.ts';
import controlsStyles from '../../ui/form/controls.module.css';
import { PasswordField, TextField } from '../../ui/form/Field.tsx';
import layout from '../../ui/layout/layout.module.css';
import { Panel } from '../../ui/layout/Panel.tsx';
import { Time } from '../../ui/text/Time.tsx';
import typography from '../../ui/text/typography.module.css';

/** The Cloudflare account whose domains the console lists. */
export function Cloudflare() {
  const read = useApi('GET /api/zones/account');
  const account = read.data?.account;
  return (
    <Panel
      id="cloudflare"
      title="Cloudflare"
      busy={read.isPending}
      aside={read.data && <LinkState account={account ?? null} />}
      footer={account ? undefined : 'Checked at Cloudflare before it is saved. Kept encrypted.'}
    >
      <NotLoaded query={read} title="The account could not be loaded" rows={6} />
      {account && <Linked account={account} />}
      {account === null && <LinkForm />}
    </Panel>
  );
}

function LinkState({ account }: { account: CloudflareAccount | null }) {
  if (!account) return <Badge tone="none">Not linked</Badge>;
  if (account.problem) return <Badge tone="warn">Link again</Badge>;
  return (
    <Badge tone="ok" icon="success">
      Linked
    </Badge>
  );
}

const kinds: Record<CloudflareAccount['kind'], string> = {
  token: 'API token',
  account_token: 'API token of an account',
  global_key: 'Global API key, with full access to the account',
};

function Linked({ account }: { account: CloudflareAccount }) {
  const [open, setOpen] = useState<'replace' | 'unlink' | null>(null);
  const check = useAct('POST /api/zones/account/check', {
    onDone: () => toast.ok(messages.profileSynced),
    onFailed: (error) => toast.bad(problemText(error)),
  });
  const unlink = useAct('DELETE /api/zones/account');
  return (
    <div className={classNames(layout.stack, layout.gap4)}>
      {account.problem && (
        <Banner tone="warn">
          <p>{account.problem} Enter another credential.</p>
        </Banner>
      )}
      <div className={classNames(layout.row, layout.wrap, layout.spaceBetween, layout.gap4)}>
        <span className={typography.twoLines}>
          <span className={typography.strong}>{account.ability}</span>
          <small>
            {kinds[account.kind]} ending in {account.lastFour}
            {account.email && `, of ${account.email}`}. Checked <Time at={account.checkedAt} />
            {account.expiresAt !== null && (
              <>
                , expires <Time at={account.expiresAt} as="date" />
              </>
            )}
            .
          </small>
        </span>
        <span className={classNames(layout.row, layout.gap2)}>
          <Button
            size="sm"
            icon="refresh"
            busy={check.isPending}
            busyLabel="Checking"
            onClick={() => check.mutate({})}
          >
            Check again
          </Button>
          <Button size="sm" onClick={() => setOpen(open === 'replace' ? null : 'replace')}>
            Replace
          </Button>
          <Button
            size="sm"
            onPointerEnter={ConfirmDialog.prepare}
            onFocus={ConfirmDialog.prepare}
            onClick={() => setOpen('unlink')}
          >
            Unlink
          </Button>
        </span>
      </div>
      {(open === 'replace' || account.problem) && <LinkForm onDone={() => setOpen(null)} />}
      {open === 'unlink' && (
        <ConfirmDialog
          open
          onClose={() => setOpen(null)}
          title="Unlink Cloudflare?"
          description="The console forgets the credential and the list of your domains. The domains and their records stay at Cloudflare. To make the token useless everywhere, delete it there."
          action="Unlink"
          busyLabel="Unlinking"
          onConfirm={() => orSentence(unlink.mutateAsync({}))}
        />
      )}
    </div>
  );
}

function LinkForm({ onDone }: { onDone?: () => void }) {
  const secret = useRef<HTMLInputElement>(null);
  const email = useRef<HTMLInputElement>(null);
  const [missing, setMissing] = useState(false);
  const link = useAct('PUT /api/zones/account', {
    onDone: () => {
      toast.ok(messages.profileSynced);
      onDone?.();
    },
    onFailed: (error) => (fieldProblem(error, 'email') ? email : secret).current?.focus(),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const typed = secret.current?.value.trim() ?? '';
    const address = email.current?.value.trim() ?? '';
    setMissing(typed === '');
    if (typed === '') secret.current?.focus();
    else link.mutate({ body: { secret: typed, ...(address !== '' && { email: address }) } });
  };
  const problems = { email: fieldProblem(link.error, 'email'), secret: fieldProblem(link.error, 'secret') };
  return (
    <form className={layout.stack} noValidate inert={link.isPending} onSubmit={submit}>
      <p>
        Lists your domains and edits their DNS records. The token needs two permissions:{' '}
        {tokenPermissions.join(' and ')}.{' '}
        <a href={tokenPageUrl} target="_blank" rel="noreferrer">
          Make a token at Cloudflare with both chosen
        </a>
        .
      </p>
      {link.error && !problems.email && !problems.secret && <ProblemBanner error={link.error} />}
      <div className={controlsStyles.pair}>
        <PasswordField
          ref={secret}
          label="API token"
          secret="token"
          autoComplete="off"
          mono
          error={missing ? 'Enter an API token.' : problems.secret}
        />
        <TextField
          ref={email}
          label="Account e-mail"
          optional
          type="email"
          autoComplete="off"
          help="For the global API key only. A token is the better choice."
          error={problems.email}
        />
      </div>
      <div className={layout.row}>
        <Button
          className={layout.atEnd}
          type="submit"
          variant="primary"
          busy={link.isPending}
          busyLabel="Checking"
        >
          Link account
        </Button>
      </div>
    </form>
  );
}
