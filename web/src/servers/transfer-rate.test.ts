import { describe, expect, it } from 'vitest';
import { perSecond, transferRate } from './transfer-rate.ts';

describe('the transfer rate', () => {
  it('is the received and sent bytes, over 180 seconds', () => {
    expect(transferRate({ rx_gap: 60_000, tx_gap: 120_000, seconds: 180 })).toBe(1000);
  });

  it('takes the time between the reports where that is known, shorter or longer', () => {
    expect(transferRate({ rx_gap: 60_000, tx_gap: 120_000, seconds: 60 })).toBe(3000);
    expect(transferRate({ rx_gap: 60_000, tx_gap: 120_000, seconds: 1800 })).toBe(100);
    expect(transferRate({ rx_gap: 60_000, tx_gap: 120_000, seconds: 0 })).toBe(1000);
  });

  it('is unknown when a counter could not be compared', () => {
    expect(transferRate({ rx_gap: null, tx_gap: 1, seconds: 180 })).toBeNull();
    expect(transferRate({ rx_gap: 1, tx_gap: null, seconds: 180 })).toBeNull();
    expect(perSecond(null, 180)).toBeNull();
  });
});
