import { PassThrough } from 'node:stream';
import { createLog } from '@homeport/api/log';
import pretty from 'pino-pretty';
import { expect, test } from 'vitest';

test('a log line for people holds no control characters', () => {
  const hostile = 'a\u001b[2J\r\bb\u009b2Jc\u007f\u202ed';
  const terminal = new PassThrough();
  const lines = pretty({ colorize: false, sync: true, destination: terminal });
  createLog('info', lines).error({ err: new Error(hostile) }, hostile);
  const text = String(terminal.read());
  expect(text).toContain('a\\u001b[2J\\r\\bb\\u009b2Jc\\u007f\\u202ed');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for control characters
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
});
