import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react';
import type { ZodType } from 'zod';
import { fieldProblem } from '../../../data/problem-text.ts';
import { ProblemBanner } from '../../../page-frame/ProblemBanner.tsx';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { SubmitButtons } from '../../../ui/dialog/SubmitButtons.tsx';
import { TextField, type TextFieldProps } from '../../../ui/form/Field.tsx';
import layout from '../../../ui/layout/layout.module.css';

export interface OneFieldDialogProps {
  title: string;
  description: string;
  field: Pick<TextFieldProps, 'label' | 'help' | 'mono' | 'type' | 'autoComplete' | 'placeholder'>;
  /** The field's name in the call. A refusal of the call names the field so. */
  name: string;
  schema: ZodType<string>;
  initial?: string;
  action: string;
  busyLabel: string;
  act: { isPending: boolean; error: Error | null };
  onSubmit: (value: string) => void;
  onClose: () => void;
  /** Called with each text that fits the schema, and with null for others. */
  onRead?: (value: string | null) => void;
  /** Stands below the field. */
  below?: ReactNode;
  /** Stands above the field. */
  children?: ReactNode;
}

/** A dialog that asks for one text and makes one call with it. */
export function OneFieldDialog(props: OneFieldDialogProps) {
  const { title, description, field, name, schema, initial = '', act, onSubmit, onClose } = props;
  const formId = useId();
  const input = useRef<HTMLInputElement>(null);
  const [value, setValue] = useState(initial);
  const [sent, setSent] = useState(false);
  const read = schema.safeParse(value);
  const refusal = fieldProblem(act.error, name);
  const error = (sent && !read.success ? read.error.issues[0]?.message : undefined) ?? refusal;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (read.success) onSubmit(read.data);
    else input.current?.focus();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      description={description}
      dirty={value !== initial}
      initialFocus={input}
      footer={
        <SubmitButtons form={formId} onCancel={onClose} busy={act.isPending} busyLabel={props.busyLabel}>
          {props.action}
        </SubmitButtons>
      }
    >
      <form id={formId} className={layout.stack} noValidate inert={act.isPending} onSubmit={submit}>
        {act.error && !refusal && <ProblemBanner error={act.error} />}
        {props.children}
        <TextField
          ref={input}
          {...field}
          value={value}
          error={error}
          onChange={(event) => {
            const typed = event.currentTarget.value;
            setValue(typed);
            props.onRead?.(schema.safeParse(typed).data ?? null);
          }}
        />
        {props.below}
      </form>
    </Dialog>
  );
}
