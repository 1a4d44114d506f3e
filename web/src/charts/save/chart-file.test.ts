import { expect, it } from 'vitest';
import { chartFileName, csvOf } from './chart-file.ts';

const at = Date.UTC(2026, 10, 23, 14, 5);
const line = {
  key: 'a',
  times: [at, at + 1000],
  average: [1.5, null],
  lowest: [1, null],
  highest: [2, null],
  stepMs: 1,
};

it('writes each point with its moment, and leaves unknown values empty', () => {
  expect(csvOf([{ ...line, name: 'lantern' }], { unit: 'percent' })).toBe(
    'time,name,average (percent),lowest (percent),highest (percent)\r\n' +
      '2026-11-23T14:05:00.000Z,lantern,1.5,1,2\r\n2026-11-23T14:05:01.000Z,lantern,,,\r\n',
  );
});

it('a name is text: quoted where it has to be, and never a formula', () => {
  const named = (name: string) => csvOf([{ ...line, name, times: [at] }], { unit: 'ms' }).split('\r\n')[1];
  expect(named('a "b", c')).toContain(',"a ""b"", c",');
  expect(named('=cmd()')).toContain(",'=cmd(),");
  expect(named('@sum')).toContain(",'@sum,");
});

it('a file has a name that every system accepts', () => {
  expect(chartFileName(['Châlet/../x', 'cpu', '2026-11-23'], 'csv')).toBe('cha-let-x-cpu-2026-11-23.csv');
});
