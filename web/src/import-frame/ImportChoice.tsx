import { type ReactNode, useId } from 'react';
import { Button } from '../ui/button/Button.tsx';
import { classNames } from '../ui/class-names.ts';
import { Checkbox } from '../ui/form/Choice.tsx';
import controlsStyles from '../ui/form/controls.module.css';
import layout from '../ui/layout/layout.module.css';
import typography from '../ui/text/typography.module.css';
import styles from './ImportChoice.module.css';

interface Props {
  legend: string;
  /** The name of the checkboxes, which is the field's name in the call. */
  name: string;
  /** The label of each thing by its key. */
  offered: ReadonlyMap<string, ReactNode>;
  chosen: ReadonlySet<string>;
  /** Stands behind "1 of 3 chosen". */
  note?: ReactNode;
  error: string | undefined;
  onChange: (chosen: ReadonlySet<string>) => void;
}

/** The things of a server to choose from. None is chosen at first, because they may belong to other people. */
export function ImportChoice({ legend, name, offered, chosen, note, error, onChange }: Props) {
  const errorId = useId();
  const all = chosen.size === offered.size;
  const toggle = (key: string) => {
    const next = new Set(chosen);
    if (!next.delete(key)) next.add(key);
    onChange(next);
  };
  return (
    <fieldset className={controlsStyles.field} aria-describedby={error ? errorId : undefined}>
      <legend className={controlsStyles.label}>{legend}</legend>
      <div className={classNames(layout.row, layout.wrap, layout.spaceBetween)}>
        <span className={classNames(typography.small, typography.muted)} aria-live="polite">
          {chosen.size} of {offered.size} chosen{note}
        </span>
        <Button size="sm" onClick={() => onChange(all ? new Set() : new Set(offered.keys()))}>
          {all ? 'Choose none' : 'Choose all'}
        </Button>
      </div>
      <div className={styles.offered}>
        {[...offered].map(([key, label]) => (
          <Checkbox
            key={key}
            name={name}
            checked={chosen.has(key)}
            aria-invalid={error ? true : undefined}
            onChange={() => toggle(key)}
            label={label}
          />
        ))}
      </div>
      {error && (
        <p className={controlsStyles.error} id={errorId} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}
