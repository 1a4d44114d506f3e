import { expect, test } from 'vitest';
import { formatClock, formatDateTime } from '../../../ui/text/format.ts';
import { noticeText } from './notice-text.ts';

const minute = 60_000;
const now = Date.UTC(2026, 10, 16, 14, 5);
const at = (minutesAgo: number) => now - minutesAgo * minute;
const context = { now, firstReport: at(57), locale: 'en-GB' };
const clock = (time: number) => formatClock(time, 'en-GB');

test('a crossed threshold gives the threshold, the value and the time', () => {
  const notice = { kind: 'usage', band: 'warning', of: 'disk', percent: 83, since: at(57) } as const;
  expect(noticeText(notice, context)).toEqual({
    title: 'Disk usage is above 80\u202f%',
    detail: `83.0\u202f%. Since ${clock(at(57))}.`,
  });
});

test('a threshold that was crossed before the first known report says so', () => {
  const notice = { kind: 'usage', band: 'danger', of: 'ram', percent: 90, since: null } as const;
  expect(noticeText(notice, context)).toEqual({
    title: 'RAM usage is at 90\u202f%',
    detail: `90.0\u202f%. Since ${clock(at(57))} or earlier.`,
  });
});

test('a gap gives its start, its end and its length', () => {
  expect(noticeText({ kind: 'gap', band: 'info', from: at(33), to: at(21) }, context)).toEqual({
    title: `No stats from ${clock(at(33))} to ${clock(at(21))}`,
    detail: 'The monitor received nothing for 12 min.',
  });
});

test('a server that has been offline for days is named with the date', () => {
  const since = at(3 * 24 * 60);
  expect(noticeText({ kind: 'offline', band: 'danger', since }, context).title).toBe(
    `Offline since ${formatDateTime(since, 'en-GB')}`,
  );
});
