import type { BackupSchedule } from '@homeport/contract/backups/schema';
import { expect, test } from 'vitest';
import {
  cronOf,
  readScheduleForm,
  type ScheduleEvent,
  scheduleFormAfter,
  scheduleFormOf,
} from './schedule-form.ts';

const after = (...events: ScheduleEvent[]) => events.reduce(scheduleFormAfter, scheduleFormOf(null, 17));
const text = (field: Extract<ScheduleEvent, { type: 'text' }>['field'], value: string) =>
  ({ type: 'text', field, text: value }) as const;
const problemsOf = (...events: ScheduleEvent[]) => {
  const read = readScheduleForm(after(...events), false);
  return read.ok ? {} : read.problems;
};

test('the proposal is every night, and is sent as it stands', () => {
  expect(readScheduleForm(after(), false)).toEqual({
    ok: true,
    body: {
      cron: '17 3 * * *',
      paused: false,
      keepCount: 14,
      keepDays: 30,
      restoreTest: 'never',
      target: { kind: 'server' },
    },
  });
});

test('each rhythm makes its cron expression, and an expression begins with what was chosen', () => {
  expect(cronOf(after({ type: 'rhythm', rhythm: 'hourly' }, text('minute', '5')))).toBe('5 * * * *');
  expect(cronOf(after(text('time', '23:45')))).toBe('45 23 * * *');
  const weekly = [{ type: 'rhythm', rhythm: 'weekly' }, text('weekday', '6'), text('time', '04:05')] as const;
  expect(cronOf(after(...weekly))).toBe('5 4 * * 6');
  expect(after(...weekly, { type: 'rhythm', rhythm: 'custom' }).cron).toBe('5 4 * * 6');
});

test('a schedule of the server is shown by its rhythm', () => {
  const of = (cron: string) => scheduleFormOf({ ...schedule, cron }, 17).rhythm;
  expect(of('5 * * * *')).toBe('hourly');
  expect(of('5 4 * * *')).toBe('daily');
  expect(of('5 4 * * 6')).toBe('weekly');
  expect(of('5 4 1 * *')).toBe('custom');
  expect(of('*/20 4 * * *')).toBe('custom');
});

const schedule: BackupSchedule = {
  cron: '5 4 * * *',
  paused: true,
  keepCount: 3,
  keepDays: null,
  restoreTest: 'weekly',
  target: { kind: 's3', endpoint: 'https://s3.example.com', region: 'eu', bucket: 'backups', prefix: '' },
  timeZone: 'UTC',
  since: 0,
};

test('keys that the server keeps are not asked for again, and half of new ones is refused', () => {
  const form = scheduleFormOf(schedule, 17);
  expect(readScheduleForm(form, true)).toMatchObject({
    ok: true,
    body: { paused: true, target: { keys: null } },
  });
  const half = scheduleFormAfter(form, { type: 's3', field: 'accessKey', text: 'AKIA' });
  expect(readScheduleForm(half, true)).toMatchObject({
    ok: false,
    problems: { 'target.keys.secret': expect.any(String) },
  });
});

test('every fault stands beside its field', () => {
  expect(problemsOf(text('time', ''))).toMatchObject({ time: expect.any(String) });
  expect(problemsOf({ type: 'rhythm', rhythm: 'hourly' }, text('minute', '60'))).toMatchObject({
    minute: expect.any(String),
  });
  expect(problemsOf({ type: 'rhythm', rhythm: 'custom' }, text('cron', '* * * * *'))).toMatchObject({
    cron: expect.stringContaining('15 minutes'),
  });
  expect(problemsOf(text('keepCount', '0'), text('keepDays', 'x'))).toMatchObject({
    keepCount: expect.any(String),
    keepDays: expect.any(String),
  });
  expect(Object.keys(problemsOf({ type: 'target', target: 's3' }))).toEqual([
    'target.endpoint',
    'target.bucket',
    'target.keys.accessKey',
    'target.keys.secret',
  ]);
});
