import { type LatestStats, latestStatsSchema, reportSchema } from '@homeport/contract/stats/schema';
import type { RawRow } from '@homeport/store';
import { z } from 'zod';
import type { Measurement } from './measurement.ts';
import { gaugesIn, statsOf } from './protocol-2.ts';

/**
 * The newest report of a server as it is stored: the computed values, beside the report as it arrived (protocol 2) or the stats
 * that were read from it. The parts are joined as text, because copying forty fields costs more than all the sums.
 */
export function latestJson(measurement: Measurement, row: RawRow<'server'>): string {
  const { ts, gauges, stats, reportJson } = measurement;
  const load = percentOf(gauges.load, gauges.cpuCores);
  const ram = percentOf(gauges.ramUsage, gauges.ramTotal);
  const disk = percentOf(gauges.diskUsage, gauges.diskTotal);
  // These are finite numbers and nulls only, which JSON writes as JavaScript does.
  const computed = `{"status":"active","update_time":${ts},"gap_seconds":${row.seconds},"rx_gap":${row.rx},"tx_gap":${row.tx},"load_percent":${load},"ram_percent":${ram},"disk_percent":${disk}`;
  return stats === null
    ? `${computed},"report":${reportJson}}`
    : `${computed},${storageJson(measurement)}${JSON.stringify(stats).slice(1)}`;
}

/** More would let a server's own report fill the store. */
const storedStorage = 16_384;

/** What `storageOf` reads, for a report that is not stored as it arrived. Empty without mounts, or with too many. */
function storageJson({ ts, apps, storageTs }: Measurement): string {
  const mounted = apps.flatMap(({ id, mounts }) => (mounts && mounts.length > 0 ? { id, mounts } : []));
  if (mounted.length === 0) return '';
  const json = JSON.stringify({ ts, storage_ts: storageTs, apps: mounted });
  return json.length > storedStorage ? '' : `"storage":${json},`;
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

/** When a server reported last, and how large it is. */
export type ServerSizes = Pick<LatestStats, keyof typeof reportedAt | keyof typeof sizes>;

/** Reads these parts alone: to check the 500 containers of a report takes 5 ms. @throws ZodError for anything that `latestJson` did not write */
export function readSizes(json: string): ServerSizes {
  const latest = sizesSchema.parse(JSON.parse(json));
  if (!('report' in latest)) return latest;
  const { report, ...at } = latest;
  const { cpuCores, ramTotal, diskTotal } = gaugesIn(report);
  return {
    ...at,
    ...{ cpu_cores: cpuCores, ram_total: ramTotal, disk_total: diskTotal },
    swap_total: report.swap?.total ?? null,
  };
}

const reportedAt = { status: true, update_time: true } as const;
const sizes = { cpu_cores: true, ram_total: true, swap_total: true, disk_total: true } as const;
const sizesSchema = z.union([
  latestStatsSchema.pick(reportedAt).extend({
    report: reportSchema.pick({ load: true, cpu_cores: true, mem: true, swap: true, fs: true }),
  }),
  latestStatsSchema.pick({ ...reportedAt, ...sizes }),
]);

function percentOf(part: number | null, whole: number | null): number | null {
  if (part === null || !whole) return null;
  const percent = (part / whole) * 100;
  return Number.isFinite(percent) ? percent : null;
}
