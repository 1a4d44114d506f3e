import type { Report } from '@homeport/contract/stats/schema';

const gib = 2 ** 30;

/** The report of a simulated server at this time. With the id of its series as `number`, the report fits the made-up history. */
export function simulatedReport(number: number, ts: number, interval: number): Report {
  const busy = Math.max(0.02, 0.3 + 0.22 * Math.sin(ts / 13_750_987 + number) + 0.15 * noise(number, ts));
  const seconds = Math.floor(ts / 1000);
  const disk = number % 9 === 0 ? 0.965 : 0.5;
  return {
    v: 2,
    agent: 'simulated',
    boot_id: `simulated-${number}`,
    seq: ts,
    ts,
    uptime: (seconds % 31_536_000) + number,
    interval,
    os_name: 'Simulated Linux',
    os_arch: 'x64',
    os_kernel: '6.12.0-simulated',
    cpu_name: 'Simulated processor',
    cpu_cores: 4,
    cpu_freq: 2_400,
    // A counter has to grow, so it holds the load over all time and not the current load.
    cpu_jiffies: [seconds * 100, 0, seconds * 20, seconds * 270, seconds * 10, 0, 0, 0],
    load: [busy * 4, busy * 3.8, busy * 3.5],
    mem: { total: 8 * gib, available: Math.round((0.65 - 0.3 * busy) * 8 * gib) },
    swap: { total: gib, free: Math.round(0.95 * gib) },
    net: [{ name: 'eth0', rx: seconds * 80_000, tx: seconds * 32_000 }],
    nic: 'eth0',
    ipv4: addressOf(number),
    ipv6: null,
    fs: [{ dev: '/dev/vda1', mount: '/', total: 80 * gib, used: Math.round(disk * 80 * gib) }],
    file_handles: 1_200 + (number % 300),
    file_handles_limit: 1_048_576,
    sessions: number % 3,
    connections: 40 + (number % 60),
    processes: 120 + (number % 40),
    top: [
      { user: 'www-data', cpu: busy * 180, rss: 210_000_000, name: 'node' },
      { user: 'postgres', cpu: busy * 60, rss: 160_000_000, name: 'postgres' },
      { user: 'root', cpu: 0.3, rss: 12_000_000, name: 'systemd' },
    ],
    ping_us: 95 + 20 * noise(number, ts),
    ping_eu: 12 + 6 * noise(number, ts),
    ping_asia: number % 11 === 0 ? null : 180 + 30 * noise(number, ts),
    apps: [],
  };
}

/** An address of the network for benchmarks, which belongs to no machine (RFC 2544: 198.18.0.0/15). */
export function addressOf(number: number): string {
  return `198.${18 + ((number >> 16) & 1)}.${(number >> 8) & 255}.${number & 255}`;
}

/** A number from 0 to 1, the same for the same server and time (a multiplicative hash, Knuth). */
function noise(number: number, ts: number): number {
  return (Math.imul(Math.floor(ts / 1000) + number * 7919, 2_654_435_761) >>> 16) / 65_536;
}
