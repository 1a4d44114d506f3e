import { usageDangerPercent, usageWarningPercent } from '@homeport/contract/limits';
import { classNames } from '../class-names.ts';
import { formatPercent } from '../text/format.ts';
import chartStyles from './chart.module.css';
import { percentAt } from './series.ts';

/** From this top on, the labels of the bands would overlap. */
const tightTop = 150;

/** The band from warning to danger and the band from danger to the top. Both have a label at the right edge. */
export function Bands({ top }: { top: number }) {
  return (
    <>
      <span
        className={classNames(chartStyles.band, chartStyles.danger, top >= tightTop && chartStyles.tight)}
        style={{ top: 0, height: `${percentAt(usageDangerPercent, top)}%` }}
      >
        <span className={chartStyles.bandName}>{formatPercent(usageDangerPercent)}</span>
      </span>
      <span
        className={classNames(chartStyles.band, chartStyles.warning, top >= tightTop && chartStyles.tight)}
        style={{
          top: `${percentAt(usageDangerPercent, top)}%`,
          height: `${(100 * (usageDangerPercent - usageWarningPercent)) / top}%`,
        }}
      >
        <span className={chartStyles.bandName}>{formatPercent(usageWarningPercent)}</span>
      </span>
    </>
  );
}
