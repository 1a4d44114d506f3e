import type { ComponentProps, Ref } from 'react';
import { classNames } from '../class-names.ts';
import typography from '../text/typography.module.css';
import controlsStyles from './controls.module.css';
import { Field, type FieldFrameProps } from './Field.tsx';

export interface TextareaProps extends FieldFrameProps, Omit<ComponentProps<'textarea'>, 'id'> {
  mono?: boolean;
  /** Stands under the error: one line on what is accepted. */
  hint?: string | undefined;
  ref?: Ref<HTMLTextAreaElement>;
}

export function Textarea({
  label,
  optional,
  help,
  error,
  hint,
  ok,
  mono = false,
  className,
  ...area
}: TextareaProps) {
  return (
    <Field label={label} help={help} error={error} hint={hint} ok={ok} {...(optional ? { optional } : {})}>
      {(wiring) => (
        <textarea
          rows={4}
          {...(mono ? { spellCheck: false } : {})}
          {...area}
          {...wiring}
          className={classNames(
            controlsStyles.textarea,
            mono && typography.monospace,
            mono && controlsStyles.monospaced,
            className,
          )}
        />
      )}
    </Field>
  );
}
