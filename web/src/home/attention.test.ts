import type { ServerStats } from '@homeport/contract/stats/schema';
import { describe, expect, it } from 'vitest';
import { statsFixture } from '../servers/stats-fixture.ts';
import { attention } from './attention.ts';

const now = 1_000_000 + 60_000;
const line = (name: string, stats: Partial<ServerStats> | null) => ({
  server: { key: name, name },
  stats: stats && statsFixture(stats),
});

describe('what needs attention', () => {
  it('lists offline servers first, then danger, then warnings, each with its figures', () => {
    const notices = attention(
      [
        line('lantern', { disk_percent: 83, disk_usage: 66.4 * 1024 ** 3 }),
        line('skerry', { load_percent: 93, load: [1.86, 1, 1], cpu_cores: 2 }),
        line('fairway', { update_time: now - 13 * 60_000 }),
      ],
      now,
    );
    expect(notices.map(({ title, band }) => [title.replace(/\s/g, ' '), band])).toEqual([
      ['fairway is offline', 'danger'],
      ['skerry CPU load at 93 %', 'danger'],
      ['lantern disk at 83 %', 'warning'],
    ]);
    expect(notices[0]?.detail).toMatch(/^Last stats at \d\d:\d\d, 13 min ago$/);
    expect(notices[1]?.detail).toBe('Load 1.86 on 2 cores');
    expect(notices[2]?.detail).toBe('66.4 GB of 80 GB used');
  });

  it('says only that a server is offline, because its last values no longer hold', () => {
    const notices = attention([line('fairway', { update_time: 0, disk_percent: 99, ram_percent: 99 })], now);
    expect(notices.map(({ title }) => title)).toEqual(['fairway is offline']);
  });

  it('is empty while all is well, and for servers that never reported', () => {
    expect(attention([line('lantern', {}), line('mole', null)], now)).toEqual([]);
  });
});
