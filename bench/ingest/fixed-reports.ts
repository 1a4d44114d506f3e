import { createHash } from 'node:crypto';
import { type Report, reportSchema } from '@homeport/contract/stats/schema';

// The reports of two servers, the same on each machine that measures, so that runs can be compared.

const gib = 1024 ** 3;
const mib = 1024 ** 2;

/** The processes that a small server lists: the system's own, then those of Docker. */
const processNames = [
  ...[
    'systemd',
    'systemd-journal',
    'sshd',
    'cron',
    'rsyslogd',
    'dbus-daemon',
    'systemd-logind',
    'systemd-udevd',
  ],
  ...['unattended-upgr', 'agetty', 'dockerd', 'containerd', 'nginx', 'node', 'postgres', 'redis-server'],
];

const processes = (count: number) =>
  processNames.slice(0, count).map((name, at) => ({
    user: at % 3 === 0 ? 'root' : 'systemd-network',
    cpu: ((at * 7) % 40) / 10,
    rss: (12 + at * 9) * mib,
    name,
  }));

/** A server without apps. */
export const emptyServer: Report = reportSchema.parse({
  v: 2,
  agent: '2.4.0',
  boot_id: '6f9f3f4b-7a0c-4b1e-9d53-0a4b8f1f2c11',
  seq: 1,
  ts: 1,
  uptime: 1_209_600,
  interval: 180,
  os_name: 'Debian GNU/Linux 13 (trixie)',
  os_arch: 'x86_64',
  os_kernel: '6.12.41+deb13-amd64',
  machine: { sys_vendor: 'Hetzner', product_name: 'vServer', bios_vendor: 'Hetzner' },
  cpu_name: 'AMD EPYC-Rome Processor',
  cpu_cores: 4,
  cpu_freq: 2445,
  cpu_jiffies: [8_412_331, 1_204, 2_904_118, 471_220_881, 88_120, 0, 120_443, 40_122],
  load: [0.42, 0.38, 0.31],
  mem: { total: 8 * gib, available: 6.2 * gib },
  swap: { total: 2 * gib, free: 2 * gib },
  net: [{ name: 'eth0', rx: 91_203_118_221, tx: 40_118_220_119 }],
  nic: 'eth0',
  ipv4: '203.0.113.24',
  ipv6: '2001:db8:24::1',
  fs: [
    { dev: '/dev/sda1', mount: '/', total: 80 * gib, used: 21 * gib },
    { dev: '/dev/sda15', mount: '/boot/efi', total: 0.25 * gib, used: 0.01 * gib },
  ],
  file_handles: 1_632,
  file_handles_limit: 9_007_199_254_740_991,
  sessions: 1,
  connections: 24,
  processes: 128,
  top: processes(12),
  ping_eu: 18.2,
  ping_us: 96.4,
  ping_asia: 171.9,
  apps: [],
});

/** The series of the busy server, as `nameContainers` names them: six apps and two databases. */
export const busySeries = [
  ...['ledger-4f2a1c', 'tides-0be7d2', 'shop-91c3aa', 'blog-77f0e1', 'api-5d20b9', 'admin-c8841e'],
  ...['postgres/ledger-db', 'redis/queue'],
].map((name) => ({ name, container: createHash('sha256').update(name).digest('hex') }));

/** A server with six apps and two databases, one container each. */
export const busyServer: Report = reportSchema.parse({
  ...emptyServer,
  connections: 214,
  processes: 301,
  load: [1.2, 1.1, 0.9],
  top: processes(16),
  apps: busySeries.map(({ name, container }, at) => ({
    id: container,
    cpu_usec: 41_882_110_442 + at * 1_000_003,
    memory: (140 + at * 37) * mib,
    inactive_file: (20 + at) * mib,
    memory_max: at < 6 ? 512 * mib : null,
    rx: 1_220_118_443 + at,
    tx: 3_118_220_991 + at,
    mounts: name.includes('/')
      ? [{ path: `/var/lib/dokku/services/${name}/data`, bytes: 1.4 * gib }]
      : at % 2 === 0
        ? [{ path: `/var/lib/dokku/data/storage/${name}`, bytes: 220 * mib }]
        : [],
  })),
  storage_ts: 1,
});
