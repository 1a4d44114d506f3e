import { processesPerType } from '@homeport/contract/apps/processes/facts';
import styles from './Stepper.module.css';

interface StepperProps {
  type: string;
  /** What stands in the field. */
  value: string;
  /** The number in the field; null: no number that may be wanted. */
  count: number | null;
  /** The id of the sentence that says why the field is refused. */
  problemId: string | undefined;
  disabled: boolean;
  onChange: (value: string) => void;
}

/** How many processes of a type are wanted: one more, one less, or a number. */
export function Stepper({ type, value, count, problemId, disabled, onChange }: StepperProps) {
  const known = count ?? 0;
  return (
    <fieldset className={styles.stepper} aria-label={`Wanted ${type} processes`} disabled={disabled}>
      <button
        type="button"
        aria-label={`One ${type} less`}
        disabled={count === null || known === 0}
        onClick={() => onChange(`${known - 1}`)}
      >
        −
      </button>
      <input
        inputMode="numeric"
        autoComplete="off"
        aria-label={`Number of ${type} processes`}
        aria-invalid={problemId === undefined ? undefined : true}
        aria-describedby={problemId}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <button
        type="button"
        aria-label={`One ${type} more`}
        disabled={count === null || known >= processesPerType}
        onClick={() => onChange(`${known + 1}`)}
      >
        +
      </button>
    </fieldset>
  );
}
