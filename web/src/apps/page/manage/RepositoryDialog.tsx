import type { App } from '@homeport/contract/apps/schema';
import type { Server } from '@homeport/contract/servers/schema';
import { type FormEvent, lazy, type RefObject, Suspense, useId, useRef, useState } from 'react';
import { call } from '../../../data/call.ts';
import { problemText } from '../../../data/problem-text.ts';
import { useApi } from '../../../data/use-api.ts';
import { ProblemBanner } from '../../../page-frame/ProblemBanner.tsx';
import { Button } from '../../../ui/button/Button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Conflict } from '../../../ui/dialog/Conflict.tsx';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { Failed, SkeletonRows } from '../../../ui/feedback/States.tsx';
import { TextField } from '../../../ui/form/Field.tsx';
import layout from '../../../ui/layout/layout.module.css';
import typography from '../../../ui/text/typography.module.css';
import { closedOnApp } from '../../closed-on-app.ts';
import { ContinuousDeployment } from '../../deploy/ContinuousDeployment.tsx';
import { useAppEdit } from '../use-app-edit.ts';
import { RepositoryPicker } from './RepositoryPicker.tsx';
import {
  differs,
  fieldsOf,
  type Repository,
  type RepositoryFields,
  readRepository,
} from './repository-form.ts';

const SetUpDialog = lazy(async () => ({
  default: (await import('../../continuous/SetUpDialog.tsx')).SetUpDialog,
}));

const inWords = (repository: Repository) =>
  repository ? `${repository.fullName}, branch ${repository.branch}` : 'None';

export interface RepositoryDialogProps {
  app: App;
  server: Server;
  onClose: () => void;
}

/**
 * Names the repository that deploys to the app. The dialog shows a workflow file for the repository's owner
 * to commit.
 */
export function RepositoryDialog({ app, server, onClose }: RepositoryDialogProps) {
  const formId = useId();
  const input = useRef<HTMLInputElement>(null);
  const { edit, fields, problems, changed, change, submit } = useRepositoryEdit(app, input);
  const linked = app.repository;
  const [settingUp, setSettingUp] = useState(false);
  const github = useApi('GET /api/github').data?.account;
  const isGithubLinked = github !== undefined && github !== null && !github.linkAgain;
  if (settingUp)
    return (
      <Suspense fallback={null}>
        <SetUpDialog app={app} server={server} onClose={onClose} />
      </Suspense>
    );
  return (
    <Dialog
      open
      onClose={onClose}
      title="Repository"
      description="A push to its default branch deploys this app. Linking changes nothing on GitHub."
      dirty={changed}
      initialFocus={input}
      footer={
        <>
          {linked && (
            <Button
              variant="ghost"
              disabled={edit.saving || edit.conflict !== null}
              onClick={() => edit.save(null)}
            >
              Unlink
            </Button>
          )}
          <Button className={layout.atEnd} onClick={onClose}>
            {linked && !changed ? 'Close' : 'Cancel'}
          </Button>
          {(!linked || changed) && !edit.conflict && (
            <Button type="submit" form={formId} variant="primary" busy={edit.saving} busyLabel="Saving">
              {linked ? 'Save repository' : 'Link repository'}
            </Button>
          )}
        </>
      }
    >
      <div className={layout.stack}>
        {edit.error && <ProblemBanner error={edit.error} />}
        {isGithubLinked && !edit.conflict && (
          <RepositoryPicker
            chosen={fields.fullName}
            onChoose={({ fullName, defaultBranch }) => change({ fullName, branch: defaultBranch })}
          />
        )}
        <form
          id={formId}
          className={layout.stack}
          noValidate
          inert={edit.saving || edit.conflict !== null}
          onSubmit={submit}
        >
          <TextField
            ref={input}
            label="Repository on GitHub"
            mono
            autoComplete="off"
            placeholder="owner/name"
            value={fields.fullName}
            error={problems.fullName}
            onChange={(event) => change({ fullName: event.currentTarget.value })}
          />
          <TextField
            label="Default branch"
            mono
            autoComplete="off"
            value={fields.branch}
            error={problems.branch}
            onChange={(event) => change({ branch: event.currentTarget.value })}
          />
        </form>
        {edit.conflict && (
          <Conflict
            rows={[
              {
                label: 'Repository',
                mine: inWords(edit.conflict.mine),
                theirs: inWords(edit.conflict.theirs),
              },
            ]}
            busy={edit.saving}
            onKeepMine={edit.keepMine}
            onTakeTheirs={onClose}
          />
        )}
        {linked && !changed && (
          <>
            {isGithubLinked && github.canDeploy && (
              <div className={classNames(layout.row, layout.wrap, layout.spaceBetween)}>
                <p className={typography.small}>Homeport can set up a deployment of each push.</p>
                <Button
                  icon="branch"
                  variant="primary"
                  disabledReason={closedOnApp(app, server, 'deploy')}
                  onClick={() => setSettingUp(true)}
                >
                  Set up
                </Button>
              </div>
            )}
            <details>
              <summary className={typography.small}>Set it up by hand: two secrets and one file</summary>
              <Workflow app={app} server={server} branch={linked.branch} />
            </details>
          </>
        )}
      </div>
    </Dialog>
  );
}

function useRepositoryEdit(app: App, first: RefObject<HTMLInputElement | null>) {
  const [fields, setFields] = useState(() => fieldsOf(app.repository));
  const [sent, setSent] = useState(false);
  const edit = useAppEdit<Repository, App>(app, {
    part: (each) => each.repository,
    send: (mine, { id, version }) =>
      call('PUT /api/apps/:id/repository', { params: { id }, body: { version, repository: mine } }),
    onSaved: (saved) => {
      edit.beginFrom(saved);
      setFields(fieldsOf(saved.repository));
      setSent(false);
    },
  });
  const read = readRepository(fields);
  return {
    edit,
    fields,
    problems: sent && !read.ok ? read.problems : {},
    changed: differs(fields, app.repository),
    change: (part: Partial<RepositoryFields>) => setFields({ ...fields, ...part }),
    submit(event: FormEvent) {
      event.preventDefault();
      setSent(true);
      if (read.ok) edit.save(read.repository);
      else first.current?.focus();
    },
  };
}

function Workflow({ app, server, branch }: { app: App; server: Server; branch: string }) {
  const instructions = useApi('GET /api/apps/:id/deploy-instructions', { params: { id: app.id } });
  if (instructions.data)
    return <ContinuousDeployment instructions={instructions.data} server={server} branch={branch} />;
  if (instructions.isPending) return <SkeletonRows />;
  return (
    <Failed title="The workflow could not be loaded" onRetry={() => void instructions.refetch()}>
      {problemText(instructions.error)}
    </Failed>
  );
}
