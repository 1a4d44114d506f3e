import { describe, expect, test } from 'vitest';
import { recorded } from '../../testing/transcript.ts';
import { appName } from '../names/app-name.ts';
import { processType } from '../names/process-type.ts';
import { UnreadableOutputError } from '../output.ts';
import { argvFor } from '../ways.ts';
import * as checks from './checks.ts';

const hello = appName('hello');
const types = [processType('web'), processType('worker')];

test.each([
  [checks.report(hello), 'dokku checks:report hello'],
  [checks.enableAll(hello), 'dokku checks:enable hello'],
  [checks.disable(hello, types), 'dokku checks:disable hello web,worker'],
  [checks.skip(hello, types), 'dokku checks:skip hello web,worker'],
  [checks.setRetireSeconds(hello, 0), 'dokku checks:set hello wait-to-retire 0'],
])('%j is the whole command', (command, expected) => {
  expect(argvFor({ kind: 'root' }, command).join(' ')).toBe(`env LC_ALL=C ${expected}`);
});

const answer = (disabled: string, skipped: string, seconds = '60') => ({
  exitCode: 0,
  stderr: '',
  stdout: `=====> hello checks information
       Checks computed wait to retire: ${seconds}
       Checks disabled list:           ${disabled}
       Checks global wait to retire:
       Checks skipped list:            ${skipped}
       Checks wait to retire:
`,
});
const modes = (disabled: string, skipped: string) => {
  const report = checks.readReport(answer(disabled, skipped));
  return ['web', 'worker'].map((type) => checks.modeOf(report, type));
};

describe('the report', () => {
  test('of a real server has nothing switched off, and a minute for old containers', () => {
    const report = checks.readReport(recorded('checks', 'report, one app'));
    expect(report.retireSeconds).toBe(60);
    expect(checks.modeOf(report, 'web')).toBe('checked');
    expect(checks.namesAll(report)).toBe(false);
  });

  test('names types or all of them; where both lists name one, its old containers stop first', () => {
    expect(modes('web', 'worker')).toEqual(['disabled', 'skipped']);
    expect(modes('_all_', 'worker')).toEqual(['disabled', 'disabled']);
    expect(modes('worker', '_all_')).toEqual(['skipped', 'disabled']);
    expect(checks.namesAll(checks.readReport(answer('none', '_all_')))).toBe(true);
  });

  test('names types one by one, those of all left out', () => {
    expect(checks.namedTypes(checks.readReport(answer('web,worker', '_all_')))).toEqual(['web', 'worker']);
    expect(checks.namedTypes(checks.readReport(answer('web,$(id)', 'web')))).toEqual(['web']);
  });

  test('has no time where Dokku holds another text', () => {
    for (const text of ['abc', '', '-1', '1.5', '9'.repeat(10)])
      expect(checks.readReport(answer('none', 'none', text)).retireSeconds).toBeNull();
    expect(checks.readReport(answer('none', 'none', '0')).retireSeconds).toBe(0);
  });

  test('of another form is refused', () => {
    expect(() => checks.readReport({ exitCode: 0, stdout: 'hello\n', stderr: '' })).toThrow(
      UnreadableOutputError,
    );
  });
});
