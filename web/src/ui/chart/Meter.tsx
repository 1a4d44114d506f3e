import { usageBand } from '@homeport/contract/limits';
import { classNames } from '../class-names.ts';
import { formatPercent, noData } from '../text/format.ts';
import typography from '../text/typography.module.css';
import styles from './Meter.module.css';

const bandClass = { info: undefined, warning: styles.warning, danger: styles.danger };

export interface MeterProps {
  /** The measured thing: "RAM of lantern". */
  label: string;
  /** 0 to 100. null reads "no data". */
  percent: number | null;
  /** Shown and spoken instead of the percentage. */
  valueText?: string;
  /** Draws only the bar, for a place that already shows the value. */
  solo?: boolean;
  digits?: 0 | 1;
}

/** A bar in the shape of a tide staff: 8 px high, with notches at 80 and 90. */
export function Meter({ label, percent, valueText, solo = false, digits = 0 }: MeterProps) {
  if (percent === null)
    return <span className={classNames(typography.subtle, typography.small)}>{noData}</span>;
  const text = valueText ?? formatPercent(percent, digits);
  const clamped = Math.min(100, Math.max(0, percent));
  return (
    <div className={classNames(styles.meter, bandClass[usageBand(percent)], solo && styles.barOnly)}>
      {/* biome-ignore lint/a11y/useSemanticElements: the native meter cannot carry the notches */}
      <div
        className={styles.track}
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(clamped)}
        aria-valuetext={text}
      >
        <i style={{ width: `${clamped}%` }} />
      </div>
      {!solo && <span className={styles.value}>{text}</span>}
    </div>
  );
}
