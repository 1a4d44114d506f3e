import type { App } from '@homeport/contract/apps/schema';
import { useId } from 'react';
import { useAct } from '../../data/use-api.ts';
import { openOperation } from '../../operations/open-operation.ts';
import { ProblemBanner } from '../../page-frame/ProblemBanner.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Dialog } from '../../ui/dialog/Dialog.tsx';
import { SubmitButtons } from '../../ui/dialog/SubmitButtons.tsx';
import definitions from '../../ui/layout/definitions.module.css';
import { Fact } from '../../ui/layout/Fact.tsx';
import layout from '../../ui/layout/layout.module.css';
import { Time } from '../../ui/text/Time.tsx';
import typography from '../../ui/text/typography.module.css';
import { deployWords } from './deploy-words.ts';
import type { CommitDeploy } from './go-back.ts';

export interface GoBackDialogProps {
  app: App;
  /** What runs now; null: the history does not tell. */
  running: CommitDeploy | null;
  to: CommitDeploy;
  onClose: () => void;
}

/** Says what going back does and what it leaves as it is, before it begins. */
export function GoBackDialog({ app, running, to, onClose }: GoBackDialogProps) {
  const formId = useId();
  const goBack = useAct('POST /api/apps/:id/go-back', {
    onDone: ({ id }) => {
      onClose();
      openOperation(id);
    },
  });
  const short = to.commit.sha.slice(0, 7);
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Go back to ${short}?`}
      description={`Dokku builds this commit anew and deploys it. That takes minutes. ${app.stopped ? 'The app is stopped, and the deploy starts it.' : 'The present version serves meanwhile.'}`}
      footer={
        <SubmitButtons form={formId} onCancel={onClose} busy={goBack.isPending} busyLabel="Beginning">
          Build {short}
        </SubmitButtons>
      }
    >
      <form
        id={formId}
        className={layout.stack}
        onSubmit={(event) => {
          event.preventDefault();
          goBack.mutate({ params: { id: app.id }, body: { sha: to.commit.sha } });
        }}
      >
        {goBack.isError && <ProblemBanner error={goBack.error} />}
        <dl className={definitions.list}>
          <Fact name="Runs now">
            {running ? <CommitText deploy={running} /> : 'The history does not tell'}
          </Fact>
          <Fact name="Will run">
            <CommitText deploy={to} />
          </Fact>
        </dl>
        <ul className={classNames(typography.small, layout.stack, layout.gap2)}>
          <li>
            <strong>Not undone:</strong> database migrations, files in volumes, and variables stay as they are
            now, but for GIT_REV, which names this commit.
          </li>
          <li>
            <strong>Run again:</strong> the predeploy, release and postdeploy tasks of this version. Its
            app.json applies again: numbers of processes, scheduled tasks and checks.
          </li>
          <li>
            <strong>Deploy branch:</strong> Dokku’s branch moves to this commit, so a rebuild does not bring
            the newer version back. If the build fails, the present version serves on, and the branch stays
            here. If a check fails, processes that passed before it run this version already.
          </li>
          <li>
            <strong>Next push:</strong> deploys what it pushes, so the newer version comes back unless you
            revert it first. That holds for a repository that deploys by itself, too. A push whose history
            lacks this commit needs <code>--force</code>. The server keeps the newer commit for about two
            weeks.
          </li>
        </ul>
      </form>
    </Dialog>
  );
}

function CommitText({ deploy }: { deploy: CommitDeploy }) {
  const { title, facts } = deployWords(deploy);
  return (
    <>
      <code title={deploy.commit.sha}>{deploy.commit.sha.slice(0, 7)}</code> {title}
      <br />
      <small>
        {facts.map((fact) => `${fact}, `)}
        deployed <Time at={deploy.startedAt} />
      </small>
    </>
  );
}
