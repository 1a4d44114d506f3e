import { expect, test } from 'vitest';
import { firstRules } from './first-rules.ts';

const head = `To                         Action      From
--                         ------      ----`;
const rules = ['22/tcp', '80/tcp', '443/tcp', '22/tcp (v6)'].map(
  (port) => `${port.padEnd(27)}ALLOW       Anywhere`,
);
const status = (count: number) => ['Status: active', '', head, ...rules.slice(0, count), '', ''].join('\n');

test('of four rules the first three stand there under their columns, and all are counted', () => {
  expect(firstRules(status(4))).toEqual({ text: [head, ...rules.slice(0, 3)].join('\n'), rules: 4 });
});

test('three rules are shown as the server printed them', () => {
  expect(firstRules(status(3))).toBeNull();
});

test('rules after an empty line are counted, because each kind of rules follows one', () => {
  expect(firstRules(`${status(3)}Anywhere on eth1 ALLOW FWD Anywhere on eth0\n`)?.rules).toBe(4);
});

test('a text without columns is shown as it is', () => {
  for (const text of ['', 'Status: active\n', '-- \nno\ncolumns\nabove\nthem\n'])
    expect(firstRules(text)).toBeNull();
});
