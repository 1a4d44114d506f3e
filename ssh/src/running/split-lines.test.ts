import { describe, expect, it } from 'vitest';
import { splitLines } from './split-lines.ts';

const linesOf = (texts: string[], atMost?: number) => {
  const lines: string[] = [];
  const splitter = splitLines((line) => lines.push(line), atMost);
  for (const text of texts) splitter.write(text);
  splitter.end();
  return lines;
};

describe('splitLines', () => {
  it('makes the same lines wherever the text is cut', () => {
    const text = 'one\r\ntwo\n\nfour';
    for (let cut = 0; cut <= text.length; cut += 1) {
      expect(linesOf([text.slice(0, cut), text.slice(cut)])).toEqual(['one', 'two', '', 'four']);
    }
  });

  it('adds no empty line after a final line end', () => {
    expect(linesOf(['one\n'])).toEqual(['one']);
  });

  it('hands an endless line over in pieces', () => {
    expect(linesOf(['abcdefg'], 3)).toEqual(['abc', 'def', 'g']);
  });
});

describe('splitLines that cuts', () => {
  const cut = (texts: readonly string[]) => {
    const lines: string[] = [];
    const splitter = splitLines((line) => lines.push(line), 3, 'cut');
    for (const text of texts) splitter.write(text);
    splitter.end();
    return lines;
  };

  it('hands over only the beginning of a long line', () => {
    expect(cut(['abcdefg\nhi\r\nabc', 'def'])).toEqual(['abc', 'hi', 'abc']);
  });

  it('reads each character of a line without an end once', () => {
    const used = (parts: number) => {
      const part = 'x'.repeat(32_768);
      const splitter = splitLines(() => {}, 4_000, 'cut');
      const before = process.cpuUsage().user;
      for (let n = 0; n < parts; n += 1) splitter.write(part);
      return process.cpuUsage().user - before;
    };
    used(1_000);
    // An earlier version split the kept line again for each part, so ten times the text took a hundred times as long.
    expect(used(30_000)).toBeLessThan(30 * Math.max(used(3_000), 3_000));
  });
});
