import { expect, test } from 'vitest';
import { holdUntilMark } from './hold-until-mark.ts';

function start() {
  const lines: string[] = [];
  const hold = holdUntilMark('homeport-0a1b', (line) => lines.push(line));
  return {
    lines,
    read: (text: string) => hold.read(Buffer.from(text)).toString(),
    giveUp: () => hold.giveUp().toString(),
  };
}

test('nothing is shown up to the mark’s line, however it is cut, and everything behind it is', () => {
  const { lines, read } = start();
  const all = '$ printf homeport 0a1b\r\nhomeport-0a1b 12 web.1\r\n';
  for (const sign of all) expect(read(sign)).toBe('');
  expect(lines).toEqual(['homeport-0a1b 12 web.1\r']);
  expect(read('# homeport-0a1b 13 x\n')).toBe('# homeport-0a1b 13 x\n');
  expect(lines).toHaveLength(1);
});

test('what is no opening of a shell is shown at its end, or when it is too much', () => {
  const short = start();
  expect(short.read('sh: not found\r\n')).toBe('');
  expect(short.giveUp()).toBe('sh: not found\r\n');
  expect(short.giveUp()).toBe('');
  expect(short.read('more')).toBe('more');
  const long = start();
  const much = 'x'.repeat(40_000);
  expect(long.read(much)).toBe(much);
});
