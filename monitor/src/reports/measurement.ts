import type { LatestStats, Report } from '@homeport/contract/monitor';

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
  /** The report as it arrived, where it can stand for `stats` in the store; made into JSON once more it would cost as much as all sums. */
  reportJson: string | null;
  stats: Omit<
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
};
