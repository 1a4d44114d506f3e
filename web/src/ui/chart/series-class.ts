import styles from './chart.module.css';
import type { ChartSeries } from './chart-types.ts';

/**
 * The class with the fill of each series colour, for the legend's swatches and the points at the crosshair.
 */
export const seriesClass: Record<ChartSeries['colour'], string | undefined> = {
  1: styles.series1,
  2: styles.series2,
  3: styles.series3,
  4: styles.series4,
  5: styles.series5,
  6: styles.series6,
};
