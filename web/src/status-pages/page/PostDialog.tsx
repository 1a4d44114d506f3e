import { type PostKind, statusPageLimits } from '@homeport/contract/status-pages/facts';
import { statusPageRoutes } from '@homeport/contract/status-pages/schema';
import { type FormEvent, useEffect, useId, useReducer, useRef } from 'react';
import { fieldProblem } from '../../data/problem-text.ts';
import { useAct } from '../../data/use-api.ts';
import { ProblemBanner } from '../../page-frame/ProblemBanner.tsx';
import { Dialog } from '../../ui/dialog/Dialog.tsx';
import { SubmitButtons } from '../../ui/dialog/SubmitButtons.tsx';
import { toast } from '../../ui/feedback/toasts.ts';
import { Checkbox } from '../../ui/form/Choice.tsx';
import controlsStyles from '../../ui/form/controls.module.css';
import { TextField } from '../../ui/form/Field.tsx';
import { focusFirstWrong, focusFirstWrongOnceDrawn } from '../../ui/form/focus-first-wrong.ts';
import layout from '../../ui/layout/layout.module.css';
import typography from '../../ui/text/typography.module.css';
import { problemsIn } from '../problems-in.ts';
import { StateField, TextBox } from './PostFields.tsx';
import type { PageDialogProps } from './page-dialog.ts';
import { emptyPostForm, type PostFormEvent, postForm, postOf, timeProblem } from './post-form.ts';

const { body: schema } = statusPageRoutes['POST /api/status-pages/:id/posts'];
const fields = ['title', 'text', 'state', 'startsAt', 'endsAt'] as const;

const texts = {
  incident: {
    title: 'Write of an incident',
    description: 'Say what readers notice and what you do. It stands on the page at once.',
  },
  maintenance: {
    title: 'Plan maintenance',
    description: 'It stands on the page at once. In its time, what it concerns is shown as in maintenance.',
  },
} as const;

/** Writes of an incident, or announces a maintenance. */
export function PostDialog({ page, kind, onClose }: PageDialogProps & { kind: PostKind }) {
  const formId = useId();
  const box = useRef<HTMLFormElement>(null);
  const [form, tell] = useReducer(postForm, emptyPostForm);
  const write = useAct('POST /api/status-pages/:id/posts', {
    onDone: () => {
      toast.ok(kind === 'incident' ? 'Incident written' : 'Maintenance planned');
      onClose();
    },
  });
  const body = postOf(kind, form);
  const problems = problemsIn(schema, body);
  const refused = (field: string) => fieldProblem(write.error, field);
  const problemOf = (field: string) => (form.sent ? problems[field] : undefined) ?? refused(field);
  useEffect(() => {
    if (write.error) focusFirstWrong(box.current);
  }, [write.error]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    tell({ type: 'sent' });
    if (Object.keys(problems).length > 0) focusFirstWrongOnceDrawn(box.current);
    else write.mutate({ params: { id: page.id }, body });
  };
  const typed = (field: Extract<PostFormEvent, { type: 'typed' }>['field']) => ({
    value: form[field],
    onChange: (event: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
      tell({ type: 'typed', field, value: event.currentTarget.value }),
  });
  const timeOf = (field: 'startsAt' | 'endsAt', text: string) =>
    (form.sent ? timeProblem(text) : undefined) ?? problemOf(field);
  return (
    <Dialog
      open
      onClose={onClose}
      title={texts[kind].title}
      description={texts[kind].description}
      dirty={form !== emptyPostForm}
      footer={
        <SubmitButtons form={formId} onCancel={onClose} busy={write.isPending} busyLabel="Saving">
          {kind === 'incident' ? 'Write' : 'Plan maintenance'}
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
        {write.error && !fields.some(refused) && <ProblemBanner error={write.error} />}
        <TextField
          label="Title"
          autoComplete="off"
          maxLength={statusPageLimits.titleCharacters}
          error={problemOf('title')}
          {...typed('title')}
        />
        {kind === 'incident' ? (
          <StateField state={form.state} onChange={(state) => tell({ type: 'state', state })} />
        ) : (
          <div className={controlsStyles.pair}>
            <TextField
              label="Begins"
              type="datetime-local"
              error={timeOf('startsAt', form.starts)}
              {...typed('starts')}
            />
            <TextField
              label="Ends"
              type="datetime-local"
              help="In the time zone of this browser; readers see UTC."
              error={timeOf('endsAt', form.ends)}
              {...typed('ends')}
            />
          </div>
        )}
        <TextBox error={problemOf('text')} {...typed('text')} />
        {kind === 'maintenance' && page.components.length > 0 && (
          <fieldset className={controlsStyles.field}>
            <legend className={controlsStyles.label}>Concerns</legend>
            <p className={typography.small}>Nothing chosen: all of the page.</p>
            {page.components.map(({ target, name }) => (
              <Checkbox
                key={target}
                label={name}
                checked={form.affects.includes(target)}
                onChange={(event) =>
                  tell({ type: 'affected', target, isAffected: event.currentTarget.checked })
                }
              />
            ))}
          </fieldset>
        )}
      </form>
    </Dialog>
  );
}
