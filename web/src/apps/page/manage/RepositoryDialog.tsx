import type { App } from '@homeport/contract/apps/schema';
import { appSettingsRoutes } from '@homeport/contract/apps/settings-schema';
import type { Server } from '@homeport/contract/servers/schema';
import { type FormEvent, useId, useRef, useState } from 'react';
import { problemText } from '../../../data/api-problem.ts';
import { call } from '../../../data/call.ts';
import { useApi } from '../../../data/use-api.ts';
import { Button } from '../../../ui/button/Button.tsx';
import { Conflict } from '../../../ui/dialog/Conflict.tsx';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { Failed, SkeletonRows } from '../../../ui/feedback/States.tsx';
import { TextField } from '../../../ui/form/Field.tsx';
import layout from '../../../ui/layout/layout.module.css';
import { ContinuousDeployment } from '../../deploy/ContinuousDeployment.tsx';
import { ProblemBanner } from '../../ProblemBanner.tsx';
import { useAppEdit } from '../use-app-edit.ts';

const repositorySchema = appSettingsRoutes['PUT /api/apps/:id/repository'].body.shape.repository.unwrap();

type Repository = App['repository'];

const inWords = (repository: Repository) =>
  repository ? `${repository.fullName}, branch ${repository.branch}` : 'None';

export interface RepositoryDialogProps {
  app: App;
  server: Server;
  onClose: () => void;
}

/** Names the repository that deploys to the app; the workflow that does it is text for its owner to commit. */
export function RepositoryDialog({ app, server, onClose }: RepositoryDialogProps) {
  const formId = useId();
  const input = useRef<HTMLInputElement>(null);
  const [fullName, setFullName] = useState(app.repository?.fullName ?? '');
  const [branch, setBranch] = useState(app.repository?.branch ?? 'main');
  const [sent, setSent] = useState(false);
  const show = (repository: Repository) => {
    setFullName(repository?.fullName ?? '');
    setBranch(repository?.branch ?? 'main');
    setSent(false);
  };
  const edit = useAppEdit(app, {
    part: (each) => each.repository,
    send: (mine, { id, version }) =>
      call('PUT /api/apps/:id/repository', { params: { id }, body: { version, repository: mine } }),
    onSaved: (saved: App) => {
      edit.beginFrom(saved);
      show(saved.repository);
    },
  });
  const read = repositorySchema.safeParse({ fullName, branch });
  const problems = sent && !read.success ? read.error.issues : [];
  const problemOf = (field: string) => problems.find(({ path }) => path[0] === field)?.message;
  const linked = app.repository;
  const changed = fullName !== (linked?.fullName ?? '') || branch !== (linked?.branch ?? 'main');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (read.success) edit.save(read.data);
    else input.current?.focus();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Repository"
      description="A push to its default branch deploys this app. Homeport keeps the name and changes nothing on GitHub."
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
            value={fullName}
            error={problemOf('fullName')}
            onChange={(event) => setFullName(event.currentTarget.value)}
          />
          <TextField
            label="Default branch"
            mono
            autoComplete="off"
            value={branch}
            error={problemOf('branch')}
            onChange={(event) => setBranch(event.currentTarget.value)}
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
        {linked && !changed && <Workflow app={app} server={server} branch={linked.branch} />}
      </div>
    </Dialog>
  );
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
