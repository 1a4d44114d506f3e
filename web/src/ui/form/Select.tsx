import type { ComponentProps, Ref } from 'react';
import { classNames } from '../class-names.ts';
import controlsStyles from './controls.module.css';
import { Field, type FieldFrameProps } from './Field.tsx';

export interface SelectProps extends FieldFrameProps, Omit<ComponentProps<'select'>, 'id' | 'children'> {
  options: readonly { value: string; label: string; disabled?: boolean }[];
  ref?: Ref<HTMLSelectElement>;
}

/**
 * Uses the browser's own list, because it suits phones, keyboards and screen readers better than a drawn
 * list.
 */
export function Select({ label, optional, help, error, ok, options, className, ...select }: SelectProps) {
  return (
    <Field label={label} help={help} error={error} ok={ok} {...(optional ? { optional } : {})}>
      {(wiring) => (
        <select {...select} {...wiring} className={classNames(controlsStyles.select, className)}>
          {options.map((option) => (
            <option key={option.value} value={option.value} disabled={option.disabled}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
