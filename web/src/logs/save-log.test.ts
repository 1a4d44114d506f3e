import { expect, it } from 'vitest';
import { fileLine, logFileName } from './save-log.ts';

const at = Date.UTC(2026, 10, 21, 14, 6, 11, 250);

it('names the file after the app and the time, in characters that every system takes', () => {
  expect(logFileName('ledger-api-x7k2p9-web', at)).toBe('ledger-api-x7k2p9-web-2026-11-21T14-06-11Z.log');
});

it('writes each line with its time and without colour codes, and marks our own notes', () => {
  expect(fileLine({ number: 1, at, text: 'web.1  \u001b[31mno\u001b[0m' })).toBe(
    '2026-11-21T14:06:11.250Z web.1  no',
  );
  expect(fileLine({ number: 2, text: 'no time' })).toBe('no time');
  expect(fileLine({ number: 3, text: 'Lines may be missing here', kind: 'rule' })).toBe(
    '--- Lines may be missing here ---',
  );
});
