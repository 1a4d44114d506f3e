import { describe, expect, it } from 'vitest';
import { statsFixture } from '../servers/stats-fixture.ts';
import { totalsOf } from './totals.ts';

describe('the totals', () => {
  it('add up RAM and CPUs of each server that ever reported, and the transfer of online servers', () => {
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

  it('are not 0 when nothing is known', () => {
    expect(totalsOf([{ status: 'no-data', stats: null }], [])).toMatchObject({
      ram: null,
      cpus: null,
      transfer: null,
    });
  });
});
