import { type ProxyRecord, proxySchema } from '@homeport/contract/proxies/schema';
import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react';
import { call } from '../../../data/call.ts';
import { fieldProblem } from '../../../data/problem-text.ts';
import { useRecordEdit } from '../../../data/use-record-edit.ts';
import { ProblemBanner } from '../../../page-frame/ProblemBanner.tsx';
import { Button } from '../../../ui/button/Button.tsx';
import { Conflict } from '../../../ui/dialog/Conflict.tsx';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { toast } from '../../../ui/feedback/toasts.ts';
import { TextField } from '../../../ui/form/Field.tsx';
import layout from '../../../ui/layout/layout.module.css';
import { ChangedAnswers } from '../../tester/ChangedAnswers.tsx';
import { changedAnswers } from '../../tester/changed-answers.ts';

export interface EditTextDialogProps {
  proxy: ProxyRecord;
  field: 'name' | 'domain' | 'source';
  title: string;
  label: string;
  description?: ReactNode;
  help?: ReactNode;
  /** Stands under the field, so that it moves nothing when it comes late. */
  foot?: ReactNode;
  mono?: boolean;
  /** Why the typed text cannot be sent; null if it can. */
  problem: (text: string) => string | null;
  /** The text as it is sent. */
  read: (text: string) => string;
  saved: string;
  onClose: () => void;
}

type Edit = { text: string; newAnswers: 'refuse' | 'save' };

/** Edits one text of a proxy. A change that answers a saved URL otherwise asks first. */
export function EditTextDialog({ proxy, field, problem, read, onClose, ...texts }: EditTextDialogProps) {
  const formId = useId();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(proxy[field]);
  const [checked, setChecked] = useState(false);
  const edit = useRecordEdit(
    proxy,
    { schema: proxySchema, topic: 'proxies' },
    {
      part: (each): Edit => ({ text: each[field], newAnswers: 'refuse' }),
      send: (mine: Edit, { id, version }) =>
        call('PATCH /api/proxies/:id', {
          params: { id },
          body: { version, [field]: mine.text, newAnswers: mine.newAnswers },
        }),
      onSaved: () => {
        toast.ok(texts.saved);
        onClose();
      },
    },
  );
  const wrong = problem(text);
  const refusal = fieldProblem(edit.error, field);
  const answers = changedAnswers(edit.error);
  const save = (newAnswers: 'refuse' | 'save') => {
    setChecked(true);
    if (wrong === null) edit.save({ text: read(text), newAnswers });
    else input.current?.focus();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save('refuse');
  };
  return (
    <Dialog
      open
      onClose={onClose}
      size="slim"
      title={texts.title}
      description={texts.description}
      dirty={text !== edit.begun[field]}
      initialFocus={input}
      footer={
        <>
          <Button className={layout.atEnd} onClick={onClose}>
            Cancel
          </Button>
          {!edit.conflict && (
            <Button type="submit" form={formId} variant="primary" busy={edit.saving} busyLabel="Saving">
              Save
            </Button>
          )}
        </>
      }
    >
      <form
        id={formId}
        className={layout.stack}
        noValidate
        inert={edit.saving || edit.conflict !== null}
        onSubmit={submit}
      >
        {edit.error && !refusal && answers.length === 0 && <ProblemBanner error={edit.error} />}
        <TextField
          ref={input}
          label={texts.label}
          autoComplete="off"
          mono={texts.mono ?? false}
          help={texts.help}
          value={text}
          error={(checked ? wrong : null) ?? refusal}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {texts.foot}
      </form>
      <ChangedAnswers answers={answers} busy={edit.saving} onSave={() => save('save')} />
      {edit.conflict && (
        <Conflict
          rows={[{ label: texts.label, mine: edit.conflict.mine.text, theirs: edit.conflict.theirs.text }]}
          busy={edit.saving}
          onKeepMine={edit.keepMine}
          onTakeTheirs={onClose}
        />
      )}
    </Dialog>
  );
}
