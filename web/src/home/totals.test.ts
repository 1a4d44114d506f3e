import { describe, expect, it } from 'vitest';
import { statsFixture } from './stats-fixture.ts';
import { totalsOf, transferRate } from './totals.ts';

describe('the transfer rate', () => {
  it('is what was received and sent, over 180 seconds', () => {
    expect(transferRate(statsFixture())).toBe(1000);
    expect(transferRate(statsFixture({ gap_seconds: 174 }))).toBe(1000);
  });

  it('is spread over the whole gap after an outage', () => {
    expect(transferRate(statsFixture({ gap_seconds: 1800 }))).toBe(100);
  });

  it('is not known where no counter could be compared', () => {
    expect(transferRate(statsFixture({ rx_gap: null }))).toBeNull();
  });
});

describe('the totals', () => {
  it('add up what is known: RAM and CPUs of each server that ever reported, transfer of those online', () => {
    const lines = [
      { status: 'online' as const, stats: statsFixture() },
      { status: 'offline' as const, stats: statsFixture({ cpu_cores: null }) },
      { status: 'no-data' as const, stats: null },
    ];
    expect(totalsOf(lines, [{ plan: 0 }, { plan: 3 }])).toEqual({
      servers: 3,
      apps: 2,
      ram: 16 * 1024 ** 3,
      cpus: 4,
      transfer: 1000,
      allowanceGb: 35,
      reporting: 2,
    });
  });

  it('are not 0 where nothing is known', () => {
    expect(totalsOf([{ status: 'no-data', stats: null }], [])).toMatchObject({
      ram: null,
      cpus: null,
      transfer: null,
    });
  });
});
