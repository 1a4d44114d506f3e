import { serverStatus } from '@homeport/contract/servers/health';
import { uptimeCertificateSchema, uptimeCheckSchema } from '@homeport/contract/uptime/schema';
import {
  type OwnerRead,
  type ScrapedCheck,
  type ScrapedContainers,
  type ScrapedServer,
  scrapeChecks,
  scrapeContainers,
  scrapeServers,
} from '@homeport/store';
import { readSizes, type ServerSizes } from '../reports/latest.ts';
import type { Metric, Sample } from './exposition.ts';
import { mapInTurns } from './in-turns.ts';

/** The most of each kind in one answer: some 20,000 lines. */
const scrapedAtMost = { servers: 400, containers: 1_500, checks: 1_000 } as const;

/** How many are read in one turn of the loop. A report of 500 containers has 90 kB, and takes about half a millisecond. */
const perTurn = { servers: 10, checks: 100 } as const;

/** A report that is older says nothing of now, and its figures are left out. */
const freshMs = 10 * 60_000;

type Value = number | null | undefined;
type Definition<T> = {
  name: string;
  help: string;
  type?: Metric['type'];
  labels?: (of: T) => Sample['labels'];
  value: (of: T) => Value;
};

const ratio = (part: Value, whole: Value) =>
  part === null || part === undefined || !whole ? null : part / whole;
const hundredth = (percent: Value) => ratio(percent, 100);
const seconds = (ms: Value) => ratio(ms, 1_000);

type ServerNow = ScrapedServer & { fresh: boolean; up: boolean; stats: ServerSizes };

/** A figure of a server that reports. Of a silent one there is none. */
const now = (read: (server: ServerNow) => Value) => (server: ServerNow) =>
  server.fresh ? read(server) : null;

const serverMetrics: readonly Definition<ServerNow>[] = [
  {
    name: 'homeport_server_info',
    help: 'The name and the monitor id of a server. Always 1.',
    labels: ({ key, name, monitorId }) => ({ server: key, name, id: monitorId }),
    value: () => 1,
  },
  {
    name: 'homeport_server_up',
    help: 'Whether the server reported within five minutes.',
    value: ({ up }) => Number(up),
  },
  {
    name: 'homeport_server_last_report_timestamp_seconds',
    help: 'When the newest report was measured.',
    value: ({ ts }) => seconds(ts),
  },
  {
    name: 'homeport_server_cpu_usage_ratio',
    help: 'Share of the time of all cores that was not idle.',
    value: now((s) => hundredth(s.load_cpu)),
  },
  {
    name: 'homeport_server_iowait_ratio',
    help: 'Share of the time in which the processor waited for disks.',
    value: now((s) => hundredth(s.load_io)),
  },
  { name: 'homeport_server_load1', help: 'Load average of one minute.', value: now((s) => s.load_avg) },
  {
    name: 'homeport_server_cpu_cores',
    help: 'Cores of the processor.',
    value: now((s) => s.stats.cpu_cores),
  },
  { name: 'homeport_server_memory_used_bytes', help: 'Memory in use.', value: now((s) => s.ram_usage) },
  { name: 'homeport_server_memory_size_bytes', help: 'Memory in all.', value: now((s) => s.stats.ram_total) },
  { name: 'homeport_server_swap_used_bytes', help: 'Swap in use.', value: now((s) => s.swap_usage) },
  { name: 'homeport_server_swap_size_bytes', help: 'Swap in all.', value: now((s) => s.stats.swap_total) },
  {
    name: 'homeport_server_disk_used_bytes',
    help: 'Disk space in use, over all filesystems.',
    value: now((s) => s.disk_usage),
  },
  {
    name: 'homeport_server_disk_size_bytes',
    help: 'Disk space in all, over all filesystems.',
    value: now((s) => s.stats.disk_total),
  },
  {
    name: 'homeport_server_ping_europe_seconds',
    help: 'Round trip to Europe.',
    value: now((s) => seconds(s.ping_eu)),
  },
  {
    name: 'homeport_server_ping_us_seconds',
    help: 'Round trip to the US.',
    value: now((s) => seconds(s.ping_us)),
  },
  {
    name: 'homeport_server_ping_asia_seconds',
    help: 'Round trip to Asia.',
    value: now((s) => seconds(s.ping_as)),
  },
  {
    name: 'homeport_server_network_receive_bytes_total',
    help: 'Bytes received since measuring began.',
    type: 'counter',
    value: ({ received }) => received,
  },
  {
    name: 'homeport_server_network_transmit_bytes_total',
    help: 'Bytes sent since measuring began.',
    type: 'counter',
    value: ({ sent }) => sent,
  },
];

/** The same figures for the containers of apps and of databases, under their own names. */
const containerMetrics = (
  kind: 'app' | 'database',
  what: string,
): readonly Definition<ScrapedContainers & { fresh: boolean }>[] => [
  {
    name: `homeport_${kind}_info`,
    help: `The name of ${what}. Always 1.`,
    labels: (of) => ({ ...containerLabels(of), name: of.name }),
    value: () => 1,
  },
  {
    name: `homeport_${kind}_last_report_timestamp_seconds`,
    help: `When a report last named the containers of ${what}.`,
    value: ({ ts }) => seconds(ts),
  },
  {
    name: `homeport_${kind}_cpu_usage_ratio`,
    help: `Processor time of ${what}. 1 is one core.`,
    value: ({ fresh, cpu }) => (fresh ? hundredth(cpu) : null),
  },
  {
    name: `homeport_${kind}_memory_used_bytes`,
    help: `Memory of ${what}, without what the kernel can drop at once.`,
    value: ({ fresh, memory }) => (fresh ? memory : null),
  },
  {
    name: `homeport_${kind}_memory_usage_ratio`,
    help: `Memory of ${what} as a share of its limit, or of the memory of the server.`,
    value: ({ fresh, memoryPercent }) => (fresh ? hundredth(memoryPercent) : null),
  },
  {
    name: `homeport_${kind}_network_receive_bytes_total`,
    help: `Bytes that ${what} received since measuring began.`,
    type: 'counter',
    value: ({ received }) => received,
  },
  {
    name: `homeport_${kind}_network_transmit_bytes_total`,
    help: `Bytes that ${what} sent since measuring began.`,
    type: 'counter',
    value: ({ sent }) => sent,
  },
];

const containerLabels = ({ server, longname, type }: ScrapedContainers): Sample['labels'] =>
  type === null ? { server, app: longname } : { server, database: longname, type };

/** The parts of a check that are shown. */
const resultSchema = uptimeCheckSchema
  .pick({ ok: true, total: true })
  .extend({ certificate: uptimeCertificateSchema.pick({ validTo: true }).nullable() });
type CheckNow = ScrapedCheck & { result: ReturnType<typeof resultSchema.parse> | null };

const checkMetrics: readonly Definition<CheckNow>[] = [
  {
    name: 'homeport_check_up',
    help: 'Whether the checks from outside find the app up. Absent while that cannot be said.',
    value: ({ online }) => (online === null ? null : Number(online)),
  },
  {
    name: 'homeport_check_duration_seconds',
    help: 'How long the last check took that found the app up.',
    value: ({ result }) => (result?.ok ? seconds(result.total) : null),
  },
  {
    name: 'homeport_check_certificate_expiry_timestamp_seconds',
    help: 'When the certificate of the app ends.',
    value: ({ result }) => seconds(result?.certificate?.validTo),
  },
];

const appMetrics = containerMetrics('app', 'an app');
const databaseMetrics = containerMetrics('database', 'a database');
const truncated = 'homeport_series_truncated';

/**
 * What the console measures of an owner’s servers, apps, databases and checks, as it is now. Every metric is there, also without a
 * sample. The names are documented, and stay.
 */
export async function readMetrics(
  scope: OwnerRead,
  at: number,
  most: Readonly<Record<keyof typeof scrapedAtMost, number>> = scrapedAtMost,
): Promise<Metric[]> {
  const servers = await scrapeServers(scope, most.servers);
  const containers = await scrapeContainers(scope, most.containers);
  const checks = await scrapeChecks(scope, most.checks);
  const cut =
    servers.length > most.servers || containers.length > most.containers || checks.length > most.checks;
  const serversNow = await mapInTurns(
    servers.slice(0, most.servers),
    perTurn.servers,
    (server): ServerNow => {
      const stats = readSizes(server.latest);
      return { ...server, stats, fresh: at - server.ts < freshMs, up: serverStatus(stats, at) === 'online' };
    },
  );
  const containersNow = containers
    .slice(0, most.containers)
    .map((one) => ({ ...one, fresh: at - one.ts < freshMs }));
  const checksNow = await mapInTurns(checks.slice(0, most.checks), perTurn.checks, (check): CheckNow => {
    return { ...check, result: check.latest === null ? null : resultSchema.parse(JSON.parse(check.latest)) };
  });
  return [
    ...(await measure(serverMetrics, serversNow, ({ key }) => ({ server: key }))),
    ...(await measure(
      appMetrics,
      containersNow.filter(({ type }) => type === null),
      containerLabels,
    )),
    ...(await measure(
      databaseMetrics,
      containersNow.filter(({ type }) => type !== null),
      containerLabels,
    )),
    ...(await measure(checkMetrics, checksNow, ({ server, longname }) => ({ server, app: longname }))),
    {
      name: truncated,
      help: 'Whether servers, apps or checks are left out, because there are too many for one answer.',
      type: 'gauge',
      samples: [{ labels: {}, value: Number(cut) }],
    },
  ];
}

function measure<T>(
  definitions: readonly Definition<T>[],
  things: readonly T[],
  usual: (of: T) => Sample['labels'],
): Promise<Metric[]> {
  return mapInTurns(
    definitions,
    1,
    ({ name, help, type = 'gauge', labels = usual, value }): Metric => ({
      name,
      help,
      type,
      samples: things.flatMap((of) => {
        const measured = value(of);
        return measured === null || measured === undefined ? [] : [{ labels: labels(of), value: measured }];
      }),
    }),
  );
}
