import type { DatabaseStats } from '@homeport/contract/stats/schema';
import type { ReactNode } from 'react';
import figuresStyles from '../ui/chart/figures.module.css';
import { classNames } from '../ui/class-names.ts';
import { Fact } from '../ui/layout/Fact.tsx';
import layout from '../ui/layout/layout.module.css';
import { formatBytes, formatPercent } from '../ui/text/format.ts';

/** What the containers of an app or of a database used at the last report, and `children`: a fourth figure. */
export function UsageFigures({
  stats,
  children,
}: {
  stats: Omit<DatabaseStats, 'timeseries'>;
  children: ReactNode;
}) {
  return (
    <dl className={classNames(figuresStyles.figures, figuresStyles.stacked)}>
      <Fact name="Memory">
        {formatBytes(stats.MEM)}{' '}
        <small>
          {formatPercent(stats.MEM_PERCENT)}
          {stats.MEM_LIMIT ? ` of ${formatBytes(stats.MEM_LIMIT)}` : ''}
        </small>
      </Fact>
      <Fact name="CPU">
        {formatPercent(stats.CPU_PERCENT)} <small>of one core</small>
      </Fact>
      <Fact name="Network">
        <span className={layout.visuallyHidden}>received </span>↓ {formatBytes(stats.NET_IO.rx)}
        <span className={figuresStyles.line}>
          <span className={layout.visuallyHidden}>, sent </span>↑ {formatBytes(stats.NET_IO.tx)}
        </span>
      </Fact>
      {children}
    </dl>
  );
}
