import { describe, expect, test } from 'vitest';
import { recorded } from '../../testing/transcript.ts';
import { zoneOf } from '../host/clock.ts';
import { appName } from '../names/app-name.ts';
import { UnreadableOutputError } from '../output.ts';
import { argvFor } from '../ways.ts';
import * as cron from './cron.ts';

const hello = appName('hello');
const task = cron.taskId('o272cwosgnl77npth4ku4gwr1jawzdjpsbbqi');
const answer = (rows: unknown) => ({ exitCode: 0, stdout: JSON.stringify(rows), stderr: '' });
const row = { id: 'abc', command: 'date', schedule: '@daily' };

test.each([
  [cron.list(hello), 'dokku cron:list hello --format json'],
  [cron.run(hello, task), `dokku cron:run hello ${task}`],
  [cron.suspend(hello, task), `dokku cron:suspend hello ${task}`],
  [cron.resume(hello, task), `dokku cron:resume hello ${task}`],
])('%j is the whole command', (command, expected) => {
  expect(argvFor({ kind: 'root' }, command).join(' ')).toBe(`env LC_ALL=C ${expected}`);
});

test('an id is nothing but letters and digits', () => {
  for (const id of ['', '--force', 'a b', 'A', '$(id)', 'a'.repeat(4_001)])
    expect(() => cron.taskId(id)).toThrow();
});

describe('the list of a real server', () => {
  test('has each task with its schedule', () => {
    expect(cron.readList(recorded('cron', 'list json, never deployed')).tasks).toEqual([]);
    expect(cron.readList(recorded('cron', 'list json'))).toEqual({
      tasks: [
        { id: task, command: 'date', schedule: '0 3 * * *', concurrency: 'allow', suspended: false },
        {
          id: '10i9usyubutvc6srqgqqo8ngq8myud7y466gddtmema7q7xv6pd34kw395',
          command: "sh -c 'echo nightly'",
          schedule: '@daily',
          concurrency: 'forbid',
          suspended: false,
        },
      ],
      more: 0,
      allOff: false,
    });
  });

  test('tells the suspended one', () => {
    const { tasks } = cron.readList(recorded('cron', 'list json, one suspended'));
    expect(tasks.map(({ suspended }) => suspended)).toEqual([true, false]);
  });
});

test('an app in maintenance has all its tasks off, and says of each what it says itself', () => {
  const off = { ...row, maintenance: true, 'app-in-maintenance': true, 'task-in-maintenance': false };
  expect(cron.readList(answer([off]))).toMatchObject({ allOff: true, tasks: [{ suspended: false }] });
});

test('a row of a Dokku before 0.37, and no list at all, are read', () => {
  expect(cron.readList(answer([row])).tasks).toMatchObject([{ concurrency: null, suspended: false }]);
  expect(cron.readList(answer(null)).tasks).toEqual([]);
});

test('what a repository writes is bounded, in one line, and hides nothing', () => {
  const many = Array.from({ length: 120 }, (_, at) => ({ ...row, id: `t${at}` }));
  const list = cron.readList(answer(many));
  expect([list.tasks.length, list.more]).toEqual([100, 20]);
  const hostile = {
    ...row,
    id: 'a'.repeat(5_000),
    command: `echo\n\u001b[31mred\u202e\u0000 ${'x'.repeat(2_000)}\ud83d`,
    schedule: '*'.repeat(500),
  };
  const [read] = cron.readList(answer([hostile])).tasks;
  expect(read?.id).toBeNull();
  expect(read?.command).toMatch(/^echo red {3}x+…$/);
  expect([read?.command.length, read?.schedule.length]).toEqual([1_000, 120]);
  expect(() => cron.readList(answer([{ id: 1 }]))).toThrow(UnreadableOutputError);
  expect(() => cron.readList({ exitCode: 0, stdout: 'App', stderr: '' })).toThrow(UnreadableOutputError);
});

test('a refusal is Dokku’s own line alone, and not what a task prints', () => {
  const failed = (stdout: string, stderr: string) => ({ exitCode: 1, stdout, stderr });
  expect(cron.refusalOf(recorded('cron', 'run, unknown id'))).toBe('missing');
  const lock = ' !     hello currently has a cron lock in place for abc. Exiting...\n';
  expect(cron.refusalOf(failed('', lock))).toBe('running');
  expect(cron.refusalOf(failed('one\ntwo\nthree\n', lock))).toBeNull();
  expect(cron.refusalOf(failed('boom\n', ''))).toBeNull();
  expect(cron.refusalOf(recorded('cron', 'run'))).toBeNull();
});

test.each([
  ['Europe/Berlin\n', 'Europe/Berlin'],
  ['America/Argentina/Buenos_Aires\n', 'America/Argentina/Buenos_Aires'],
  ['Etc/GMT+5\n', 'Etc/GMT+5'],
  ['UTC\n', 'UTC'],
  ['+0530\n', '+05:30'],
  ['-0300\n', '-03:00'],
  ['', null],
  ['$(id)\n', null],
  [`${'A'.repeat(65)}\n`, null],
])('the time zone %j is read as %s', (stdout, zone) => {
  expect(zoneOf({ exitCode: 0, stdout, stderr: '' })).toBe(zone);
  expect(zoneOf({ exitCode: 1, stdout, stderr: '' })).toBeNull();
});
