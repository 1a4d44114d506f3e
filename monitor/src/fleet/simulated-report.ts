import type { Report } from '@homeport/contract/stats/schema';
import type { Course } from '@homeport/store';

const dayMs = 86_400_000;
/** What comes and goes in 90 minutes and in a week, beside the rhythm of the day. The shares of all three stay below 1. */
const waveMs = 5_400_000;
const waveShare = 0.12;
const weekMs = 7 * dayMs;
const weekShare = 0.2;
const turn = 2 * Math.PI;

export type Simulated = {
  /** From 1 on. */
  number: number;
  course: Course;
  /** When the server was added. */
  since: number;
};

/**
 * The report of a simulated server at this time. It continues the history that `fillHistory` makes up by the same formulas. A
 * counter has to grow, so a counter holds the integral of its rate since the last start.
 */
export function simulatedReport({ number, course, since }: Simulated, ts: number, interval: number): Report {
  const { cores, memoryBytes, diskBytes } = course;
  const sinceBootMs = (ts + course.bootOffsetMs) % course.bootEveryMs;
  const bootAt = ts - sinceBootMs;
  const rhythm = rhythmAt(course, ts);
  const inJob = ts % course.jobEveryMs < course.jobMs;
  const busy = Math.max(0.01, Math.min(0.99, course.busy * rhythm + (inJob ? course.job : 0)));
  const rhythmSeconds = rhythmUntil(course, ts) - rhythmUntil(course, bootAt);
  const busySeconds = course.busy * rhythmSeconds + jobUntil(course, ts) - jobUntil(course, bootAt);
  const jiffies = (seconds: number) => Math.max(0, Math.floor(seconds * 100 * cores));
  const wavering = noise(number, ts);
  const load = busy * cores * (0.85 + 0.3 * wavering);
  const memory = Math.min(0.97, course.memory + 0.15 * busy + (course.leakPerDay * sinceBootMs) / dayMs);
  const disk = Math.max(0.03, Math.min(0.995, course.disk + (course.diskPerDay * (ts - since)) / dayMs));
  const swap = Math.round(memoryBytes / 4);
  return {
    v: 2,
    agent: 'simulated',
    boot_id: `simulated-${number}-${Math.floor((ts + course.bootOffsetMs) / course.bootEveryMs)}`,
    seq: ts,
    ts,
    uptime: Math.floor(sinceBootMs / 1000),
    interval,
    os_name: 'Simulated Linux',
    os_arch: 'x64',
    os_kernel: '6.12.0-simulated',
    cpu_name: 'Simulated processor',
    cpu_cores: cores,
    cpu_freq: 2_400,
    cpu_jiffies: [
      jiffies(busySeconds * 0.8),
      0,
      jiffies(busySeconds * 0.2),
      jiffies(sinceBootMs / 1000 - busySeconds * 1.02),
      jiffies(busySeconds * 0.02),
      ...[0, 0, 0],
    ],
    load: [load, load * 0.97, load * 0.93],
    mem: { total: memoryBytes, available: Math.round((1 - memory) * memoryBytes) },
    swap: { total: swap, free: swap - Math.round((0.008 + 0.001 * wavering) * memoryBytes) },
    net: [
      {
        name: 'eth0',
        rx: Math.floor(course.receives * rhythmSeconds),
        tx: Math.floor(course.sends * rhythmSeconds),
      },
    ],
    nic: 'eth0',
    ipv4: addressOf(number),
    ipv6: null,
    fs: [{ dev: '/dev/vda1', mount: '/', total: diskBytes, used: Math.round(disk * diskBytes) }],
    file_handles: 1_200 + (number % 300),
    file_handles_limit: 1_048_576,
    sessions: number % 3,
    connections: 40 + Math.round(rhythm * (number % 60)),
    processes: 120 + (number % 40),
    top: [
      { user: 'www-data', cpu: busy * cores * 60, rss: Math.round(memory * memoryBytes * 0.4), name: 'node' },
      {
        user: 'postgres',
        cpu: busy * cores * 25,
        rss: Math.round(memory * memoryBytes * 0.3),
        name: 'postgres',
      },
      { user: 'root', cpu: 0.3, rss: 12_000_000, name: 'systemd' },
    ],
    ping_us: course.pingUs + 6 * wavering,
    ping_eu: course.pingEu + 4 * wavering,
    ping_asia: course.pingAsia === null ? null : course.pingAsia + 12 * wavering,
    apps: [],
  };
}

/** An address of the network for benchmarks, which belongs to no machine (RFC 2544: 198.18.0.0/15). */
export function addressOf(number: number): string {
  return `198.${18 + ((number >> 16) & 1)}.${(number >> 8) & 255}.${number & 255}`;
}

/** How busy the moment is: 1 on average. */
function rhythmAt({ swing, riseAt }: Course, ts: number): number {
  const day = swing * Math.sin(turn * (ts / dayMs - riseAt));
  const wave = waveShare * Math.sin((turn * ts) / waveMs + riseAt * 50);
  const week = weekShare * Math.sin((turn * ts) / weekMs + riseAt * 90);
  return 1 + day + wave + week;
}

/** The integral of `rhythmAt`, in seconds. */
function rhythmUntil({ swing, riseAt }: Course, ts: number): number {
  const day = swing * dayMs * Math.cos(turn * (ts / dayMs - riseAt));
  const wave = waveShare * waveMs * Math.cos((turn * ts) / waveMs + riseAt * 50);
  const week = weekShare * weekMs * Math.cos((turn * ts) / weekMs + riseAt * 90);
  return (ts - (day + wave + week) / turn) / 1000;
}

/** The processor time of the job, in seconds of the whole machine. */
function jobUntil({ job, jobEveryMs, jobMs }: Course, ts: number): number {
  return (job * (Math.floor(ts / jobEveryMs) * jobMs + Math.min(ts % jobEveryMs, jobMs))) / 1000;
}

/** A number from 0 to 1, the same for the same server and time (a multiplicative hash, Knuth). */
function noise(number: number, ts: number): number {
  return (Math.imul(Math.floor(ts / 1000) + number * 7919, 2_654_435_761) >>> 16) / 65_536;
}
