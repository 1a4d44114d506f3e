import { statusPageRoutes } from '@homeport/contract/status-pages/schema';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useEffect, useId, useReducer, useRef } from 'react';
import { fieldProblem } from '../../data/problem-text.ts';
import { useAct } from '../../data/use-api.ts';
import { ProblemBanner } from '../../page-frame/ProblemBanner.tsx';
import { Dialog } from '../../ui/dialog/Dialog.tsx';
import { SubmitButtons } from '../../ui/dialog/SubmitButtons.tsx';
import { toast } from '../../ui/feedback/toasts.ts';
import { focusFirstWrong, focusFirstWrongOnceDrawn } from '../../ui/form/focus-first-wrong.ts';
import layout from '../../ui/layout/layout.module.css';
import { PageFields } from '../PageFields.tsx';
import { emptyPageForm, pageForm } from '../page-form.ts';
import { problemsIn } from '../problems-in.ts';

const { body: schema } = statusPageRoutes['POST /api/status-pages'];

/** Makes a page that nobody sees yet, and opens it. */
export function NewPageDialog({ onClose }: { onClose: () => void }) {
  const formId = useId();
  const box = useRef<HTMLFormElement>(null);
  const navigate = useNavigate();
  const [form, tell] = useReducer(pageForm, emptyPageForm);
  const { title, slug } = form;
  const add = useAct('POST /api/status-pages', {
    onDone: ({ id, title: detail }) => {
      toast.ok('Status page created', { detail, page: `/status-pages/${id}` });
      void navigate({ to: '/status-pages/{-$id}', params: { id } });
    },
  });
  const problems = problemsIn(schema, { title, slug });
  const refused = (field: 'title' | 'slug') => fieldProblem(add.error, field);
  useEffect(() => {
    if (add.error) focusFirstWrong(box.current);
  }, [add.error]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    tell({ type: 'sent' });
    if (Object.keys(problems).length > 0) focusFirstWrongOnceDrawn(box.current);
    else add.mutate({ body: { title, slug } });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Create status page"
      description="Nobody sees it before you publish it."
      dirty={form !== emptyPageForm && !add.isSuccess}
      footer={
        <SubmitButtons form={formId} onCancel={onClose} busy={add.isPending} busyLabel="Creating">
          Create status page
        </SubmitButtons>
      }
    >
      <form ref={box} id={formId} className={layout.stack} noValidate inert={add.isPending} onSubmit={submit}>
        {add.error && !refused('title') && !refused('slug') && <ProblemBanner error={add.error} />}
        <PageFields
          form={form}
          tell={tell}
          problemOf={(field) => (form.sent ? problems[field] : undefined) ?? refused(field)}
        />
      </form>
    </Dialog>
  );
}
