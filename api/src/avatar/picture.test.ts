import { avatarBytes } from '@homeport/contract/account/facts';
import { expect, test } from 'vitest';
import { smallestPng } from '../testing/plant.ts';
import { readPicture } from './picture.ts';

const png = (width: number, height: number) => {
  const bytes = Buffer.from(smallestPng, 'base64');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
};

/** Segments before the frame, then the frame's header. */
const jpeg = (
  width: number,
  height: number,
  frame = 0xc2,
  before = Buffer.from([0xff, 0xe0, 0, 4, 1, 2]),
) => {
  const header = Buffer.from([0xff, 0xff, frame, 0, 17, 8, 0, 0, 0, 0, 3, 1, 0x22, 0, 2, 0x11, 1]);
  header.writeUInt16BE(height, 6);
  header.writeUInt16BE(width, 8);
  return Buffer.concat([Buffer.from([0xff, 0xd8]), before, header]);
};

const webp = (chunk: string, body: number[]) =>
  Buffer.concat([
    Buffer.from(`RIFF\0\0\0\0WEBP${chunk}\0\0\0\0`, 'latin1'),
    Buffer.from([...body, ...Array.from({ length: 16 }, () => 0)]),
  ]);
const lossy = (width: number, height: number) =>
  webp('VP8 ', [0, 0, 0, 0x9d, 0x01, 0x2a, width & 255, width >> 8, height & 255, height >> 8]);
const lossless = (width: number, height: number) => {
  const both = Buffer.alloc(4);
  both.writeUInt32LE((width - 1) | ((height - 1) << 14));
  return webp('VP8L', [0x2f, ...both]);
};
const extended = (width: number, height: number) =>
  webp('VP8X', [
    0,
    0,
    0,
    0,
    (width - 1) & 255,
    (width - 1) >> 8,
    0,
    (height - 1) & 255,
    (height - 1) >> 8,
    0,
  ]);

const makers = [
  ['image/png', png],
  ['image/jpeg', jpeg],
  ['image/webp', lossy],
  ['image/webp', lossless],
  ['image/webp', extended],
] as const;

test.each(makers)('%s is known by its first bytes, up to 1,600 pixels each way', (type, make) => {
  for (const [width, height] of [
    [1, 1],
    [256, 200],
    [1_600, 1_600],
  ] as const)
    expect(readPicture(make(width, height))).toMatchObject({ type });
  expect(readPicture(make(1_601, 10))).toEqual({ refused: 'too_large' });
  expect(readPicture(make(10, 1_601))).toEqual({ refused: 'too_large' });
});

test.each(makers)('%s that ends within its header is no picture', (_type, make) => {
  const whole = make(256, 200);
  for (let bytes = 0; bytes < 17; bytes += 1)
    expect(readPicture(whole.subarray(0, bytes))).toEqual({ refused: 'no_picture' });
});

test('what a browser would run, or cannot show, is no picture', () => {
  const texts = [
    '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
    '<!doctype html><script>',
    'GIF89a',
  ];
  for (const text of texts) expect(readPicture(Buffer.from(text))).toEqual({ refused: 'no_picture' });
  expect(readPicture(png(0, 10))).toEqual({ refused: 'no_picture' });
  // A table of Huffman codes, not a frame.
  expect(readPicture(jpeg(10, 10, 0xc4))).toEqual({ refused: 'no_picture' });
  expect(readPicture(jpeg(10, 10, 0xc0, Buffer.from([0xff, 0xe0, 0, 0])))).toEqual({ refused: 'no_picture' });
});

test('a file above 256 KB is refused unread, and one full of empty segments is read to its end', () => {
  expect(readPicture(Buffer.alloc(avatarBytes + 1))).toEqual({ refused: 'too_long' });
  const segments = Buffer.concat(
    Array.from({ length: avatarBytes / 4 - 10 }, () => Buffer.from([0xff, 0xe0, 0, 2])),
  );
  expect(readPicture(jpeg(10, 10, 0xc0, segments))).toMatchObject({ type: 'image/jpeg' });
  expect(readPicture(Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(200_000, 0xff)]))).toEqual({
    refused: 'no_picture',
  });
});
