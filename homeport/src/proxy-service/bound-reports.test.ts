import { expect, test } from 'vitest';
import { boundReports } from './bound-reports.ts';

test('passes 20 failures of ten seconds on, shortened, and then says how many were left out', () => {
  let now = 0;
  const passed: string[] = [];
  const report = boundReports(
    ({ text }) => passed.push(text),
    () => now,
  );
  for (let count = 0; count < 50; count += 1) report('x'.repeat(10_000), 'answering');
  expect(passed).toHaveLength(20);
  expect(passed[0]).toHaveLength(4_000);
  now = 10_000;
  report('later', 'answering');
  expect(passed[20]).toBe('(30 further failures before this one) later');
});
