import { type LatestStats, latestStatsSchema, reportSchema } from '@homeport/contract/stats/schema';
import type { RawRow } from '@homeport/store';
import { z } from 'zod';
import type { Measurement } from './measurement.ts';
import { statsOf } from './protocol-2.ts';

/**
 * The newest report of a server as it is stored: the computed values, beside the report as it arrived (protocol 2) or the stats
 * that were read from it. The parts are joined as text, because copying forty fields costs more than all the sums.
 */
export function latestJson({ ts, gauges, stats, reportJson }: Measurement, row: RawRow<'server'>): string {
  const load = percentOf(gauges.load, gauges.cpuCores);
  const ram = percentOf(gauges.ramUsage, gauges.ramTotal);
  const disk = percentOf(gauges.diskUsage, gauges.diskTotal);
  // These are finite numbers and nulls only, which JSON writes as JavaScript does.
  const computed = `{"status":"active","update_time":${ts},"gap_seconds":${row.seconds},"rx_gap":${row.rx},"tx_gap":${row.tx},"load_percent":${load},"ram_percent":${ram},"disk_percent":${disk}`;
  return stats === null
    ? `${computed},"report":${reportJson}}`
    : `${computed},${JSON.stringify(stats).slice(1)}`;
}

/** Reads the JSON that `latestJson` wrote. @throws ZodError for anything else */
export function readLatest(json: string): LatestStats {
  const latest = storedSchema.parse(JSON.parse(json));
  if (!('report' in latest)) return latest;
  const { report, ...computed } = latest;
  return { ...computed, ...statsOf(report) };
}

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
  if (part === null || !whole) return null;
  const percent = (part / whole) * 100;
  return Number.isFinite(percent) ? percent : null;
}
