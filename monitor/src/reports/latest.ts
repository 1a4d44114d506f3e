import { type LatestStats, latestStatsSchema, reportSchema } from '@homeport/contract/monitor';
import type { RawRow } from '@homeport/store';
import { z } from 'zod';
import type { Measurement } from './measurement.ts';
import { fromReport } from './protocol-2.ts';

/**
 * The newest report of a server as it is stored: what was worked out from it, beside the report as it arrived (protocol 2)
 * or the stats that it was read into. Joined as text: copying forty fields costs more than all the sums.
 */
export function latestJson({ ts, stats, reportJson }: Measurement, row: RawRow<'server'>): string {
  const computed: Computed = {
    status: 'active',
    update_time: ts,
    gap_seconds: row.seconds,
    rx_gap: row.rx,
    tx_gap: row.tx,
    load_percent: percentOf(stats.load[0] ?? null, stats.cpu_cores),
    ram_percent: percentOf(stats.ram_usage, stats.ram_total),
    disk_percent: percentOf(stats.disk_usage, stats.disk_total),
  };
  const head = JSON.stringify(computed).slice(0, -1);
  return reportJson === null
    ? `${head},${JSON.stringify(stats).slice(1)}`
    : `${head},"report":${reportJson}}`;
}

/** What `latestJson` wrote. @throws ZodError for anything else */
export function readLatest(json: string): LatestStats {
  const latest = storedSchema.parse(JSON.parse(json));
  if (!('report' in latest)) return latest;
  const { report, ...computed } = latest;
  return { ...computed, ...fromReport(report, 0).stats };
}

type Computed = Omit<LatestStats, keyof Measurement['stats']>;

const storedSchema = z.union([
  latestStatsSchema
    .pick({
      status: true,
      update_time: true,
      gap_seconds: true,
      rx_gap: true,
      tx_gap: true,
      load_percent: true,
      ram_percent: true,
      disk_percent: true,
    })
    .extend({ report: reportSchema }),
  latestStatsSchema,
]);

function percentOf(part: number | null, whole: number | null): number | null {
  return part === null || !whole ? null : (part / whole) * 100;
}
