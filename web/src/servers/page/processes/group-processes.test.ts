import { expect, test } from 'vitest';
import { groupProcesses } from './group-processes.ts';

const process = (name: string, cpu: number, rss = 10) => ({ user: 'root', name, cpu, rss });

test('groups processes of one name into one row, the busiest first', () => {
  expect(groupProcesses([process('node', 4), process('postgres', 3), process('postgres', 2, 30)])).toEqual([
    { name: 'postgres', count: 2, memory: 40, cpu: 5 },
    { name: 'node', count: 1, memory: 10, cpu: 4 },
  ]);
});

test('sorts idle processes by memory', () => {
  const names = groupProcesses([process('small', 0, 1), process('large', 0, 2)]).map(({ name }) => name);
  expect(names).toEqual(['large', 'small']);
});
