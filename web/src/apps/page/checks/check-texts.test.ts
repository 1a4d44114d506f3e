import { expect, test } from 'vitest';
import { snippet } from './check-texts.ts';

test('the snippet is a check that a deploy runs, of web alone', () => {
  expect(JSON.parse(snippet)).toEqual({
    healthchecks: { web: [expect.objectContaining({ type: 'startup', path: '/' })] },
  });
});
