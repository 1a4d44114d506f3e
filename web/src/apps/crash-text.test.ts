import { expect, test } from 'vitest';
import { crashText } from './crash-text.ts';

const ended = { name: 'web.1', exitCode: 1, restarts: 0, outOfMemory: false };

test.each([
  [[], 'The app ended, and nobody stopped it.'],
  [[ended], 'web.1 ended with exit code 1.'],
  [[{ ...ended, restarts: 1 }], 'web.1 ended with exit code 1 after 1 restart.'],
  [
    [
      { ...ended, exitCode: 137, outOfMemory: true, restarts: 10 },
      { ...ended, name: 'worker.1' },
    ],
    'web.1 ended with exit code 137 (out of memory) after 10 restarts. worker.1 ended with exit code 1.',
  ],
])('a crash says which processes ended, and how', (processes, text) => {
  expect(crashText({ processes })).toBe(text);
});
