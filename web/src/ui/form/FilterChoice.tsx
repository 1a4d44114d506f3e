import { classNames } from '../class-names.ts';
import layout from '../layout/layout.module.css';
import typography from '../text/typography.module.css';
import controlsStyles from './controls.module.css';
import styles from './FilterChoice.module.css';

export interface FilterChoiceProps {
  label: string;
  /** The option that filters nothing. Its value is `all`. */
  all: string;
  value: string;
  options: readonly (readonly [value: string, label: string])[];
  onChange: (value: string) => void;
}

/** Filters the list below by one of a few values. */
export function FilterChoice({ label, all, value, options, onChange }: FilterChoiceProps) {
  return (
    <label className={classNames(layout.row, typography.small, typography.muted, styles.choice)}>
      {label}
      <select
        className={controlsStyles.select}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        <option value="all">{all}</option>
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
