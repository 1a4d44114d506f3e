import type { Github, GithubAccount, UnlinkedGithub } from '@homeport/contract/github/schema';
import { useState } from 'react';
import { problemText } from '../../data/problem-text.ts';
import { useAct, useApi } from '../../data/use-api.ts';
import { NotLoaded } from '../../page-frame/NotLoaded.tsx';
import { Button } from '../../ui/button/Button.tsx';
import { ExternalLink } from '../../ui/button/CodeLine.tsx';
import { ConfirmDialog } from '../../ui/dialog/confirm-on-demand.ts';
import { Banner } from '../../ui/feedback/Banner.tsx';
import { Badge } from '../../ui/feedback/Status.tsx';
import { toast } from '../../ui/feedback/toasts.ts';
import layout from '../../ui/layout/layout.module.css';
import { Panel } from '../../ui/layout/Panel.tsx';
import { Time } from '../../ui/text/Time.tsx';
import typography from '../../ui/text/typography.module.css';
import { OAuthAppForm } from './OAuthAppForm.tsx';
import { TokenForm } from './TokenForm.tsx';
import { useFinishedLink } from './use-finished-link.ts';

/** The linked GitHub account: what it allows, and the ways to link it again and to unlink it. */
export function GithubSection({ owner }: { owner: boolean }) {
  const github = useApi('GET /api/github');
  const finishing = useFinishedLink();
  const account = github.data?.account ?? null;
  const [left, setLeft] = useState<LeftGrant | null>(null);
  return (
    <Panel
      id="github"
      title="GitHub"
      busy={github.isPending || finishing}
      aside={github.data && <State account={account} />}
      footer="Homeport asks GitHub for repositories, their secrets and workflow files. The token is kept encrypted, and no page ever gets it."
    >
      <NotLoaded query={github} title="The GitHub account could not be loaded" rows={1} />
      {github.data &&
        (account ? (
          <Linked account={account} busy={finishing} onLeft={setLeft} />
        ) : (
          <NotLinked github={github.data} left={left} busy={finishing} />
        ))}
      {owner && github.data && <OAuthAppForm />}
    </Panel>
  );
}

/** A grant that GitHub did not end when its account was unlinked. */
interface LeftGrant {
  login: string;
  /** Where the person revokes it. */
  page: NonNullable<UnlinkedGithub['grantLeftAt']>;
}

function GrantLeft({ login, page }: LeftGrant) {
  return (
    <Banner tone="warn">
      <p>
        {login} is unlinked, and Homeport has forgotten its token. GitHub did not say that its grant has
        ended, so the grant may still stand there.{' '}
        <ExternalLink href={page}>Revoke it at GitHub</ExternalLink>
      </p>
    </Banner>
  );
}

function State({ account }: { account: GithubAccount | null }) {
  if (!account) return <Badge tone="none">Not linked</Badge>;
  if (account.linkAgain)
    return (
      <Badge tone="warn" icon="warning">
        Link again
      </Badge>
    );
  return (
    <Badge tone="ok" icon="success">
      Linked
    </Badge>
  );
}

interface NotLinkedProps {
  github: Pick<Github, 'canConsent' | 'tokensPage'>;
  left: LeftGrant | null;
  busy: boolean;
}

function NotLinked({ github: { canConsent, tokensPage }, left, busy }: NotLinkedProps) {
  return (
    <div className={layout.stack}>
      {left && <GrantLeft {...left} />}
      <p className={typography.small}>
        {canConsent && 'Signs you in, '}
        {canConsent ? 'lists' : 'Lists'} your repositories, and sets up deployments from them.
      </p>
      {canConsent ? (
        <>
          <div className={layout.row}>
            <LinkButton busy={busy}>Link GitHub</LinkButton>
          </div>
          <details>
            <summary className={typography.small}>Link by an access token</summary>
            <TokenForm tokensPage={tokensPage} />
          </details>
        </>
      ) : (
        <TokenForm tokensPage={tokensPage} />
      )}
    </div>
  );
}

interface LinkedProps {
  account: GithubAccount;
  busy: boolean;
  onLeft: (left: LeftGrant | null) => void;
}

function Linked({ account, busy, onLeft }: LinkedProps) {
  const [asking, setAsking] = useState(false);
  const { kind, login, url, canDeploy, linkAgain, hasOtherWay, tokenEnd, linkedAt } = account;
  return (
    <div className={layout.stack}>
      {linkAgain && (
        <Banner
          tone="warn"
          action={kind === 'oauth' ? <LinkButton busy={busy}>Link again</LinkButton> : undefined}
        >
          <p>
            GitHub does not accept the {kind === 'oauth' ? 'link' : 'token'} any more. What is set up on
            servers and in repositories stays.{kind !== 'oauth' && ' Unlink, and link by a new token.'}
          </p>
        </Banner>
      )}
      {!linkAgain && !canDeploy && kind === 'token' && (
        <Banner tone="warn">
          <p>Deployments need a token with the scopes repo and workflow.</p>
        </Banner>
      )}
      {!linkAgain && !canDeploy && kind === 'oauth' && (
        <Banner action={<LinkButton busy={busy}>Allow deployments</LinkButton>}>
          <p>
            This account signs you in. Deployments need more: repositories, their secrets and workflow files.
          </p>
        </Banner>
      )}
      <div className={layout.row}>
        <span className={typography.twoLines}>
          <a className={typography.strong} href={url} target="_blank" rel="noreferrer">
            {login}
          </a>
          <small>
            Linked <Time at={linkedAt} />, with a token that ends in {tokenEnd}. {kindTexts[kind]}
          </small>
        </span>
        <Button
          className={layout.atEnd}
          size="sm"
          disabledReason={
            hasOtherWay
              ? null
              : 'GitHub is your only way to sign in. Set a password first: sign out and choose “Forgot password?”.'
          }
          onPointerEnter={ConfirmDialog.prepare}
          onFocus={ConfirmDialog.prepare}
          onClick={() => setAsking(true)}
        >
          Unlink
        </Button>
      </div>
      {asking && <UnlinkDialog login={login} onLeft={onLeft} onClose={() => setAsking(false)} />}
    </div>
  );
}

const kindTexts: Record<GithubAccount['kind'], string> = {
  oauth: 'Used for readmes and deployments, with the scopes that you granted.',
  token: 'Used for readmes and deployments, with the scopes of the token.',
  fine_grained: 'Used for readmes and deployments of the repositories that the token names.',
};

function LinkButton({ busy, children }: { busy: boolean; children: string }) {
  const link = useAct('POST /api/github/link', {
    onDone: ({ url }) => location.assign(url),
    onFailed: (error) => toast.bad(problemText(error)),
  });
  return (
    <Button
      icon="branch"
      busy={busy || link.isPending || link.isSuccess}
      busyLabel={busy ? 'Linking' : 'Opening GitHub'}
      onClick={() => link.mutate({})}
    >
      {children}
    </Button>
  );
}

interface UnlinkDialogProps extends Pick<LinkedProps, 'onLeft'> {
  login: string;
  onClose: () => void;
}

function UnlinkDialog({ login, onLeft, onClose }: UnlinkDialogProps) {
  const unlink = useAct('POST /api/github/unlink');
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Unlink ${login}?`}
      description="You can no longer sign in with GitHub, and Homeport forgets your repositories. Continuous deployments go on: they use their own keys. Deploy keys of your apps go from GitHub and from their servers."
      action="Unlink"
      busyLabel="Unlinking"
      onConfirm={async () => {
        const { grantLeftAt } = await unlink.mutateAsync({});
        onLeft(grantLeftAt === null ? null : { login, page: grantLeftAt });
        toast.ok(`${login} unlinked`);
      }}
    />
  );
}
