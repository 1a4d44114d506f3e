import type { CronTask, CronTasks } from '@homeport/contract/apps/cron/schema';
import { expect, test } from 'vitest';
import { runsOnWhileStopped, tasksText, tasksWarned } from './tasks-text.ts';

const now = Date.parse('2026-07-01T10:00:20Z');

const task = (schedule: string, suspended = false): CronTask => ({
  ...{ id: schedule, command: 'true', concurrency: null },
  ...{ schedule, suspended },
});
const told = (tasks: CronTask[], more: Partial<CronTasks> = {}): CronTasks => ({
  ...{ tasks, more: 0, allOff: false, timeZone: 'UTC' },
  ...more,
});

test.each([
  ['1 task, next in 2 h 15 min', told([task('15 12 * * *')])],
  ['2 tasks, next in 1 h', told([task('0 5 * * *'), task('0 11 * * *')])],
  ['1 task, next in less than a minute', told([task('* * * * *')])],
  ['2 tasks, next in 4 days', told([task('0 12 5 * *'), task('@yearly')])],
  [
    '3 tasks, next in 19 h, 1 suspended',
    told([task('0 5 * * *'), task('0 11 * * *', true), task('@yearly')]),
  ],
  ['2 tasks, all suspended', told([task('0 5 * * *', true), task('0 11 * * *', true)])],
  ['1 task, suspended', told([task('0 5 * * *', true)])],
  ['112 tasks, at least 2 suspended', told([task('0 5 * * *', true), task('@daily', true)], { more: 110 })],
  ['2 tasks, all off', told([task('0 5 * * *'), task('0 11 * * *', true)], { allOff: true })],
  ['1 task', told([task('0 5 * * *')], { timeZone: null })],
  ['1 task', told([task('0 5 30 2 *')])],
  ['112 tasks', told([task('0 5 * * *'), task('@daily')], { more: 110 })],
])('the folded list says %s', (text, tasks) => {
  expect(tasksText(tasks, now)).toBe(text);
});

test('a task that may not work is counted, unless it is suspended', () => {
  expect(tasksWarned(told([task('@every 5m'), task('0 5 * * *'), task('0 3 ? * *', true)]))).toBe(1);
});

test('tasks of a stopped app run on, unless each is off', () => {
  expect(runsOnWhileStopped(told([task('@daily', true), task('@daily')]), true)).toBe(true);
  expect(runsOnWhileStopped(told([task('@daily')]), false)).toBe(false);
  expect(runsOnWhileStopped(told([task('@daily', true)]), true)).toBe(false);
  expect(runsOnWhileStopped(told([task('@daily')], { allOff: true }), true)).toBe(false);
});
