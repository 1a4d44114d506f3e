import styles from './chart.module.css';
import type { ChartSeries } from './chart-types.ts';

/** The fill of each series colour: swatches of the legend, points at the crosshair. */
export const seriesClass: Record<ChartSeries['colour'], string | undefined> = {
  1: styles.series1,
  2: styles.series2,
  3: styles.series3,
  4: styles.series4,
  5: styles.series5,
  6: styles.series6,
};
