import { serverStatsEveryMs } from '@homeport/contract/limits';
import type { ServerStats } from '@homeport/contract/stats/schema';

const reportSeconds = serverStatsEveryMs / 1000;

/** Bytes a second, received and sent; null where no counter could be compared. */
export function transferRate(stats: Pick<ServerStats, 'rx_gap' | 'tx_gap' | 'gap_seconds'>): number | null {
  if (stats.rx_gap === null || stats.tx_gap === null) return null;
  // (rx_gap + tx_gap) / 180 s. After an outage the gap is longer than that, and so is what it is divided by.
  return (stats.rx_gap + stats.tx_gap) / Math.max(reportSeconds, stats.gap_seconds);
}
