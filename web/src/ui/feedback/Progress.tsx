import { useRef } from 'react';
import { classNames } from '../class-names.ts';
import styles from './Progress.module.css';

export interface ProgressProps {
  /** The present work, such as the running step. */
  label: string;
  percent: number;
  /** Stops the bar and gives it the danger colour. */
  failed?: boolean;
  /** Marks under the bar, at the start of each part. */
  ticks?: readonly { percent: number; label: string }[];
}

/** A progress bar that never moves backwards. */
export function Progress({ label, percent, failed = false, ticks = [] }: ProgressProps) {
  const furthest = useRef(0);
  furthest.current = Math.max(furthest.current, Math.min(100, Math.max(0, percent)));
  const at = furthest.current;
  return (
    <div className={classNames(styles.progress, ticks.length > 0 && styles.ticked)}>
      <div
        className={classNames(styles.bar, failed && styles.failed)}
        role="progressbar"
        aria-valuenow={at}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-label={label}
      >
        <i style={{ width: `${at}%` }} />
      </div>
      {ticks.map((tick) => (
        <span key={tick.percent} aria-hidden="true">
          {tick.percent < 100 && <i className={styles.tick} style={{ left: `${tick.percent}%` }} />}
          <span
            className={classNames(styles.label, tick.percent >= 100 && styles.last)}
            style={{ left: `${tick.percent}%` }}
          >
            {tick.label}
          </span>
        </span>
      ))}
    </div>
  );
}
