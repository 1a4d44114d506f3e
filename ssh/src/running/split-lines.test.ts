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
  it('makes the same lines however the text is cut', () => {
    const text = 'one\r\ntwo\n\nfour';
    for (let cut = 0; cut <= text.length; cut += 1) {
      expect(linesOf([text.slice(0, cut), text.slice(cut)])).toEqual(['one', 'two', '', 'four']);
    }
  });

  it('says nothing more after a final line end', () => {
    expect(linesOf(['one\n'])).toEqual(['one']);
  });

  it('hands an endless line over in pieces', () => {
    expect(linesOf(['abcdefg'], 3)).toEqual(['abc', 'def', 'g']);
  });
});
