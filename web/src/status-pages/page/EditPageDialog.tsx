import { statusPageRules } from '@homeport/contract/status-pages/facts';
import { statusPageRoutes, statusPageSchema } from '@homeport/contract/status-pages/schema';
import { type FormEvent, useEffect, useId, useReducer, useRef } from 'react';
import { call } from '../../data/call.ts';
import { fieldProblem } from '../../data/problem-text.ts';
import { useRecordEdit } from '../../data/use-record-edit.ts';
import { ProblemBanner } from '../../page-frame/ProblemBanner.tsx';
import { Conflict } from '../../ui/dialog/Conflict.tsx';
import { Dialog } from '../../ui/dialog/Dialog.tsx';
import { SubmitButtons } from '../../ui/dialog/SubmitButtons.tsx';
import { toast } from '../../ui/feedback/toasts.ts';
import { focusFirstWrong, focusFirstWrongOnceDrawn } from '../../ui/form/focus-first-wrong.ts';
import layout from '../../ui/layout/layout.module.css';
import { PageFields } from '../PageFields.tsx';
import { pageForm, pageFormOf } from '../page-form.ts';
import { problemsIn } from '../problems-in.ts';
import type { PageDialogProps } from './page-dialog.ts';

const { body: schema } = statusPageRoutes['POST /api/status-pages'];

/** The title and the address of a page. */
export function EditPageDialog({ page, onClose }: PageDialogProps) {
  const formId = useId();
  const box = useRef<HTMLFormElement>(null);
  const [form, tell] = useReducer(pageForm, page, pageFormOf);
  const { begun, conflict, error, ...edit } = useRecordEdit(
    page,
    { schema: statusPageSchema, topic: 'status-pages' },
    {
      part: ({ title, slug }) => ({ title, slug }),
      send: (mine: { title: string; slug: string }, { id, version }) =>
        call('PATCH /api/status-pages/:id', { params: { id }, body: { version, ...mine } }),
      onSaved: () => {
        toast.ok('Title and address saved');
        onClose();
      },
    },
  );
  const { title, slug } = form;
  const problems = problemsIn(schema, { title, slug });
  const refused = (field: 'title' | 'slug') => fieldProblem(error, field);
  useEffect(() => {
    if (error) focusFirstWrong(box.current);
  }, [error]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    tell({ type: 'sent' });
    if (Object.keys(problems).length > 0) focusFirstWrongOnceDrawn(box.current);
    else edit.save({ title, slug });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Edit title and address"
      description={
        begun.published
          ? `Readers who have the old address find nothing there. Nobody else can take it for ${statusPageRules.freedDays} days.`
          : undefined
      }
      dirty={title !== begun.title || slug !== begun.slug}
      footer={
        <SubmitButtons
          form={formId}
          disabled={conflict !== null}
          onCancel={onClose}
          busy={edit.saving}
          busyLabel="Saving"
        >
          Save
        </SubmitButtons>
      }
    >
      <form
        ref={box}
        id={formId}
        className={layout.stack}
        noValidate
        inert={edit.saving || conflict !== null}
        onSubmit={submit}
      >
        {error && !refused('title') && !refused('slug') && <ProblemBanner error={error} />}
        <PageFields
          form={form}
          tell={tell}
          problemOf={(field) => (form.sent ? problems[field] : undefined) ?? refused(field)}
        />
      </form>
      {conflict && (
        <Conflict
          rows={[
            { label: 'Title', mine: conflict.mine.title, theirs: conflict.theirs.title },
            { label: 'Address', mine: conflict.mine.slug, theirs: conflict.theirs.slug },
          ]}
          busy={edit.saving}
          onKeepMine={edit.keepMine}
          onTakeTheirs={onClose}
        />
      )}
    </Dialog>
  );
}
