import { usageBand } from '@homeport/contract/limits';
import { classNames } from './class-names.ts';
import { formatPercent, noData } from './format.ts';

const bandClass = { info: undefined, warning: 'warn', danger: 'bad' } as const;

export interface MeterProps {
  /** What is measured: "RAM of lantern". */
  label: string;
  /** 0 to 100; null reads "no data". */
  percent: number | null;
  /** Shown instead of the percentage; spoken too. */
  valueText?: string;
  /** The bar alone, where the value stands beside it already. */
  solo?: boolean;
  digits?: 0 | 1;
}

/** A tide staff: 8 px, notched at 80 and 90. */
export function Meter({ label, percent, valueText, solo = false, digits = 0 }: MeterProps) {
  if (percent === null) return <span className="subtle sm">{noData}</span>;
  const text = valueText ?? formatPercent(percent, digits);
  const clamped = Math.min(100, Math.max(0, percent));
  return (
    <div className={classNames('meter', bandClass[usageBand(percent)], solo && 'solo')}>
      {/* biome-ignore lint/a11y/useSemanticElements: the native meter cannot carry the notches */}
      <div
        className="t"
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(clamped)}
        aria-valuetext={text}
      >
        <i style={{ width: `${clamped}%` }} />
      </div>
      {!solo && <span className="v">{text}</span>}
    </div>
  );
}
