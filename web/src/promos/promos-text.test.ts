import { describe, expect, it } from 'vitest';
import { promosHeading, promosIntroduction, referralText } from './promos-text.ts';

const offer = (amountUsd: number, referral = false) => ({
  ...{ provider: `Cloud ${amountUsd}`, url: 'https://cloud.example/', amountUsd, referral },
});

describe('the free credits', () => {
  it('name the sums of the offers', () => {
    expect(promosHeading([offer(100), offer(100)])).toBe(
      'Free server credits worth up to $100 each ($200 total)',
    );
    expect(promosHeading([offer(100), offer(50), offer(25)])).toBe(
      'Free server credits worth up to $100 each ($175 total)',
    );
    expect(promosHeading([offer(75)])).toBe('Free server credits worth up to $75');
    expect(promosHeading([])).toBe('Free server credits');
  });

  it('count the providers', () => {
    expect(promosIntroduction([offer(1), offer(2)])).toMatch(/^Two cloud providers give credits/);
    expect(promosIntroduction([offer(1)])).toMatch(/^One cloud provider gives credits/);
    expect(promosIntroduction(Array.from({ length: 9 }, () => offer(1)))).toMatch(/^9 cloud providers/);
    expect(promosIntroduction([])).toMatch(/offers no links/);
  });

  it('speak of referral links only where somebody earns by them', () => {
    expect(referralText([offer(1), offer(2)])).toBeNull();
    expect(referralText([offer(1, true), offer(2, true)])).toMatch(/^These are referral links/);
    expect(referralText([offer(1, true), offer(2)])).toMatch(/^Some of these are referral links/);
  });
});
