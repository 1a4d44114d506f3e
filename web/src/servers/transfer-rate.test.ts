import { describe, expect, it } from 'vitest';
import { statsFixture } from './stats-fixture.ts';
import { transferRate } from './transfer-rate.ts';

describe('the transfer rate', () => {
  it('is the received and sent bytes, over 180 seconds', () => {
    expect(transferRate(statsFixture())).toBe(1000);
    expect(transferRate(statsFixture({ gap_seconds: 174 }))).toBe(1000);
  });

  it('is spread over the whole gap after an outage', () => {
    expect(transferRate(statsFixture({ gap_seconds: 1800 }))).toBe(100);
  });

  it('is unknown when no counter could be compared', () => {
    expect(transferRate(statsFixture({ rx_gap: null }))).toBeNull();
  });
});
