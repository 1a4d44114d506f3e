import { describe, expect, it } from 'vitest';
import { appendLines, emptyLog, gatherText, keptLines, lineText, logText } from './log-lines.ts';

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
  it('keeps as many as it is told to', () => {
    const log = appendLines(emptyLog, [{ text: 'a' }, { text: 'b' }, { text: 'c' }], 2);
    expect(log).toMatchObject({ dropped: true, nextNumber: 4, lines: [{ number: 2 }, { number: 3 }] });
    expect(appendLines(log, [{ text: 'd' }], 2).lines.map(({ text }) => text)).toEqual(['c', 'd']);
  });
});

it('is copied as plain text', () => {
  const { lines } = appendLines(emptyLog, [{ text: '\u001b[31mError\u001b[0m: disk' }, { text: 'fine' }]);
  expect(logText(lines)).toBe('Error: disk\nfine');
});

it('is collected whole, however long it is', async () => {
  const texts = Array.from({ length: 10_001 }, (_, index) => `line ${index}`);
  const { lines } = appendLines(
    emptyLog,
    texts.map((text) => ({ text })),
    20_000,
  );
  expect(await gatherText(lines, lineText)).toBe(texts.join('\n'));
});
