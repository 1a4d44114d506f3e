import { expect, test } from 'vitest';
import { middleOf, scalePicture } from './scale-picture.ts';

test('the middle of a picture is a square of at most 256 pixels', () => {
  expect(middleOf({ width: 4_000, height: 3_000 })).toEqual({ left: 500, top: 0, side: 3_000, pixels: 256 });
  expect(middleOf({ width: 300, height: 900 })).toEqual({ left: 0, top: 300, side: 300, pixels: 256 });
  expect(middleOf({ width: 40, height: 50 })).toEqual({ left: 0, top: 5, side: 40, pixels: 40 });
});

test('a file above 32 MB is refused before it is opened', async () => {
  const file = new Blob([new Uint8Array(32 * 1024 * 1024 + 1)]);
  expect(await scalePicture(file)).toEqual({
    kind: 'refused',
    reason: 'This file is larger than 32 MB. Choose a smaller picture.',
  });
});
