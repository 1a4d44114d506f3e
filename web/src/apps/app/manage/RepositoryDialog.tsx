import { appSettingsRoutes } from '@homeport/contract/app-settings';
import { type App, appSchema } from '@homeport/contract/apps';
import type { Server } from '@homeport/contract/servers';
import { type FormEvent, useId, useRef, useState } from 'react';
import { isProblem, problemText } from '../../../data/api-problem.ts';
import { useAct, useApi } from '../../../data/use-api.ts';
import { Banner } from '../../../ui/Banner.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { TextField } from '../../../ui/Field.tsx';
import { Failed, SkeletonRows } from '../../../ui/States.tsx';
import { ContinuousDeployment } from '../../ContinuousDeployment.tsx';

const repositorySchema = appSettingsRoutes['PUT /api/apps/:id/repository'].body.shape.repository.unwrap();

export interface RepositoryDialogProps {
  app: App;
  server: Server;
  onClose: () => void;
}

/** Names the repository that deploys to the app; the workflow that does it is text for its owner to commit. */
export function RepositoryDialog({ app, server, onClose }: RepositoryDialogProps) {
  const formId = useId();
  const input = useRef<HTMLInputElement>(null);
  // The version that this edit began from: a change from elsewhere meanwhile must not be overwritten unseen.
  const [version, setVersion] = useState(app.version);
  const [fullName, setFullName] = useState(app.repository?.fullName ?? '');
  const [branch, setBranch] = useState(app.repository?.branch ?? 'main');
  const [sent, setSent] = useState(false);
  const save = useAct('PUT /api/apps/:id/repository', {
    onDone: (saved) => setVersion(saved.version),
    onFailed: (error) => {
      const theirs = isProblem(error, 'stale_edit')
        ? appSchema.pick({ version: true }).safeParse(error.problem.current).data
        : undefined;
      if (theirs) setVersion(theirs.version);
    },
  });
  const read = repositorySchema.safeParse({ fullName, branch });
  const problems = sent && !read.success ? read.error.issues : [];
  const problemOf = (field: string) => problems.find(({ path }) => path[0] === field)?.message;
  const linked = app.repository;
  const changed = fullName !== (linked?.fullName ?? '') || branch !== (linked?.branch ?? 'main');
  const send = (repository: { fullName: string; branch: string } | null) =>
    save.mutate({ params: { id: app.id }, body: { version, repository } });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (read.success) send(read.data);
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
              disabled={save.isPending}
              onClick={() => {
                setFullName('');
                setBranch('main');
                setSent(false);
                send(null);
              }}
            >
              Unlink
            </Button>
          )}
          <Button className="end" onClick={onClose}>
            {linked && !changed ? 'Close' : 'Cancel'}
          </Button>
          {(!linked || changed) && (
            <Button type="submit" form={formId} variant="primary" busy={save.isPending} busyLabel="Saving">
              {linked ? 'Save repository' : 'Link repository'}
            </Button>
          )}
        </>
      }
    >
      <div className="stack">
        {save.error && (
          <Banner tone={isProblem(save.error, 'stale_edit') ? 'warn' : 'bad'}>
            <p>
              {isProblem(save.error, 'stale_edit')
                ? 'This app was changed elsewhere. Look at it, then save again to keep yours.'
                : problemText(save.error)}
            </p>
          </Banner>
        )}
        <form id={formId} className="stack" noValidate inert={save.isPending} onSubmit={submit}>
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
