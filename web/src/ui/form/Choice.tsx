import { type ComponentProps, type ReactNode, type Ref, useId } from 'react';
import { classNames } from '../class-names.ts';
import layout from '../layout/layout.module.css';
import { Icon } from '../picture/Icon.tsx';
import typography from '../text/typography.module.css';
import styles from './Choice.module.css';
import controlsStyles from './controls.module.css';

type InputProps = Omit<ComponentProps<'input'>, 'type' | 'id' | 'children'> & { ref?: Ref<HTMLInputElement> };

export interface CheckboxProps extends InputProps {
  label: ReactNode;
}

/** A choice that takes effect when the form is sent. */
export function Checkbox({ label, ...input }: CheckboxProps) {
  return (
    <label className={styles.check}>
      <input {...input} type="checkbox" />
      <span className={typography.small}>{label}</span>
    </label>
  );
}

export interface SwitchProps extends InputProps {
  label: ReactNode;
  help?: ReactNode;
}

/** A choice that takes effect at once. */
export function Switch({ label, help, ...input }: SwitchProps) {
  const helpId = useId();
  return (
    <label className={styles.switch}>
      {/* biome-ignore lint/a11y/useAriaPropsForRole: a native checkbox carries its checked state itself */}
      <input {...input} type="checkbox" role="switch" aria-describedby={help ? helpId : undefined} />
      {help ? (
        <span className={typography.twoLines}>
          <span className={typography.small}>{label}</span>
          <small id={helpId}>{help}</small>
        </span>
      ) : (
        <span className={typography.small}>{label}</span>
      )}
    </label>
  );
}

export interface RadioCard<V extends string> {
  value: V;
  label: ReactNode;
  /** One line under the label. */
  note?: ReactNode;
  /** Stands at the card's start: a lamp or an icon. */
  lead?: ReactNode;
  /** Disables the card and shows the reason in place of the note. */
  disabledReason?: string | null;
}

export interface RadioCardsProps<V extends string> {
  legend: ReactNode;
  /** Hides the legend visually, for a panel whose title says the same. */
  hideLegend?: boolean;
  value: V | null;
  options: readonly RadioCard<V>[];
  onChange: (value: V) => void;
  error?: string | null | undefined;
  /** One card below the other, for long notes and for three cards, which leave a hole in two columns. */
  stacked?: boolean;
}

/** Radio buttons as cards. A click anywhere on a card chooses it. */
export function RadioCards<V extends string>({
  legend,
  hideLegend = false,
  value,
  options,
  onChange,
  error,
  stacked = false,
}: RadioCardsProps<V>) {
  const name = useId();
  return (
    <fieldset className={controlsStyles.field} aria-describedby={error ? `${name}-error` : undefined}>
      <legend className={hideLegend ? layout.visuallyHidden : controlsStyles.label}>{legend}</legend>
      <div className={classNames(styles.cards, stacked && styles.stacked)}>
        {options.map((option) => (
          <label key={option.value} className={styles.radio}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              disabled={Boolean(option.disabledReason)}
              onChange={() => onChange(option.value)}
            />
            {option.lead}
            <span className={typography.twoLines}>
              <span className={classNames(typography.small, typography.strong)}>{option.label}</span>
              {(option.disabledReason ?? option.note) && (
                <small>{option.disabledReason ?? option.note}</small>
              )}
            </span>
          </label>
        ))}
      </div>
      {error && (
        <p className={controlsStyles.error} id={`${name}-error`} role="alert">
          <Icon name="danger" size={14} />
          {error}
        </p>
      )}
    </fieldset>
  );
}
