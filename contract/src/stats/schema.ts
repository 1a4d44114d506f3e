import { z } from 'zod';
import { failureCharacters, runsPerReport } from '../backups/facts.ts';
import { chartRoutes } from '../charts/schema.ts';
import { boundedText } from '../fields/bounded-text.ts';
import { epochMsSchema, idSchema, storableText } from '../fields/schema.ts';
import { machineSchema } from '../location/machine.ts';
import type { RouteTable } from '../route.ts';
import { timeseriesOf } from '../timeseries.ts';
import { uptimeMonitorRoutes } from '../uptime/schema.ts';
import { reportLimits } from './facts.ts';

/** No machine has an exbibyte, so a report that claims more is damaged. */
const bytes = z
  .number()
  .nonnegative()
  .max(2 ** 60);
const count = z.number().nonnegative().max(Number.MAX_SAFE_INTEGER);
const text = z.string().max(256);
const load = z.number().nonnegative().max(1e6).nullable();
const pingMs = z.number().nonnegative().max(60_000).nullish();

export const processSchema = z.object({
  user: z.string().max(64),
  /** Share of one core since the last report, 0 to 100 × cores. */
  cpu: z.number().nonnegative().max(1e6),
  rss: bytes,
  name: text,
});

const shortWord = z.string().regex(/^[a-z0-9_-]{1,41}$/);

/** One run of a schedule, as Homeport's Dokku plugin writes it. The patterns hold, because nothing else reads these texts first. */
const reportedBackupSchema = z.object({
  seq: count,
  run: z.string().regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/),
  type: shortWord,
  name: z.string().regex(/^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/),
  state: z.string().regex(/^(?:running|succeeded|failed)$/),
  /** Seconds, by the server's clock. */
  at: z.number().int().nonnegative().max(99_999_999_999),
  took: z.number().int().nonnegative().max(999_999_999),
  bytes: bytes.nullish(),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullish(),
  target: shortWord,
  reason: shortWord.nullish(),
  text: boundedText(failureCharacters)
    .regex(/^[ -~]*$/)
    .nullish(),
});

export const reportSchema = z.object({
  v: z.literal(2),
  agent: z.string().max(32),
  boot_id: z.string().max(64),
  /** Grows with each report of a server, also after a restart or a new installation. */
  seq: z.number().int().nonnegative(),
  /** The agent's clock. */
  ts: z.number().int().nonnegative(),
  /** Seconds. */
  uptime: count,
  /** Seconds between two reports, as configured. */
  interval: z.number().int().min(1).max(86_400),
  os_name: text.nullish(),
  os_arch: z.string().max(64).nullish(),
  os_kernel: text.nullish(),
  /** Agents before 2.3.0 do not tell these names. */
  machine: machineSchema.nullish(),
  cpu_name: text.nullish(),
  cpu_cores: z.number().int().nonnegative().max(65_536).nullish(),
  /** MHz. */
  cpu_freq: z.number().nonnegative().max(1e6).nullish(),
  /** Jiffies since boot: user, nice, system, idle, iowait, irq, softirq, steal. */
  cpu_jiffies: z.array(count).length(8).nullish(),
  load: z.tuple([load, load, load]).nullish(),
  mem: z.object({ total: bytes, available: bytes }).nullish(),
  swap: z.object({ total: bytes, free: bytes }).nullish(),
  /** Counters since boot, one entry for each network card. */
  net: z
    .array(z.object({ name: z.string().max(64), rx: count, tx: count }))
    .max(64)
    .nullish(),
  nic: z.string().max(64).nullish(),
  ipv4: z.string().max(64).nullish(),
  ipv6: z.string().max(64).nullish(),
  fs: z
    .array(z.object({ dev: text, mount: text.nullish(), total: bytes, used: bytes }))
    .max(256)
    .nullish(),
  file_handles: count.nullish(),
  file_handles_limit: z.number().nonnegative().nullish(),
  sessions: count.nullish(),
  connections: count.nullish(),
  processes: count.nullish(),
  top: z.array(processSchema).max(40).nullish(),
  ping_eu: pingMs,
  ping_us: pingMs,
  ping_asia: pingMs,
  /** One entry for each container, with counters since the container was made. */
  apps: z
    .array(
      z.object({
        id: z.string().regex(/^[0-9a-f]{64}$/),
        cpu_usec: count.nullish(),
        memory: bytes.nullish(),
        inactive_file: bytes.nullish(),
        /** Null without a limit. */
        memory_max: bytes.nullish(),
        rx: count.nullish(),
        tx: count.nullish(),
        /** The folders of the server that the container has mounted. The size is null if it is not known. */
        mounts: z
          .array(z.object({ path: text, bytes: bytes.nullish() }))
          .max(8)
          .nullish(),
      }),
    )
    .max(500)
    .nullish(),
  /** Scheduled backups of databases that began or ended since the report before. */
  backups: z.array(reportedBackupSchema).max(runsPerReport).nullish(),
  /** When the sizes of the mounts were measured, by the agent's clock. */
  storage_ts: count.nullish(),
});
export type Report = z.output<typeof reportSchema>;

const gauges = {
  load_avg: z.number().nullable(),
  /** Percent of the time of all cores that was not idle. */
  load_cpu: z.number().nullable(),
  /** Percent of the time in which the processor waited for disks. */
  load_io: z.number().nullable(),
  ram_usage: z.number().nullable(),
  swap_usage: z.number().nullable(),
  disk_usage: z.number().nullable(),
  /** Milliseconds. */
  ping_us: z.number().nullable(),
  ping_eu: z.number().nullable(),
  ping_as: z.number().nullable(),
};

const covered = {
  /** When the report was measured, or the beginning of its hour, day or month (UTC). */
  ts: epochMsSchema,
  /** Bytes received and sent in the covered seconds; null if no counter could be compared. */
  rx_gap: z.number().nullable(),
  tx_gap: z.number().nullable(),
  /** The time that the reports of this point cover. */
  seconds: z.number(),
};

export const statsPointSchema = z
  .object({ ...covered, ...gauges, min: z.object(gauges), max: z.object(gauges) })
  .meta({ id: 'StatsPoint' });
export type StatsPoint = z.output<typeof statsPointSchema>;

const timeseriesSchema = timeseriesOf(statsPointSchema);
export type Timeseries = z.output<typeof timeseriesSchema>;

/** The latest report, with the field names of the specification. Null is "not known". */
export const latestStatsSchema = z.object({
  status: z.literal('active'),
  /** When the report was measured, on the console's clock. */
  update_time: epochMsSchema,
  /** Seconds since the report before; the period of rx_gap and tx_gap. */
  gap_seconds: z.number(),
  agent_version: z.string(),
  uptime: z.number(),
  load: z.array(z.number().nullable()),
  load_percent: z.number().nullable(),
  ram_usage: z.number().nullable(),
  ram_total: z.number().nullable(),
  ram_percent: z.number().nullable(),
  swap_usage: z.number().nullable(),
  swap_total: z.number().nullable(),
  disk_usage: z.number().nullable(),
  disk_total: z.number().nullable(),
  disk_percent: z.number().nullable(),
  rx: z.number().nullable(),
  tx: z.number().nullable(),
  rx_gap: z.number().nullable(),
  tx_gap: z.number().nullable(),
  cpu_name: z.string().nullable(),
  cpu_cores: z.number().nullable(),
  cpu_freq: z.number().nullable(),
  os_name: z.string().nullable(),
  os_arch: z.string().nullable(),
  os_kernel: z.string().nullable(),
  connections: z.number().nullable(),
  file_handles: z.number().nullable(),
  file_handles_limit: z.number().nullable(),
  processes: z.number().nullable(),
  sessions: z.number().nullable(),
  ipv4: z.string().nullable(),
  ipv6: z.string().nullable(),
  nic: z.string().nullable(),
  processes_array: z.array(processSchema),
  disk_array: z.array(
    z.object({ device: z.string(), mount: z.string().nullable(), total: z.number(), used: z.number() }),
  ),
});
export type LatestStats = z.output<typeof latestStatsSchema>;

export const serverStatsSchema = latestStatsSchema
  .extend({
    /** The monitor id. */
    key: z.string(),
    serverId: idSchema,
    /** When the first report arrived. */
    installed: epochMsSchema,
    /** load_avg of the last 20 reports, oldest first. */
    recent_load: z.array(z.number().nullable()),
  })
  .meta({ id: 'ServerStats' });
export type ServerStats = z.output<typeof serverStatsSchema>;

export const serverStatsWithSeriesSchema = serverStatsSchema
  .extend({ timeseries: timeseriesSchema })
  .meta({ id: 'ServerStatsWithSeries' });
export type ServerStatsWithSeries = z.output<typeof serverStatsWithSeriesSchema>;

const appGauges = {
  /** 100 is one core. */
  cpu_percent: z.number().nullable(),
  /** Without the memory that the kernel can drop at once. */
  mem_usage: z.number().nullable(),
  /** Percent of the app’s limit, or of the server’s memory if the app has no limit. */
  mem_percent: z.number().nullable(),
};

export const appStatsPointSchema = z
  .object({ ...covered, ...appGauges, min: z.object(appGauges), max: z.object(appGauges) })
  .meta({ id: 'AppStatsPoint' });
export type AppStatsPoint = z.output<typeof appStatsPointSchema>;

/** All containers of an app together, with the field names of the specification. Null is "not known". */
export const appStatsSchema = z
  .object({
    /** The app’s monitor id. */
    key: z.string(),
    /** When the newest report was measured. */
    updated: epochMsSchema,
    CPU_PERCENT: z.number().nullable(),
    MEM: z.number().nullable(),
    /** The limit of one container, to the KiB: its own limit, or the server’s memory. */
    MEM_LIMIT: z.number().nullable(),
    MEM_PERCENT: z.number().nullable(),
    /** Bytes since the app was first measured, over all its containers. */
    NET_IO: z.object({ rx: z.number(), tx: z.number() }),
    /** Bytes in the folders that the app has mounted, each counted once. */
    STORAGE: z.number().nullable(),
    /** The agent measures storage only once in some hours. */
    storage_measured: epochMsSchema.nullable(),
    timeseries: timeseriesOf(appStatsPointSchema),
  })
  .meta({ id: 'AppStats' });
export type AppStats = z.output<typeof appStatsSchema>;

/** The container of a database, measured like those of an app. The size of its data stands in its record. */
export const databaseStatsSchema = appStatsSchema
  .omit({ key: true, STORAGE: true, storage_measured: true })
  .meta({ id: 'DatabaseStats' });
export type DatabaseStats = z.output<typeof databaseStatsSchema>;

const accepted = z.object({
  status: z.literal('ok'),
  /** Reports that were stored now. */
  accepted: z.number(),
  /** Reports that were known already. */
  repeated: z.number(),
  /** Reports that are older than raw reports are kept, or that have an impossible time. */
  refused: z.number(),
});
export type ReportAnswer = z.output<typeof accepted>;

export const monitorRoutes = {
  'POST /api/v2/report': {
    access: 'agent',
    summary: 'Reports of one server, oldest first; answered when they are stored',
    body: z.array(reportSchema).min(1).max(reportLimits.reportsPerPost),
    reply: accepted,
  },
  'POST /api/agent.json': {
    access: 'agent',
    summary: 'One report of a NodeQuery 0.7.7 agent, as a form',
    reply: accepted,
  },
  'GET /monitor/dumps': {
    access: 'signed-in',
    summary: 'The latest stats of the user’s servers; a server that never reported is left out',
    query: z.object({
      /** Monitor ids, separated by commas. Absent: all of them. */
      servers: storableText(20_000).optional(),
    }),
    reply: z.array(serverStatsSchema),
  },
  'GET /monitor/dump/:monitorId': {
    access: 'signed-in',
    summary: 'One server’s stats with its series',
    params: z.object({ monitorId: storableText(64).min(1) }),
    reply: serverStatsWithSeriesSchema,
  },
  'GET /monitor/apps': {
    access: 'signed-in',
    summary: 'When a report last named each of the user’s apps; an app that no report named is left out',
    reply: z.array(z.object({ key: z.string(), measuredAt: epochMsSchema })),
  },
  'GET /monitor/apps/:monitorId': {
    access: 'signed-in',
    summary: 'One app’s stats with its series; null until a report names its containers',
    params: z.object({ monitorId: storableText(64).min(1) }),
    reply: z.object({ stats: appStatsSchema.nullable() }),
  },
  'GET /monitor/databases': {
    access: 'signed-in',
    summary:
      'The newest use of each of the user’s databases; one that no report of two days named is left out',
    reply: z.array(
      z.object({
        /** The database’s id. */
        id: idSchema,
        updated: epochMsSchema,
        CPU_PERCENT: z.number().nullable(),
        MEM: z.number().nullable(),
      }),
    ),
  },
  'GET /monitor/databases/:id': {
    access: 'signed-in',
    summary: 'One database’s stats with its series; null until a report names its container',
    params: z.object({ id: idSchema }),
    reply: z.object({ stats: databaseStatsSchema.nullable() }),
  },
  'GET /metrics': {
    access: 'signed-in',
    summary:
      'What is measured of the user’s servers, apps and databases, in Prometheus’ text format; 404 while the operator has it off',
    reply: z.string(),
    kind: 'download',
  },
  ...uptimeMonitorRoutes,
  ...chartRoutes,
} as const satisfies RouteTable;
