import type { App } from '@homeport/contract/apps/schema';
import { noSuchCommit } from '@homeport/contract/github/facts';
import { continuousRoutes, type FoundCommit } from '@homeport/contract/github/schema';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { apiQuery } from '../../data/api-query.ts';
import { problemText } from '../../data/problem-text.ts';
import { useAct, useApi } from '../../data/use-api.ts';
import { openOperation } from '../../operations/open-operation.ts';
import { ProblemBanner } from '../../page-frame/ProblemBanner.tsx';
import { Dialog } from '../../ui/dialog/Dialog.tsx';
import { SubmitButtons } from '../../ui/dialog/SubmitButtons.tsx';
import { Banner } from '../../ui/feedback/Banner.tsx';
import { SkeletonRows } from '../../ui/feedback/States.tsx';
import { TextField } from '../../ui/form/Field.tsx';
import layout from '../../ui/layout/layout.module.css';
import { Time } from '../../ui/text/Time.tsx';
import typography from '../../ui/text/typography.module.css';
import { PrivateWay, usePrivateWay } from './PrivateWay.tsx';

const refSchema = continuousRoutes['POST /api/apps/:id/deploy-commit'].body.shape.ref;

export interface DeployCommitDialogProps {
  app: App;
  repository: NonNullable<App['repository']>;
  onClose: () => void;
}

/**
 * Deploys one commit. The server itself fetches a public repository; a private one goes with the app's deploy key or by an archive, as
 * the person chooses, and needs the linked GitHub account. With that account the dialog shows the commit first, and deploys exactly that
 * one.
 */
export function DeployCommitDialog({ app, repository, onClose }: DeployCommitDialogProps) {
  const formId = useId();
  const [typed, setTyped] = useState(repository.branch);
  const [asked, setAsked] = useState(repository.branch);
  const [fault, setFault] = useState<string | null>(null);
  const { found, looksUp, accountIsRead } = useFoundCommit(app, asked);
  const deploy = useAct('POST /api/apps/:id/deploy-commit', {
    onDone: ({ id }) => {
      onClose();
      openOperation(id);
    },
  });
  const isAsked = looksUp && typed.trim() === asked;
  const commit = isAsked ? (found.data ?? undefined) : undefined;
  const choice = usePrivateWay(app, commit?.private === true);
  const isMissing = isAsked && found.data === null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const ref = refSchema.safeParse(typed);
    setFault(ref.success ? null : (ref.error.issues[0]?.message ?? null));
    if (!ref.success) return;
    if (looksUp && !commit) {
      setAsked(ref.data);
      if (ref.data === asked) void found.refetch();
    } else
      deploy.mutate({
        params: { id: app.id },
        body: {
          repository: repository.fullName,
          ref: commit?.sha ?? ref.data,
          way: choice.way ?? 'archive',
        },
      });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Deploy a commit"
      description={`The server gets one commit of ${repository.fullName}, builds and deploys it, without GitHub Actions.`}
      footer={
        <SubmitButtons
          form={formId}
          busy={deploy.isPending || !accountIsRead || (looksUp && found.isFetching) || choice.plan.isFetching}
          busyLabel={deploy.isPending ? 'Beginning' : 'Asking GitHub'}
          onCancel={onClose}
        >
          {commit
            ? `${choice.makesKey ? 'Add the key and deploy' : 'Deploy'} ${commit.sha.slice(0, 7)}`
            : looksUp
              ? 'Find the commit'
              : 'Deploy'}
        </SubmitButtons>
      }
    >
      <form id={formId} className={layout.stack} noValidate onSubmit={submit}>
        {deploy.isError && <ProblemBanner error={deploy.error} />}
        <TextField
          label="Branch or commit"
          mono
          autoComplete="off"
          spellCheck={false}
          value={typed}
          error={fault ?? (isMissing ? noSuchCommit : null)}
          help="Dokku’s own branch moves to this commit. A later push of another history needs --force."
          onChange={(event) => {
            setFault(null);
            setTyped(event.currentTarget.value);
          }}
        />
        {looksUp || !accountIsRead ? (
          <Found
            commit={commit}
            isPending={found.isFetching || !accountIsRead}
            problem={found.error && !commit ? problemText(found.error) : null}
          />
        ) : (
          <p className={typography.small}>
            Without a linked GitHub account Homeport cannot look the commit up. The server finds it, and the
            log says what it deploys. A private repository needs the account.
          </p>
        )}
        {commit?.private && <PrivateWay app={app} choice={choice} />}
      </form>
    </Dialog>
  );
}

/** The commit at GitHub. `looksUp` is false without a linked account that GitHub accepts, and until the account is read. */
function useFoundCommit(app: App, ref: string) {
  const github = useApi('GET /api/github');
  const account = github.data?.account;
  const looksUp = account !== undefined && account !== null && !account.linkAgain;
  const found = useQuery({
    ...apiQuery('GET /api/apps/:id/commit', { params: { id: app.id }, query: { ref } }),
    enabled: looksUp,
    retry: false,
    gcTime: 0,
    refetchInterval: false,
  });
  return { found, looksUp, accountIsRead: !github.isPending };
}

function Found({
  commit,
  isPending,
  problem,
}: {
  commit: FoundCommit | undefined;
  isPending: boolean;
  problem: string | null;
}) {
  if (problem !== null)
    return (
      <Banner tone="bad">
        <p>{problem}</p>
      </Banner>
    );
  if (!commit) return isPending ? <SkeletonRows rows={1} /> : null;
  return (
    <p className={typography.twoLines}>
      <a href={commit.url} target="_blank" rel="noreferrer">
        {commit.title || commit.sha.slice(0, 7)}
      </a>
      <small>
        {commit.author ?? 'Unknown author'}
        {commit.at !== null && (
          <>
            {', '}
            <Time at={commit.at} />
          </>
        )}
      </small>
    </p>
  );
}
