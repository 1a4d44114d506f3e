import { backupRunSchema } from '@homeport/contract/backups/schema';
import { providerOf } from '@homeport/contract/location/provider';
import { reportLimits } from '@homeport/contract/stats/facts';
import type { Report } from '@homeport/contract/stats/schema';
import type { ReportedRun } from '@homeport/store';
import type { Gauges, Measurement, ShownStats } from './measurement.ts';

/**
 * How far the agent's clock is behind ours, if the difference is large enough to matter. The agent sends its time with each post.
 * Without that time only a report from the future shows a wrong clock.
 */
export function clockShift(reports: readonly Report[], agentTime: number | null, receivedAt: number): number {
  const newest = Math.max(...reports.map((report) => report.ts));
  const off = receivedAt - (agentTime ?? Math.max(newest, receivedAt));
  return Math.abs(off) > reportLimits.clockOffMs ? off : 0;
}

/** @param reportJson the text that the report was read from, if the caller has it */
export function fromReport(report: Report, shiftMs: number, reportJson: string | null = null): Measurement {
  if (reportJson !== null) return fromText(report, shiftMs, reportJson);
  return { ...fromText(report, shiftMs, ''), stats: statsOf(report), reportJson };
}

/** Nearly all reports come here. The function builds one literal, because copying its fields into another costs 10 µs. */
function fromText(report: Report, shiftMs: number, reportJson: string): Measurement {
  const net: Measurement['net'] = {};
  for (const { name, rx, tx } of report.net ?? []) net[name] = [rx, tx];
  return {
    seq: report.seq,
    digest: null,
    ts: report.ts + shiftMs,
    bootId: report.boot_id,
    uptime: report.uptime,
    intervalSeconds: report.interval,
    net,
    jiffies: report.cpu_jiffies ?? null,
    given: null,
    pings: { us: report.ping_us ?? null, eu: report.ping_eu ?? null, as: report.ping_asia ?? null },
    apps: report.apps ?? [],
    provider: report.machine ? providerOf(report.machine) : undefined,
    storageTs: typeof report.storage_ts === 'number' ? report.storage_ts + shiftMs : null,
    backups: report.backups ? backupsIn(report.backups, shiftMs) : [],
    gauges: gaugesIn(report),
    stats: null,
    reportJson,
  };
}

/** A run with a word that this console does not know is a newer plugin's, and is left out. */
function backupsIn(told: NonNullable<Report['backups']>, shiftMs: number): ReportedRun[] {
  return told.flatMap(({ run, type, name, at, took, bytes, sha256, reason, text, ...words }) => {
    const read = wordsSchema.safeParse({ ...words, failure: reason ?? null });
    if (!read.success) return [];
    const beganAt = Math.max(0, at * 1_000 + shiftMs);
    const rest = { bytes: bytes ?? null, sha256: sha256 ?? null, text: text ?? null };
    return [{ ...read.data, ...rest, id: run, type, longname: name, beganAt, durationSeconds: took }];
  });
}

const wordsSchema = backupRunSchema.pick({ state: true, target: true, failure: true });

/** What a report says of now, in the units of the series. */
export function gaugesIn({
  load,
  cpu_cores,
  mem,
  swap,
  fs,
}: Pick<Report, 'load' | 'cpu_cores' | 'mem' | 'swap' | 'fs'>): Gauges {
  return {
    load: load?.[0] ?? null,
    cpuCores: cpu_cores || null,
    ramUsage: mem ? Math.max(0, mem.total - mem.available) : null,
    ramTotal: mem?.total ?? null,
    swapUsage: swap ? Math.max(0, swap.total - swap.free) : null,
    diskUsage: fs ? fs.reduce((sum, disk) => sum + disk.used, 0) : null,
    diskTotal: fs ? fs.reduce((sum, disk) => sum + disk.total, 0) : null,
  };
}

/** The fields of a report that are shown. */
export function statsOf(report: Report): ShownStats {
  const gauges = gaugesIn(report);
  return {
    agent_version: report.agent,
    uptime: report.uptime,
    load: report.load ?? [],
    ram_usage: gauges.ramUsage,
    ram_total: gauges.ramTotal,
    swap_usage: gauges.swapUsage,
    swap_total: report.swap?.total ?? null,
    disk_usage: gauges.diskUsage,
    disk_total: gauges.diskTotal,
    rx: report.net ? report.net.reduce((sum, card) => sum + card.rx, 0) : null,
    tx: report.net ? report.net.reduce((sum, card) => sum + card.tx, 0) : null,
    cpu_name: known(report.cpu_name),
    cpu_cores: gauges.cpuCores,
    cpu_freq: report.cpu_freq || null,
    os_name: known(report.os_name),
    os_arch: known(report.os_arch),
    os_kernel: known(report.os_kernel),
    connections: report.connections ?? null,
    file_handles: report.file_handles ?? null,
    file_handles_limit: report.file_handles_limit ?? null,
    processes: report.processes ?? null,
    sessions: report.sessions ?? null,
    ipv4: known(report.ipv4),
    ipv6: known(report.ipv6),
    nic: known(report.nic),
    processes_array: report.top ?? [],
    disk_array: (report.fs ?? []).map(({ dev, mount, total, used }) => ({
      device: dev,
      mount: mount ?? null,
      total,
      used,
    })),
  };
}

function known(text: string | null | undefined): string | null {
  return text && text !== 'N/A' ? text : null;
}
