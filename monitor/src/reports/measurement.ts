import type { LatestStats, Report } from '@homeport/contract/stats/schema';

/** What a report of either protocol says, before it is compared with the one before it. */
export type Measurement = {
  /** Null for protocol 1, which numbers nothing. */
  seq: number | null;
  /** Protocol 1 says nothing twice within a minute: a digest of the body, null for protocol 2. */
  digest: string | null;
  /** On the console's clock. */
  ts: number;
  bootId: string | null;
  uptime: number;
  intervalSeconds: number;
  /** Bytes received and sent since boot, by network card. */
  net: Record<string, [rx: number, tx: number]>;
  /** user, nice, system, idle, iowait, irq, softirq, steal since boot. */
  jiffies: number[] | null;
  /** Percentages that the agent worked out by itself (protocol 1). */
  given: { loadCpu: number; loadIo: number } | null;
  pings: { us: number | null; eu: number | null; as: number | null };
  apps: NonNullable<Report['apps']>;
  gauges: Gauges;
} & ShownAs;

/** The report as it arrived where it can stand for the stats in the store: reading forty fields out of it and making them into JSON once more costs as much as all sums. */
type ShownAs = { stats: ShownStats; reportJson: null } | { stats: null; reportJson: string };

/** What of a server is shown as it was reported. */
export type ShownStats = Omit<
  LatestStats,
  | 'status'
  | 'update_time'
  | 'gap_seconds'
  | 'rx_gap'
  | 'tx_gap'
  | 'load_percent'
  | 'ram_percent'
  | 'disk_percent'
>;

/** What goes into the series, or into a percentage. */
export type Gauges = {
  load: number | null;
  cpuCores: number | null;
  ramUsage: number | null;
  ramTotal: number | null;
  swapUsage: number | null;
  diskUsage: number | null;
  diskTotal: number | null;
};

export function gaugesOf(stats: ShownStats): Gauges {
  return {
    load: stats.load[0] ?? null,
    cpuCores: stats.cpu_cores,
    ramUsage: stats.ram_usage,
    ramTotal: stats.ram_total,
    swapUsage: stats.swap_usage,
    diskUsage: stats.disk_usage,
    diskTotal: stats.disk_total,
  };
}
