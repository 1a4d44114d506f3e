import { type StatusPost, statusPageRoutes } from '@homeport/contract/status-pages/schema';
import { type FormEvent, useEffect, useId, useReducer, useRef } from 'react';
import { fieldProblem } from '../../data/problem-text.ts';
import { useAct } from '../../data/use-api.ts';
import { ProblemBanner } from '../../page-frame/ProblemBanner.tsx';
import { Dialog } from '../../ui/dialog/Dialog.tsx';
import { SubmitButtons } from '../../ui/dialog/SubmitButtons.tsx';
import { toast } from '../../ui/feedback/toasts.ts';
import { focusFirstWrong, focusFirstWrongOnceDrawn } from '../../ui/form/focus-first-wrong.ts';
import layout from '../../ui/layout/layout.module.css';
import { problemsIn } from '../problems-in.ts';
import { StateField, TextBox } from './PostFields.tsx';
import type { PageDialogProps } from './page-dialog.ts';
import { emptyPostForm, postForm } from './post-form.ts';

const { body: schema } = statusPageRoutes['POST /api/status-pages/:id/updates'];

/** Writes what is new of an incident or a maintenance. */
export function UpdateDialog({ page, post, onClose }: PageDialogProps & { post: StatusPost }) {
  const formId = useId();
  const box = useRef<HTMLFormElement>(null);
  const isIncident = post.kind === 'incident';
  const begun = { ...emptyPostForm, state: post.updates[0]?.state ?? emptyPostForm.state };
  const [form, tell] = useReducer(postForm, begun);
  const write = useAct('POST /api/status-pages/:id/updates', {
    onDone: () => {
      toast.ok('Update written', { detail: post.title });
      onClose();
    },
  });
  const { text, state } = form;
  const body = { postId: post.id, text, ...(isIncident && { state }) };
  const problems = problemsIn(schema, body);
  const refused = fieldProblem(write.error, 'text');
  useEffect(() => {
    if (write.error) focusFirstWrong(box.current);
  }, [write.error]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    tell({ type: 'sent' });
    if (Object.keys(problems).length > 0) focusFirstWrongOnceDrawn(box.current);
    else write.mutate({ params: { id: page.id }, body });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Write update"
      description={post.title}
      dirty={text !== '' || state !== begun.state}
      footer={
        <SubmitButtons form={formId} onCancel={onClose} busy={write.isPending} busyLabel="Saving">
          Write
        </SubmitButtons>
      }
    >
      <form
        ref={box}
        id={formId}
        className={layout.stack}
        noValidate
        inert={write.isPending}
        onSubmit={submit}
      >
        {write.error && refused === undefined && <ProblemBanner error={write.error} />}
        {isIncident && <StateField state={state} onChange={(next) => tell({ type: 'state', state: next })} />}
        <TextBox
          value={text}
          error={(form.sent ? problems.text : undefined) ?? refused}
          onChange={(event) => tell({ type: 'typed', field: 'text', value: event.currentTarget.value })}
        />
      </form>
    </Dialog>
  );
}
