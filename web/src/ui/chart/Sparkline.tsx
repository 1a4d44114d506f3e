import { useId } from 'react';
import styles from './Sparkline.module.css';

export interface SparklineProps {
  /** Newest last. null leaves a gap. */
  values: readonly (number | null)[];
  tone?: 'info' | 'warn' | 'bad';
  /** The scale's top. By default a little above the highest value. */
  max?: number;
}

const strokes = { info: 'var(--series-1)', warn: 'var(--warning)', bad: 'var(--danger)' } as const;

/** The last points as a line with its area. It is decoration: the value stands beside it. */
export function Sparkline({ values, tone = 'info', max }: SparklineProps) {
  const id = useId();
  const top = max ?? Math.max(1e-9, ...values.map((value) => value ?? 0)) * 1.25;
  const step = values.length > 1 ? 100 / (values.length - 1) : 100;
  const runs = runsOf(values).map((run) =>
    run.map(
      ({ at, value }) => `${(at * step).toFixed(2)} ${(28 - (26 * Math.min(value, top)) / top).toFixed(2)}`,
    ),
  );
  return (
    <svg className={styles.sparkline} viewBox="0 0 100 28" preserveAspectRatio="none" aria-hidden="true">
      {runs.map((run, index) => {
        const line = `M${run.join('L')}`;
        const x = (point: string | undefined) => point?.split(' ')[0] ?? '0';
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: each change draws all of them again
          <g key={`${id}-${index}`}>
            <path d={`${line}L${x(run.at(-1))} 28L${x(run[0])} 28Z`} fill={strokes[tone]} opacity=".12" />
            <path
              d={line}
              fill="none"
              stroke={strokes[tone]}
              strokeWidth="1.25"
              vectorEffect="non-scaling-stroke"
            />
          </g>
        );
      })}
    </svg>
  );
}

function runsOf(values: readonly (number | null)[]): { at: number; value: number }[][] {
  const runs: { at: number; value: number }[][] = [];
  let open: { at: number; value: number }[] | null = null;
  values.forEach((value, at) => {
    if (value === null) {
      open = null;
      return;
    }
    if (!open) {
      open = [];
      runs.push(open);
    }
    open.push({ at, value });
  });
  return runs;
}
