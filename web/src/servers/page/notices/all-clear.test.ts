import { expect, test } from 'vitest';
import { allClearText } from './all-clear.ts';

test('all is clear only where every percentage is known', () => {
  expect(allClearText({ load_percent: 10, ram_percent: 20, disk_percent: 30 })).toBe(
    'All clear. CPU load, RAM and disk are under 80 %, and reports arrive.',
  );
  expect(allClearText({ load_percent: 10, ram_percent: null, disk_percent: 30 })).toBe(
    'Reports arrive. Under 80 %: CPU load and disk. Not known: RAM.',
  );
  expect(allClearText({ load_percent: null, ram_percent: null, disk_percent: null })).toBe(
    'Reports arrive. Not known: CPU load, RAM, disk.',
  );
});
