import { useRef } from 'react';
import { classNames } from './class-names.ts';

export interface ProgressProps {
  /** What goes on now, such as the step under way. */
  label: string;
  percent: number;
  /** Stops the bar in place, in danger colour. */
  failed?: boolean;
  /** Marks under the bar: where each part begins. */
  ticks?: readonly { percent: number; label: string }[];
}

/** Never moves backwards. */
export function Progress({ label, percent, failed = false, ticks = [] }: ProgressProps) {
  const furthest = useRef(0);
  furthest.current = Math.max(furthest.current, Math.min(100, Math.max(0, percent)));
  const at = furthest.current;
  return (
    <div className={classNames('pgs', ticks.length > 0 && 'ticked')}>
      <div
        className={classNames('progress', failed && 'bad')}
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
          {tick.percent < 100 && <i className="tk" style={{ left: `${tick.percent}%` }} />}
          <span
            className={classNames('tl', tick.percent >= 100 && 'last')}
            style={{ left: `${tick.percent}%` }}
          >
            {tick.label}
          </span>
        </span>
      ))}
    </div>
  );
}
