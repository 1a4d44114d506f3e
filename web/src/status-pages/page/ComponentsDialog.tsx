import { statusPageLimits } from '@homeport/contract/status-pages/facts';
import {
  type StatusComponent,
  statusPageRoutes,
  statusPageSchema,
} from '@homeport/contract/status-pages/schema';
import { type FormEvent, useEffect, useId, useReducer, useRef } from 'react';
import { call } from '../../data/call.ts';
import { fieldProblem } from '../../data/problem-text.ts';
import { useRecordEdit } from '../../data/use-record-edit.ts';
import { ProblemBanner } from '../../page-frame/ProblemBanner.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Conflict } from '../../ui/dialog/Conflict.tsx';
import { Dialog } from '../../ui/dialog/Dialog.tsx';
import { SubmitButtons } from '../../ui/dialog/SubmitButtons.tsx';
import { toast } from '../../ui/feedback/toasts.ts';
import { focusFirstWrong, focusFirstWrongOnceDrawn } from '../../ui/form/focus-first-wrong.ts';
import layout from '../../ui/layout/layout.module.css';
import { problemsIn } from '../problems-in.ts';
import { AddComponent } from './AddComponent.tsx';
import { ComponentRow } from './ComponentRow.tsx';
import { componentsForm } from './components-form.ts';
import type { PageDialogProps } from './page-dialog.ts';
import { useSources } from './use-sources.ts';

const { body: schema } = statusPageRoutes['PATCH /api/status-pages/:id'];
const namesOf = (components: readonly StatusComponent[]) =>
  components.map(({ name }) => name).join(', ') || 'None';

/** Which apps and domains stand on the page, under which names, in which groups and order. Saved as a whole. */
export function ComponentsDialog({ page, onClose }: PageDialogProps) {
  const formId = useId();
  const box = useRef<HTMLFormElement>(null);
  const sources = useSources();
  const [{ rows, sent }, tell] = useReducer(componentsForm, { rows: page.components, sent: false });
  const { begun, conflict, error, ...edit } = useRecordEdit(
    page,
    { schema: statusPageSchema, topic: 'status-pages' },
    {
      part: ({ components }) => components,
      send: (mine: readonly StatusComponent[], { id, version }) =>
        call('PATCH /api/status-pages/:id', { params: { id }, body: { version, components: [...mine] } }),
      onSaved: () => {
        toast.ok('Components saved');
        onClose();
      },
    },
  );
  const problems = problemsIn(schema, { version: begun.version, components: rows });
  const problemOf = (row: number, field: keyof StatusComponent) => {
    const path = `components.${row}.${field}`;
    return (sent ? problems[path] : undefined) ?? fieldProblem(error, path);
  };
  const isBesideAField = rows.some((_, row) =>
    (['name', 'group', 'target'] as const).some((field) => fieldProblem(error, `components.${row}.${field}`)),
  );
  useEffect(() => {
    if (error) focusFirstWrong(box.current);
  }, [error]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    tell({ type: 'sent' });
    if (Object.keys(problems).length > 0) focusFirstWrongOnceDrawn(box.current);
    else edit.save(rows);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      size="wide"
      title="Components"
      description="Readers see the names and groups that you write here, and never what an app or a server is called."
      dirty={rows !== begun.components}
      footer={
        <SubmitButtons
          form={formId}
          disabled={conflict !== null}
          onCancel={onClose}
          busy={edit.saving}
          busyLabel="Saving"
        >
          Save components
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
        {error && !isBesideAField && <ProblemBanner error={error} />}
        {rows.length > 0 && (
          <ol className={classNames(layout.stack, layout.gap5)} aria-label="Components">
            {rows.map((row, place) => (
              <ComponentRow
                key={row.target}
                row={row}
                source={sources.textOf(row.kind, row.target)}
                place={place}
                count={rows.length}
                problemOf={(field) => problemOf(place, field)}
                tell={tell}
              />
            ))}
          </ol>
        )}
        <AddComponent
          sources={sources}
          chosen={new Set(rows.map(({ target }) => target))}
          isFull={rows.length >= statusPageLimits.components}
          onAdd={({ kind, target }) => tell({ type: 'added', kind, target })}
        />
      </form>
      {conflict && (
        <Conflict
          rows={[{ label: 'Components', mine: namesOf(conflict.mine), theirs: namesOf(conflict.theirs) }]}
          busy={edit.saving}
          onKeepMine={edit.keepMine}
          onTakeTheirs={onClose}
        />
      )}
    </Dialog>
  );
}
