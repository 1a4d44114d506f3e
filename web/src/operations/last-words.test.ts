import { expect, test } from 'vitest';
import { lastWords } from './last-words.ts';

test.each([
  ['', null],
  ['\n \n', null],
  ['-----> Building\nstep 2\n', 'step 2'],
  ['\u001b[1G !     App build failed\nparallel: This job failed:\n/tmp/x\n', 'App build failed'],
  [' !     one\n !     two\n', 'two'],
  [`${'x'.repeat(300)}\n`, `${'x'.repeat(200)}…`],
])('of %j the last words are %j', (output, words) => {
  expect(lastWords(output)).toBe(words);
});
