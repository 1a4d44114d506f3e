import { expect, test } from 'vitest';
import { createLog } from './log.ts';

/** The error text of a hostile server: it sets a title, clears the screen and reverses its text. */
const hostile = 'a\u001b[2J\rb\u009b2Jc\u007f\u202ed\u200b\u{e0061}';
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for control characters
const obeyed = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u200b]/;

test('a line of the log holds no control characters, and spells out those that there were', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => lines.push(line) });
  log.warn({ err: new Error(hostile), name: hostile }, hostile);
  log.info('a backslash \\u001b and "quotes"\n on two lines');
  expect(lines.join('')).not.toMatch(obeyed);
  const [first, second] = lines.map((line) => JSON.parse(line));
  const shown = 'a\\u001b[2J\\rb\\u009b2Jc\\u007f\\u202ed\\u200b\\udb40\\udc61';
  expect(first).toMatchObject({ msg: shown, name: shown, err: { message: shown } });
  expect(second.msg).toBe('a backslash \\u001b and "quotes"\n on two lines');
});
