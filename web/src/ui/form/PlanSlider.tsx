import { type Plan, planOf, plans, transferAllowanceGb } from '@homeport/contract/apps/plans';
import { type CSSProperties, useId } from 'react';
import layout from '../layout/layout.module.css';
import { formatMoney, formatPlanMemory } from '../text/format.ts';
import styles from './PlanSlider.module.css';

export interface PlanSliderProps {
  value: number;
  onChange: (size: number) => void;
  /** The app's current plan, marked hollow. */
  current?: number;
}

const first = Math.log2(plans[0].memoryMb);
const last = Math.log2(plans[plans.length - 1]?.memoryMb ?? plans[0].memoryMb);

/** Bars show memory on a log scale. The smallest bar is still visible. */
const barHeight = (plan: Plan) => `${12 + (88 * (Math.log2(plan.memoryMb) - first)) / (last - first)}%`;

/** "Plan 3: 512 MB, 0.5 CPU, $3 a month elsewhere" */
export function planText(size: number): string {
  const plan = planOf(size);
  const price = plan.priceCents === 0 ? 'Free' : `${formatMoney(plan.priceCents)} a month elsewhere`;
  return `Plan ${size}: ${formatPlanMemory(plan.memoryMb)}, ${plan.cpus} CPU, ${price}`;
}

export function PlanSlider({ value, onChange, current }: PlanSliderProps) {
  const id = useId();
  const plan = planOf(value);
  const step = 100 / (plans.length - 1);
  return (
    <div className={layout.stack}>
      <div className={styles.plan}>
        <div className={styles.bars} aria-hidden="true">
          {plans.map(({ size }) => (
            // biome-ignore lint/a11y/noStaticElementInteractions: a pointer shortcut; the range below is the control
            // biome-ignore lint/a11y/useKeyWithClickEvents: the range below takes the keys
            <i
              key={size}
              className={size === value ? styles.chosen : size < value ? styles.included : undefined}
              data-current={size === current || undefined}
              style={{ height: barHeight(planOf(size)) }}
              onClick={() => onChange(size)}
            />
          ))}
        </div>
        <label className={layout.visuallyHidden} htmlFor={id}>
          Plan
        </label>
        <div className={styles.track}>
          <input
            id={id}
            className={styles.slider}
            type="range"
            min={0}
            max={plans.length - 1}
            step={1}
            value={value}
            aria-valuetext={planText(value)}
            style={{ '--p': `${value * step}%` } as CSSProperties}
            onChange={(event) => onChange(event.currentTarget.valueAsNumber)}
            onKeyDown={(event) => {
              const by = event.key === 'PageUp' ? 3 : event.key === 'PageDown' ? -3 : 0;
              if (by === 0) return;
              event.preventDefault();
              onChange(Math.min(plans.length - 1, Math.max(0, value + by)));
            }}
          />
        </div>
        <div className={styles.sizes} aria-hidden="true">
          {plans.map(({ size }) =>
            size === value ? <b key={size}>{size}</b> : <span key={size}>{size}</span>,
          )}
        </div>
      </div>
      <dl className={styles.figures} aria-live="polite">
        <Figure name="Memory" figure={String(plan.memoryMb)} unit="MB" />
        <Figure name="CPUs" figure={String(plan.cpus)} />
        <Figure name="Bandwidth" figure={String(transferAllowanceGb(value))} unit="GB a month" />
        <Figure
          name="Price"
          figure={formatMoney(plan.priceCents)}
          unit={plan.priceCents === 0 ? 'limit 2' : 'a month elsewhere'}
        />
      </dl>
    </div>
  );
}

function Figure({ name, figure, unit }: { name: string; figure: string; unit?: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {figure} {unit && <small>{unit}</small>}
      </dd>
    </div>
  );
}
