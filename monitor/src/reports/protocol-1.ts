import { createHash } from 'node:crypto';
import { reportEverySeconds } from '@homeport/contract/limits';
import { gaugesOf, type Measurement, type ShownStats } from './measurement.ts';

const fieldCount = 34;
/** Longer than any real value, except the two lists. */
const longestValue = 256;
const longestList = 262_144;
const largestBytes = 2 ** 60;

/** Reads the form of the NodeQuery 0.7.7 agent. Null for anything else. The raw spaces between the fields survive decoding. */
export function readForm(body: string): { token: string; data: string } | null {
  const form = new URLSearchParams(body);
  const token = form.get('token');
  const data = form.get('data');
  return token && data !== null ? { token, data } : null;
}

/** Null unless there are 34 fields; a truncated body has fewer. The report names no time, so its time is `receivedAt`. */
export function fromForm(data: string, receivedAt: number): (Measurement & { stats: ShownStats }) | null {
  const encoded = data.split(' ');
  if (encoded.length !== fieldCount) return null;
  const value = (field: number) =>
    decode(encoded[field - 1] ?? '', longestValue)
      .split('\n', 1)[0]
      ?.trim() ?? '';
  const number = (field: number) => positive(value(field));
  /** This agent writes 0 for an unknown value. */
  const orUnknown = (field: number) => number(field) || null;
  const named = (field: number) => {
    const text = value(field);
    return text && text !== 'N/A' ? text : null;
  };
  const ram = orUnknown(14);
  const disk = orUnknown(19);
  const rx = number(25);
  const tx = number(26);
  const stats: ShownStats = {
    agent_version: value(1).slice(0, 32),
    uptime: number(2),
    load: value(29).split(' ', 3).map(positive),
    ram_usage: ram && number(15),
    ram_total: ram,
    swap_usage: number(17),
    swap_total: number(16),
    disk_usage: disk && number(20),
    disk_total: disk,
    rx,
    tx,
    cpu_name: named(11),
    cpu_cores: orUnknown(12),
    cpu_freq: orUnknown(13),
    os_name: named(9),
    os_arch: named(10),
    os_kernel: named(8),
    connections: number(21),
    file_handles: number(6),
    file_handles_limit: Math.min(number(7), Number.MAX_SAFE_INTEGER),
    processes: number(4),
    sessions: number(3),
    ipv4: named(23),
    ipv6: named(24),
    nic: named(22),
    processes_array: processes(decode(encoded[4] ?? '', longestList)),
    disk_array: disks(decode(encoded[17] ?? '', longestList)),
  };
  return {
    seq: null,
    digest: createHash('sha256').update(data).digest('base64url'),
    ts: receivedAt,
    bootId: null,
    uptime: number(2),
    intervalSeconds: reportEverySeconds,
    net: { [value(22) || 'nic']: [rx, tx] },
    jiffies: null,
    given: { loadCpu: Math.min(100, number(30)), loadIo: Math.min(100, number(31)) },
    pings: { eu: orUnknown(32), us: orUnknown(33), as: orUnknown(34) },
    apps: [],
    provider: undefined,
    backups: [],
    storageTs: null,
    gauges: gaugesOf(stats),
    stats,
    reportJson: null,
  };
}

/** `user cpu rss name;` where rss is KiB and the name may hold spaces. */
function processes(list: string): ShownStats['processes_array'] {
  return entries(list).flatMap((entry) => {
    const [, user, cpu, rss, name] = /^(\S{1,64}) (\S+) (\S+) ([\s\S]*)$/.exec(entry) ?? [];
    if (!user || !name) return [];
    return [{ user, cpu: positive(cpu ?? ''), rss: positive(rss ?? '') * 1024, name: name.slice(0, 64) }];
  });
}

/** `device total used;` in bytes. */
function disks(list: string): ShownStats['disk_array'] {
  return entries(list).flatMap((entry) => {
    const [device, total, used] = entry.split(' ');
    if (!device || total === undefined || used === undefined) return [];
    return [{ device: device.slice(0, 256), mount: null, total: positive(total), used: positive(used) }];
  });
}

const entries = (list: string) =>
  list
    .split(';')
    .map((entry) => entry.trim())
    .filter(Boolean)
    .slice(0, 40);

/** base64 without padding. Bytes that are no UTF-8 become U+FFFD. So does a NUL, because no text column takes one. */
function decode(field: string, longest: number): string {
  return Buffer.from(field.slice(0, longest * 2), 'base64')
    .toString('utf8')
    .slice(0, longest)
    .replaceAll('\0', '\ufffd');
}

function positive(text: string): number {
  const number = Number(text.trim().split(/\s/, 1)[0]);
  return Number.isFinite(number) && number > 0 && number <= Number.MAX_VALUE
    ? Math.min(number, largestBytes * 8)
    : 0;
}
