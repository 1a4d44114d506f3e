import { describe, expect, it } from 'vitest';
import { appendLines, emptyLog, findLines, keptLines, logText, splitChunk } from './log-lines.ts';

describe('a log that grows', () => {
  it('numbers its lines over the whole stream', () => {
    const log = appendLines(appendLines(emptyLog, [{ text: 'a' }, { text: 'b' }]), [{ text: 'c' }]);
    expect(log.lines.map((line) => line.number)).toEqual([1, 2, 3]);
    expect(log.dropped).toBe(false);
  });
  it('keeps the newest 10,000 and says that earlier ones were dropped', () => {
    const many = Array.from({ length: keptLines + 5 }, (_, index) => ({ text: String(index) }));
    const log = appendLines(emptyLog, many);
    expect(log.lines).toHaveLength(keptLines);
    expect(log.lines[0]).toMatchObject({ number: 6, text: '5' });
    expect(log.dropped).toBe(true);
    expect(appendLines(log, [{ text: 'next' }]).lines.at(-1)?.number).toBe(keptLines + 6);
  });
});

describe('raw chunks', () => {
  it('are cut into lines, the open end kept for the next chunk', () => {
    expect(splitChunk('', 'one\ntw')).toEqual({ lines: ['one'], rest: 'tw' });
    expect(splitChunk('tw', 'o\r\nthree')).toEqual({ lines: ['two'], rest: 'three' });
  });
});

describe('searching and copying', () => {
  const { lines } = appendLines(emptyLog, [
    { text: '\u001b[31mError\u001b[0m: disk' },
    { text: 'fine' },
    { text: 'an error' },
  ]);
  it('looks through colour codes and case', () => {
    expect(findLines(lines, 'ERROR')).toEqual([0, 2]);
    expect(findLines(lines, '')).toEqual([]);
  });
  it('copies the words alone', () => {
    expect(logText(lines)).toBe('Error: disk\nfine\nan error');
  });
});
