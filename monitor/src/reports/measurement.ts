import type { LatestStats, Report } from '@homeport/contract/stats/schema';
import type { ReportedRun } from '@homeport/store';

/** The content of a report of either protocol, before it is compared with the report before it. */
export type Measurement = {
  /** Null for protocol 1, which does not number its reports. */
  seq: number | null;
  /** A digest of the body, by which a repeated report of protocol 1 is recognised. Null for protocol 2. */
  digest: string | null;
  /** Time on the console's clock. */
  ts: number;
  bootId: string | null;
  uptime: number;
  intervalSeconds: number;
  /** Bytes received and sent since boot, by network card. */
  net: Record<string, [rx: number, tx: number]>;
  /** user, nice, system, idle, iowait, irq, softirq, steal since boot. */
  jiffies: number[] | null;
  /** Percentages that the agent computed itself (protocol 1). */
  given: { loadCpu: number; loadIo: number } | null;
  pings: { us: number | null; eu: number | null; as: number | null };
  apps: NonNullable<Report['apps']>;
  /** When the apps' storage was measured, on the console's clock. */
  storageTs: number | null;
  /** The provider that the machine names; null: it names none. Undefined: the report does not tell. */
  provider: string | null | undefined;
  /** Scheduled backups that the report tells of. */
  backups: ReportedRun[];
  gauges: Gauges;
} & ShownAs;

/** The stats, or the report's own text if the text can be stored in their place. Reading and writing forty fields again would cost as much as all other computing. */
type ShownAs = { stats: ShownStats; reportJson: null } | { stats: null; reportJson: string };

/** The fields that are shown as the server reported them. */
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

/** The fields that go into the series or into a percentage. */
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
