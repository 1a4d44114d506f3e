import { expect, test } from 'vitest';
import { allClearText } from './all-clear.ts';

test('all is clear only where every percentage is known', () => {
  expect(allClearText({ load_percent: 10, ram_percent: 20, disk_percent: 30 })).toBe(
    'All clear. CPU load, RAM and disk are under 80 %, and no report is missing.',
  );
  expect(allClearText({ load_percent: 10, ram_percent: null, disk_percent: 30 })).toBe(
    'No report is missing. Under 80 %: CPU load and disk. Not known: RAM.',
  );
  expect(allClearText({ load_percent: null, ram_percent: null, disk_percent: null })).toBe(
    'No report is missing. Not known: CPU load, RAM, disk.',
  );
});
