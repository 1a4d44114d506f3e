import { describe, expect, it } from 'vitest';
import { type LogCursor, readCursor, writeCursor } from './log-cursor.ts';
import { placeAfter, type ReadLogLine, resumeLog } from './resume-log.ts';

const line = (at: number, nanos = 0, process = 'web.1'): ReadLogLine => ({ at, nanos, process });
const at = (place: { at: number; nanos?: number; count?: number }, complete = false): LogCursor => ({
  complete,
  places: new Map([['web.1', { nanos: 0, count: 1, ...place }]]),
});
const arrivals = (cursor: LogCursor | null, lines: readonly ReadLogLine[]) => {
  const log = resumeLog(cursor);
  return lines.map((each) => log.arrive(each));
};

describe('a log that is read again', () => {
  it('is all new to a first reader', () => {
    expect(arrivals(null, [line(1), line(2)])).toEqual(['fresh', 'fresh']);
  });
  it('goes on after the last line that was sent', () => {
    expect(arrivals(at({ at: 2 }), [line(1), line(2), line(3), line(4)])).toEqual([
      'seen',
      'seen',
      'fresh',
      'fresh',
    ]);
  });
  it('tells lines of one moment apart by their nanoseconds and by their count', () => {
    const cursor = at({ at: 2, nanos: 5, count: 2 });
    expect(arrivals(cursor, [line(2, 4), line(2, 5), line(2, 5), line(2, 5), line(2, 6)])).toEqual([
      'seen',
      'seen',
      'seen',
      'fresh',
      'fresh',
    ]);
  });
  it('recognises neighbouring lines whose times are out of order', () => {
    expect(arrivals(at({ at: 5 }), [line(4), line(7), line(5), line(6), line(8)])).toEqual([
      'seen',
      'seen',
      'seen',
      'fresh',
      'fresh',
    ]);
  });
  it('has a gap when it begins after the last line that was sent', () => {
    expect(arrivals(at({ at: 2 }), [line(3), line(4)])).toEqual(['after-gap', 'fresh']);
  });
  it('has no gap when the earlier containers were read to their end', () => {
    expect(arrivals(at({ at: 2 }, true), [line(3), line(4)])).toEqual(['anew', 'fresh']);
  });
  it('has a gap, and still sends lines, when the last line that was sent never comes again', () => {
    expect(arrivals(at({ at: 2_000 }), [line(1), line(60_000), line(60_001)])).toEqual([
      'seen',
      'after-gap',
      'fresh',
    ]);
  });
  it('keeps the processes apart, whichever comes first', () => {
    const cursor: LogCursor = {
      complete: false,
      places: new Map([
        ['web.1', { at: 9, nanos: 0, count: 1 }],
        ['worker.1', { at: 3, nanos: 0, count: 1 }],
      ]),
    };
    const lines = [line(9), line(3, 0, 'worker.1'), line(4, 0, 'worker.1'), line(5, 0, 'web.2'), line(10)];
    expect(arrivals(cursor, lines)).toEqual(['seen', 'seen', 'fresh', 'fresh', 'fresh']);
  });
  it('lets a line without a time follow the one before it', () => {
    const log = resumeLog(at({ at: 2 }));
    expect(log.arriveUntimed()).toBe('seen');
    log.arrive(line(2));
    expect(log.arriveUntimed()).toBe('seen');
    log.arrive(line(3));
    expect(log.arriveUntimed()).toBe('fresh');
    expect(resumeLog(null).arriveUntimed()).toBe('fresh');
  });
});

describe('the place of a reader', () => {
  it('counts the lines of its last moment', () => {
    const first = placeAfter(undefined, line(1, 2));
    expect(placeAfter(first, line(1, 2))).toEqual({ at: 1, nanos: 2, count: 2 });
    expect(placeAfter(first, line(1, 3))).toEqual({ at: 1, nanos: 3, count: 1 });
  });
  it('becomes a word and can be read back', () => {
    const cursor: LogCursor = {
      complete: true,
      places: new Map([
        ['web.1', { at: 1_795_245_905_123, nanos: 999_999, count: 40 }],
        ['cron-job.12', { at: 0, nanos: 0, count: 1 }],
      ]),
    };
    expect(readCursor(writeCursor(cursor))).toEqual(cursor);
    expect(readCursor(writeCursor({ complete: false, places: new Map() }))).toEqual({
      complete: false,
      places: new Map(),
    });
  });
  it.each([null, '', '17', 'open', 'open:web.1', 'open:web.1=zz', 'open:web.1=1.2.3,', 'later:web.1=1.2.3'])(
    'is none in %j',
    (text) => {
      expect(readCursor(text)).toBeNull();
    },
  );
});
