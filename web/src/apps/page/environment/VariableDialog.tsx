import {
  environmentKeyProblem,
  environmentValueProblem,
  rewrittenValue,
} from '@homeport/contract/apps/environment';
import { type FormEvent, useId, useRef, useState } from 'react';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { SubmitButtons } from '../../../ui/dialog/SubmitButtons.tsx';
import { Banner } from '../../../ui/feedback/Banner.tsx';
import { TextField } from '../../../ui/form/Field.tsx';
import { Textarea } from '../../../ui/form/Textarea.tsx';
import layout from '../../../ui/layout/layout.module.css';
import typography from '../../../ui/text/typography.module.css';
import { type Variable, withLineEndsOf } from './staged-changes.ts';

export interface VariableDialogProps {
  /** null adds a variable. */
  variable: Variable | null;
  /** All variables, including the staged ones. */
  variables: readonly Variable[];
  onStage: (key: string, value: string) => void;
  onClose: () => void;
}

/** Edits one variable. The dialog stages the edit, and the save bar saves it with the others. */
export function VariableDialog({ variable, variables, onStage, onClose }: VariableDialogProps) {
  const formId = useId();
  const keyInput = useRef<HTMLInputElement>(null);
  const valueInput = useRef<HTMLTextAreaElement>(null);
  const begun = variable?.value ?? '';
  const [key, setKey] = useState(variable?.key ?? '');
  const [value, setValue] = useState(begun);
  const [sent, setSent] = useState(false);
  const rewritten = rewrittenValue(value);
  const removes = variable !== null && value === '';
  const keyError = variable ? null : keyProblem(key, variables);
  const valueError = valueProblem(value, variable === null);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (keyError) keyInput.current?.focus();
    else if (valueError) valueInput.current?.focus();
    else {
      onStage(key, value === begun ? value : withLineEndsOf(begun, value));
      onClose();
    }
  };

  return (
    <Dialog
      open
      onClose={onClose}
      title={variable ? `Edit ${variable.key}` : 'Add variable'}
      description="Nothing is sent before you save all changes."
      dirty={key !== (variable?.key ?? '') || value !== begun}
      initialFocus={variable ? valueInput : keyInput}
      footer={
        <SubmitButtons form={formId} onCancel={onClose} variant={removes ? 'danger' : 'primary'}>
          {removes ? 'Remove variable' : variable ? 'Change variable' : 'Add variable'}
        </SubmitButtons>
      }
    >
      <form id={formId} className={layout.stack} noValidate onSubmit={submit}>
        {!variable && (
          <TextField
            ref={keyInput}
            label="Name"
            mono
            autoComplete="off"
            value={key}
            error={sent ? keyError : null}
            help="Letters, digits and _, such as MAIL_FROM."
            onChange={(event) => setKey(event.currentTarget.value)}
          />
        )}
        <Textarea
          ref={valueInput}
          label="Value"
          mono
          rows={4}
          autoComplete="off"
          value={value}
          error={sent ? valueError : null}
          help="Kept exactly as it is, with its spaces and line ends."
          onChange={(event) => setValue(event.currentTarget.value)}
        />
        {removes && (
          <Banner tone="warn">
            <p>
              An empty value removes <b className={typography.monospace}>{variable.key}</b> when you save.
            </p>
          </Banner>
        )}
        {rewritten !== null && (
          <Banner tone="warn">
            <p>
              Dokku rewrites whole numbers: the app will see{' '}
              <b className={typography.monospace}>{rewritten}</b>.
            </p>
          </Banner>
        )}
      </form>
    </Dialog>
  );
}

function keyProblem(key: string, variables: readonly Variable[]): string | null {
  if (key === '') return 'Enter a name.';
  const problem = environmentKeyProblem(key);
  if (problem !== null) return problem;
  return variables.some((each) => each.key === key) ? `${key} already exists. Edit it in the list.` : null;
}

function valueProblem(value: string, isNew: boolean): string | null {
  if (isNew && value === '') return 'Enter a value. A variable without one cannot be added.';
  return environmentValueProblem(value);
}
