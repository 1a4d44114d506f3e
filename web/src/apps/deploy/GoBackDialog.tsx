import { releaseStartSeconds } from '@homeport/contract/apps/releases/facts';
import type { App } from '@homeport/contract/apps/schema';
import { type ReactNode, useId, useState } from 'react';
import { useAct } from '../../data/use-api.ts';
import { openOperation } from '../../operations/open-operation.ts';
import { ProblemBanner } from '../../page-frame/ProblemBanner.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Dialog } from '../../ui/dialog/Dialog.tsx';
import { SubmitButtons } from '../../ui/dialog/SubmitButtons.tsx';
import { RadioCards } from '../../ui/form/Choice.tsx';
import definitions from '../../ui/layout/definitions.module.css';
import { Fact } from '../../ui/layout/Fact.tsx';
import layout from '../../ui/layout/layout.module.css';
import { Time } from '../../ui/text/Time.tsx';
import typography from '../../ui/text/typography.module.css';
import { deployWords } from './deploy-words.ts';
import type { CommitDeploy, WayBack } from './go-back.ts';

export interface GoBackDialogProps {
  app: App;
  /** What runs now; null: the history does not tell. */
  running: CommitDeploy | null;
  to: WayBack;
  onClose: () => void;
}

type How = 'kept' | 'build';

/** Says what going back does and what it leaves as it is, before it begins. */
export function GoBackDialog({ app, running, to, onClose }: GoBackDialogProps) {
  const formId = useId();
  const canStart = to.release !== null && (!app.stopped || to.endsEarlier);
  const [how, setHow] = useState<How>(canStart ? 'kept' : 'build');
  const onDone = ({ id }: { id: string }) => {
    onClose();
    openOperation(id);
  };
  const build = useAct('POST /api/apps/:id/go-back', { onDone });
  const start = useAct('POST /api/apps/:id/releases/go-back', { onDone });
  const act = how === 'kept' ? start : build;
  const name = to.sha?.slice(0, 7) ?? 'the kept version';
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Go back to ${name}?`}
      description={descriptionOf(how, app)}
      footer={
        <SubmitButtons
          form={formId}
          onCancel={onClose}
          busy={start.isPending || build.isPending}
          busyLabel="Beginning"
        >
          {how === 'kept' ? 'Start' : 'Build'} {name}
        </SubmitButtons>
      }
    >
      <form
        id={formId}
        className={layout.stack}
        onSubmit={(event) => {
          event.preventDefault();
          const params = { id: app.id };
          if (how === 'kept' && to.release) start.mutate({ params, body: { release: to.release.id } });
          else if (to.sha !== null) build.mutate({ params, body: { sha: to.sha } });
        }}
      >
        {act.isError && <ProblemBanner error={act.error} />}
        <dl className={definitions.list}>
          <Fact name="Runs now">
            {running ? (
              <VersionText {...deployWords(running)} sha={running.commit.sha} at={running.startedAt} />
            ) : (
              'The history does not tell'
            )}
          </Fact>
          <Fact name="Will run">
            <VersionText {...to} />
          </Fact>
        </dl>
        {to.release && to.builds && (
          <RadioCards<How>
            legend="How"
            value={how}
            onChange={setHow}
            options={[
              {
                value: 'kept',
                label: 'Start the kept image',
                note: `About ${releaseStartSeconds} s for each process, and exactly what ran`,
                disabledReason: canStart ? null : 'Start the app first',
              },
              {
                value: 'build',
                label: 'Build the commit anew',
                note: 'Minutes, from the code of the commit',
              },
            ]}
          />
        )}
        <ul className={classNames(typography.small, layout.stack, layout.gap2)}>{linesOf(how, to)}</ul>
      </form>
    </Dialog>
  );
}

function descriptionOf(how: How, app: App): string {
  if (how === 'kept')
    return `The server starts the image that it kept, checks it, and then leads visitors to it. That takes about ${releaseStartSeconds} seconds for each process. The present version serves meanwhile.`;
  return `Dokku builds this commit anew and deploys it. That takes minutes. ${app.stopped ? 'The app is stopped, and the deploy starts it.' : 'The present version serves meanwhile.'}`;
}

function linesOf(how: How, { sha }: WayBack): ReactNode {
  return (
    <>
      <li>
        <strong>Not undone:</strong> database migrations, files in volumes, and variables stay as they are now
        {sha === null ? '.' : ', but for GIT_REV, which names this commit.'}
      </li>
      {how === 'kept' ? (
        <>
          <li>
            <strong>Tasks:</strong> the postdeploy task of this version runs, predeploy and release do not.
            Its app.json applies again: numbers of processes, scheduled tasks and checks. Without numbers
            there those of now stay; a type without one, and web at 0, get those of then.
          </li>
          <li>
            <strong>If it does not start:</strong> image, files and deploy branch are put back, and what
            serves now serves on. A process type that passed its check before another one failed is deployed
            again.
          </li>
        </>
      ) : (
        <li>
          <strong>Run again:</strong> the predeploy, release and postdeploy tasks of this version. Its
          app.json applies again: numbers of processes, scheduled tasks and checks.
        </li>
      )}
      {sha !== null && (
        <>
          <li>
            <strong>Deploy branch:</strong> Dokku’s branch moves to this commit, so a rebuild does not bring
            the newer version back.
            {how === 'build' &&
              ' If the build fails, the present version serves on, and the branch stays here. If a check fails, processes that passed before it run this version already.'}
          </li>
          <li>
            <strong>Next push:</strong> deploys what it pushes, so the newer version comes back unless you
            revert it first. That holds for a repository that deploys by itself, too. A push whose history
            lacks this commit needs <code>--force</code>. The server keeps the newer commit for about two
            weeks.
          </li>
        </>
      )}
    </>
  );
}

function VersionText({ title, facts, sha, at }: Pick<WayBack, 'title' | 'facts' | 'sha' | 'at'>) {
  return (
    <>
      {sha !== null && <code title={sha}>{sha.slice(0, 7)}</code>} {title}
      <br />
      <small>
        {facts.map((fact) => `${fact}, `)}
        deployed <Time at={at} />
      </small>
    </>
  );
}
