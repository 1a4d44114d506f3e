import { expect, test } from 'vitest';
import { outsideOf } from './outside-text.ts';

test('the label says who reaches the database', () => {
  const label = (address: string | null) => outsideOf(address, { name: 'lantern' }).label;
  expect(label(null)).toBe('From anywhere');
  expect(label('127.0.0.1')).toBe('From programs on lantern');
  expect(label('::1')).toBe('From programs on lantern');
  expect(label('10.0.0.5')).toBe('From the network of 10.0.0.5');
  expect(outsideOf('fd00::5', { name: 'lantern' }).help).toContain('firewall');
});
