import { expect, it } from 'vitest';
import { FrameBoundaries } from './frame-boundaries.ts';

const frame = (opcode: number, length: number, isLast = true) => {
  const kind = (isLast ? 0x80 : 0) | opcode;
  const head =
    length < 126
      ? [kind, length]
      : length < 65_536
        ? [kind, 126, length >> 8, length & 255]
        : [
            kind,
            127,
            0,
            0,
            0,
            0,
            (length >>> 24) & 255,
            (length >> 16) & 255,
            (length >> 8) & 255,
            length & 255,
          ];
  return Buffer.concat([Buffer.from(head), Buffer.alloc(length, 0x8a)]);
};

it.each([1, 3, 1_000, 1_000_000])('knows the end of each frame, in pieces of %d bytes', (piece) => {
  const frames = [
    frame(1, 0),
    frame(2, 125, false),
    frame(0, 126),
    frame(9, 5),
    frame(2, 70_000),
    frame(10, 0),
  ];
  const bytes = Buffer.concat(frames);
  const ends = new Set([0]);
  for (const { length } of frames) ends.add(Math.max(...ends) + length);
  const boundaries = new FrameBoundaries();
  for (let at = 0; at < bytes.length; at += piece) {
    boundaries.read(bytes.subarray(at, at + piece));
    const read = Math.min(bytes.length, at + piece);
    if (boundaries.isBetween !== ends.has(read) || boundaries.isInside === ends.has(read))
      throw new Error(`wrong after ${read} bytes`);
  }
  expect(boundaries.isBetween).toBe(true);
});

it.each([
  ['another opcode', [0x83, 0]],
  ['a masked frame', [0x81, 0x80]],
  ['a control frame in parts', [0x09, 0]],
  ['a long control frame', [0x89, 126]],
  ['a length that no number holds', [0x82, 127, 255, 255, 255, 255, 255, 255, 255, 255]],
  ['words', [...Buffer.from('HTTP/1.1')]],
])('takes %s for no frames, whatever follows', (_what, bytes) => {
  const boundaries = new FrameBoundaries();
  boundaries.read(Buffer.from([...bytes, 0x81, 0]));
  expect(boundaries).toMatchObject({ isBroken: true, isBetween: false, isInside: false });
});

it('puts nothing behind a close frame', () => {
  const boundaries = new FrameBoundaries();
  boundaries.read(frame(8, 2));
  expect(boundaries).toMatchObject({ hasClosed: true, isBetween: false, isInside: false });
});
