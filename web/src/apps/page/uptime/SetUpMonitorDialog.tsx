import type { App } from '@homeport/contract/apps/schema';
import { messages } from '@homeport/contract/messages';
import { uptimeRoutes } from '@homeport/contract/uptime/schema';
import { type FormEvent, useId, useRef, useState } from 'react';
import { fieldProblem } from '../../../data/problem-text.ts';
import { useAct } from '../../../data/use-api.ts';
import { ProblemBanner } from '../../../page-frame/ProblemBanner.tsx';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { SubmitButtons } from '../../../ui/dialog/SubmitButtons.tsx';
import { toast } from '../../../ui/feedback/toasts.ts';
import { RadioCards } from '../../../ui/form/Choice.tsx';
import { TextField } from '../../../ui/form/Field.tsx';
import layout from '../../../ui/layout/layout.module.css';
import typography from '../../../ui/text/typography.module.css';

const { domain: domainSchema, path: pathSchema } = uptimeRoutes['PUT /api/apps/:id/uptime'].body.shape;

/** Asks which of the app's domains to check, and at which path. */
export function SetUpMonitorDialog({ app, onClose }: { app: App; onClose: () => void }) {
  const formId = useId();
  const form = useRef<HTMLFormElement>(null);
  const only = app.domains.length === 1 ? (app.domains[0] ?? '') : '';
  const [domain, setDomain] = useState(only);
  const [path, setPath] = useState('/');
  const [sent, setSent] = useState(false);
  const setUp = useAct('PUT /api/apps/:id/uptime', {
    onDone: () => {
      toast.ok(messages.monitorSetUp);
      onClose();
    },
  });
  const problems = {
    domain: firstProblem(domainSchema.safeParse(domain)) ?? fieldProblem(setUp.error, 'domain'),
    path: firstProblem(pathSchema.safeParse(path)) ?? fieldProblem(setUp.error, 'path'),
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (domainSchema.safeParse(domain).success && pathSchema.safeParse(path).success)
      setUp.mutate({ params: { id: app.id }, body: { domain, path } });
    else form.current?.querySelector('input')?.focus();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Set up monitor"
      description={`This console requests the page from ${app.name} once a minute. After two failures in a row the app is Offline.`}
      dirty={domain !== only || path !== '/'}
      footer={
        <SubmitButtons form={formId} onCancel={onClose} busy={setUp.isPending} busyLabel="Setting up">
          Set up monitor
        </SubmitButtons>
      }
    >
      <form
        id={formId}
        ref={form}
        className={layout.stack}
        noValidate
        inert={setUp.isPending}
        onSubmit={submit}
      >
        {setUp.error && (
          <ProblemBanner error={setUp.error}>
            <b>{messages.monitorFailed}</b>
          </ProblemBanner>
        )}
        <RadioCards
          legend="Domain"
          value={domain}
          options={app.domains.map((each) => ({
            value: each,
            label: <span className={typography.monospace}>{each}</span>,
          }))}
          onChange={setDomain}
          error={sent ? problems.domain : null}
        />
        <TextField
          label="Path"
          help="A page that answers 200 to 299 while the app is well. Up to 5 redirects are followed."
          mono
          autoComplete="off"
          value={path}
          error={sent ? problems.path : undefined}
          onChange={(event) => setPath(event.currentTarget.value)}
        />
      </form>
    </Dialog>
  );
}

const firstProblem = (read: { success: boolean; error?: { issues: { message: string }[] } | undefined }) =>
  read.success ? undefined : read.error?.issues[0]?.message;
