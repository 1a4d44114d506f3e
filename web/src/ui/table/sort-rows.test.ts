import { describe, expect, it } from 'vitest';
import { sortRows } from './sort-rows.ts';

describe('sorting rows', () => {
  it('puts rows without a value last in either direction', () => {
    const rows = [{ ram: 5 }, { ram: null }, { ram: 9 }];
    expect(sortRows(rows, (row) => row.ram, 'ascending').map((row) => row.ram)).toEqual([5, 9, null]);
    expect(sortRows(rows, (row) => row.ram, 'descending').map((row) => row.ram)).toEqual([9, 5, null]);
  });
  it('sorts names as people do: without case, numbers by value', () => {
    expect(sortRows(['web10', 'Web2', 'api'], (row) => row, 'ascending')).toEqual(['api', 'Web2', 'web10']);
  });
  it('does not change the given rows', () => {
    const rows = ['b', 'a'];
    sortRows(rows, (row) => row, 'ascending');
    expect(rows).toEqual(['b', 'a']);
  });
});
