import { expect, test } from 'vitest';
import { uploadRefusal } from './dump-texts.ts';

test('a file is refused before it is sent when it is empty or the server has no room for it', () => {
  expect(uploadRefusal(0, 10)).toBe('The file is empty.');
  expect(uploadRefusal(2_000_000_000, 1_000_000_000)).toContain('Nothing was sent.');
  expect(uploadRefusal(2_000_000_000_000, null)).toContain('at most');
  expect(uploadRefusal(5, null)).toBeNull();
  expect(uploadRefusal(5, 5)).toBeNull();
});
