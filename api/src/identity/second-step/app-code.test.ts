import { expect, it } from 'vitest';
import { stepOfAppCode } from './app-code.ts';

// RFC 6238, appendix B, for SHA-1; the last six of its eight digits.
it.each([
  [59_000, '287082'],
  [1_111_111_109_000, '081804'],
  [1_234_567_890_000, '005924'],
  [20_000_000_000_000, '353130'],
])('at %i ms the code is %s', (now, code) => {
  expect(stepOfAppCode('12345678901234567890', code, now)).toBe(Math.floor(now / 30_000));
  expect(stepOfAppCode('12345678901234567890', code, now + 30_000)).toBe(Math.floor(now / 30_000));
  expect(stepOfAppCode('12345678901234567890', code, now + 60_000)).toBeNull();
  expect(stepOfAppCode('another secret', code, now)).toBeNull();
  expect(stepOfAppCode('12345678901234567890', `${code}0`, now)).toBeNull();
});
