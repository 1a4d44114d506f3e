import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { checksumHere, startChecksum } from './checksum.ts';

const lengths = [1, 0, 32 * 1024, 5 * 1024 * 1024, 1024 * 1024, 3, 1024 * 1024 - 3, 70_000];
const pieces = lengths.map((length) => randomBytes(length));
const expected = createHash('sha256').update(Buffer.concat(pieces)).digest('hex');

describe.each([
  ['in a thread of its own', startChecksum],
  ['in this thread', checksumHere],
])('a checksum computed %s', (_where, start) => {
  test('is that of the pieces in their order, whether or not somebody waits between them', async () => {
    await using waited = start();
    for (const piece of pieces) await waited.update(piece);
    expect(await waited.digest()).toBe(expected);
    await using hurried = start();
    for (const piece of pieces) void hurried.update(piece);
    expect(await hurried.digest()).toBe(expected);
  });

  test('of nothing is that of nothing', async () => {
    await using checksum = start();
    expect(await checksum.digest()).toBe(createHash('sha256').digest('hex'));
  });
});

test('a thread that falls behind makes the sender wait', async () => {
  await using checksum = startChecksum();
  let waits = 0;
  for (let n = 0; n < 16; n += 1) {
    const taken = checksum.update(Buffer.alloc(1024 * 1024));
    if (taken) waits += 1;
    if (n > 8) await taken;
  }
  expect(waits).toBeGreaterThan(0);
  expect(await checksum.digest()).toBe(
    createHash('sha256')
      .update(Buffer.alloc(16 * 1024 * 1024))
      .digest('hex'),
  );
});

test('a thread that is ended before its checksum lets everybody go', async () => {
  const checksum = startChecksum();
  const taken = Array.from({ length: 8 }, () => checksum.update(Buffer.alloc(1024 * 1024)));
  await checksum[Symbol.asyncDispose]();
  await Promise.all(taken);
  for (let n = 0; n < 8; n += 1) await checksum.update(Buffer.alloc(1024 * 1024));
  await expect(checksum.digest()).rejects.toThrow('ended early');
});
