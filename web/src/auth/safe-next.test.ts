import { describe, expect, it } from 'vitest';
import { safeNext } from './safe-next.ts';

describe('the page wanted before signing in', () => {
  it('is a path of this console', () => {
    expect(safeNext('/server/k1#disk')).toBe('/server/k1#disk');
  });
  it('is never somewhere else', () => {
    for (const wanted of [
      '//evil.example',
      'https://evil.example',
      '/\\evil.example',
      'server/k1',
      undefined,
    ]) {
      expect(safeNext(wanted)).toBeUndefined();
    }
  });
  it('is left out where it is home anyway', () => {
    expect(safeNext('/home')).toBeUndefined();
  });
});
