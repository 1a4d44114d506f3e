import { type ReactNode, useId } from 'react';
import layout from '../layout/layout.module.css';
import styles from './Segments.module.css';

export interface SegmentsProps<V extends string> {
  /** The group's name for assistive technology. */
  legend: string;
  value: V;
  options: readonly { value: V; label: ReactNode }[];
  onChange: (value: V) => void;
}

/** Two to five options, with one chosen. It is a radio group, so the arrow keys move the choice. */
export function Segments<V extends string>({ legend, value, options, onChange }: SegmentsProps<V>) {
  const name = useId();
  return (
    <fieldset className={styles.segments}>
      <legend className={layout.visuallyHidden}>{legend}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
