import { reportLimits } from '@homeport/contract/stats/facts';
import { type RawRow, shortContainerId } from '@homeport/store';
import { z } from 'zod';
import { latestJson } from './latest.ts';
import type { Measurement } from './measurement.ts';

const counter = z.number();
/** The state of a server after a report. The next report is measured against it. */
export const serverStateSchema = z.object({
  seq: z.number().nullable(),
  digest: z.string().nullable(),
  ts: z.number(),
  bootId: z.string().nullable(),
  uptime: z.number(),
  net: z.record(z.string(), z.tuple([counter, counter])),
  jiffies: z.array(counter).nullable(),
  /** CPU microseconds, received and sent bytes by container. */
  apps: z.record(z.string(), z.tuple([counter.nullable(), counter.nullable(), counter.nullable()])),
});
export type ServerState = z.output<typeof serverStateSchema>;

export type Derived =
  | { kind: 'repeated' }
  | { kind: 'refused' }
  | {
      kind: 'kept';
      row: RawRow<'server'>;
      appRows: RawRow<'app'>[];
      /** For `readLatest`. */
      latest: string;
      state: ServerState;
    };

/** Protocol 1 has no report numbers, so the same body within this time is the same report. */
const repeatedWithinMs = 60_000;
/** No link carries more than 400 Gbit/s. A counter with a higher rate is damaged. */
const bytesPerSecond = 50e9;
/** After a gap of more intervals than this, nobody can say when the counted bytes were sent, so they are not spread over the gap. */
const missedIntervals = 3;

/** Makes rows of a report by comparing the report with the state after the report before it. */
export function derive(
  before: ServerState | null,
  now: Measurement,
  receivedAt: number,
  server: { id: number; containers: ReadonlyMap<string, number> },
): Derived {
  if (isRepeated(before, now)) return { kind: 'repeated' };
  if (now.ts < receivedAt - reportLimits.oldestMs || now.ts > receivedAt + reportLimits.clockOffMs)
    return { kind: 'refused' };
  const elapsed = before ? (now.ts - before.ts) / 1000 : 0;
  const comparable = before !== null && elapsed > 0 && elapsed <= missedIntervals * now.intervalSeconds;
  const seconds = comparable ? Math.max(1, Math.round(elapsed)) : now.intervalSeconds;
  const past = comparable ? before : null;
  const rebooted = past !== null && !sameBoot(past, now, elapsed);
  const gaps = networkGaps(past, now, seconds, rebooted);
  const load = processorLoad(past, now, rebooted);
  const { gauges } = now;
  const row: RawRow<'server'> = {
    series: server.id,
    ts: now.ts,
    seconds,
    rx: bytes(gaps.rx),
    tx: bytes(gaps.tx),
    load_avg: measured(gauges.load),
    load_cpu: measured(load.cpu),
    load_io: measured(load.io),
    ram_usage: bytes(gauges.ramUsage),
    swap_usage: bytes(gauges.swapUsage),
    disk_usage: bytes(gauges.diskUsage),
    ping_us: measured(now.pings.us),
    ping_eu: measured(now.pings.eu),
    ping_as: measured(now.pings.as),
  };
  return {
    kind: 'kept',
    row,
    appRows: appRows(past, now, seconds, server.containers),
    latest: latestJson(now, row),
    state: stateAfter(before, now),
  };
}

function isRepeated(before: ServerState | null, now: Measurement): boolean {
  if (!before) return false;
  if (now.seq !== null) return before.seq !== null && now.seq <= before.seq;
  return before.digest === now.digest && now.ts - before.ts < repeatedWithinMs;
}

/** Protocol 1 names no boot. A machine whose uptime is shorter than the time since the last report has rebooted. */
function sameBoot(before: ServerState, now: Measurement, elapsedSeconds: number): boolean {
  if (before.bootId !== null && now.bootId !== null) return before.bootId === now.bootId;
  return now.uptime + 5 >= elapsedSeconds;
}

function networkGaps(before: ServerState | null, now: Measurement, seconds: number, rebooted: boolean) {
  let rx: number | null = null;
  let tx: number | null = null;
  for (const [card, [newRx, newTx]] of Object.entries(now.net)) {
    const old = before?.net[card];
    if (!old) continue;
    rx = plus(rx, difference(old[0], newRx, rebooted));
    tx = plus(tx, difference(old[1], newTx, rebooted));
  }
  const most = bytesPerSecond * seconds;
  return { rx: rx !== null && rx <= most ? rx : null, tx: tx !== null && tx <= most ? tx : null };
}

/** A counter that fell started again from 0. */
function difference(before: number, now: number, reset: boolean): number {
  return !reset && now >= before ? now - before : now;
}

/** The percentages of processor time that was busy, and that waited for disks. Null across a reboot. */
function processorLoad(before: ServerState | null, now: Measurement, rebooted: boolean) {
  if (now.given) return { cpu: now.given.loadCpu, io: now.given.loadIo };
  const nothing = { cpu: null, io: null };
  if (!before?.jiffies || !now.jiffies || rebooted) return nothing;
  const past = before.jiffies;
  const spent = now.jiffies.map((value, index) => value - (past[index] ?? 0));
  const all = spent.reduce((sum, value) => sum + value, 0);
  const [, , , idle = 0, waiting = 0] = spent;
  // iowait may fall (proc(5)), and in a container a difference may be negative.
  if (all <= 0 || idle < 0 || waiting < 0) return nothing;
  const percent = (part: number) => Math.min(100, Math.max(0, (part / all) * 100));
  return { cpu: percent(all - idle - waiting), io: percent(waiting) };
}

/** Sums an app's live containers. A deploy makes new containers that start at 0, so each container is compared with itself only. */
function appRows(
  before: ServerState | null,
  now: Measurement,
  seconds: number,
  containers: ReadonlyMap<string, number>,
): RawRow<'app'>[] {
  const rows = new Map<number, RawRow<'app'>>();
  for (const container of now.apps) {
    const series = containers.get(shortContainerId(container.id));
    if (series === undefined) continue;
    const row: RawRow<'app'> = rows.get(series) ?? {
      series,
      ts: now.ts,
      seconds,
      rx: null,
      tx: null,
      cpu_percent: null,
      mem_usage: null,
      mem_percent: null,
    };
    rows.set(series, row);
    const old = before?.apps[container.id];
    const since = (index: 0 | 1 | 2, value: number | null | undefined) => {
      const past = old?.[index];
      return past === null || past === undefined || value === null || value === undefined
        ? null
        : difference(past, value, false);
    };
    const usec = since(0, container.cpu_usec);
    row.cpu_percent = plus(row.cpu_percent, usec === null ? null : (usec / (seconds * 1e6)) * 100);
    row.rx = bytes(plus(row.rx, since(1, container.rx)));
    row.tx = bytes(plus(row.tx, since(2, container.tx)));
    if (typeof container.memory !== 'number') continue;
    const used = Math.max(0, container.memory - (container.inactive_file ?? 0));
    row.mem_usage = bytes(plus(row.mem_usage, used));
    const limit = container.memory_max ?? now.gauges.ramTotal;
    row.mem_percent = plus(row.mem_percent, limit ? (used / limit) * 100 : null);
  }
  return [...rows.values()].map((row) => ({
    ...row,
    cpu_percent: measured(row.cpu_percent),
    mem_percent: measured(row.mem_percent),
  }));
}

function stateAfter(before: ServerState | null, now: Measurement): ServerState {
  return {
    seq: now.seq ?? before?.seq ?? null,
    digest: now.digest,
    ts: now.ts,
    bootId: now.bootId,
    uptime: now.uptime,
    net: now.net,
    jiffies: now.jiffies,
    apps: Object.fromEntries(
      now.apps.map((one) => [one.id, [one.cpu_usec ?? null, one.rx ?? null, one.tx ?? null]]),
    ),
  };
}

function plus(sum: number | null, value: number | null): number | null {
  return value === null ? sum : (sum ?? 0) + value;
}

/** A value for a bigint column. A sum that no machine can have counts as unknown. */
function bytes(value: number | null): number | null {
  return value === null || !(value >= 0 && value <= 2 ** 60) ? null : Math.round(value);
}

/** A value for a real column. PostgreSQL refuses numbers that would overflow or underflow there. */
function measured(value: number | null | undefined): number | null {
  if (value === null || value === undefined || !(value >= 0 && value < 1e15)) return null;
  return value < 1e-6 ? 0 : value;
}
