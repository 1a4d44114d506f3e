import { expect, test } from 'vitest';
import { storageFolders, wordsToDestroy } from './removable-storage.ts';

const mb = 1024 * 1024;
const mounts = [
  { hostPath: '/data/a', removable: true, usedBytes: 3 * mb },
  { hostPath: '/data/a', removable: true, usedBytes: 3 * mb },
  { hostPath: '/data/b', removable: true, usedBytes: null },
  { hostPath: 'volume', removable: false, usedBytes: null },
];

test('lists each folder once, with its size where that is known', () => {
  expect(storageFolders(mounts)).toEqual([
    { hostPath: '/data/a', removable: true, size: expect.stringMatching(/^3(\.0)? MB$/) },
    { hostPath: '/data/b', removable: true, size: 'size not known' },
    { hostPath: 'volume', removable: false, size: 'size not known' },
  ]);
});

test('the words to type name the size of what is deleted', () => {
  expect(wordsToDestroy(mounts, new Set())).toBe('destroy');
  expect(wordsToDestroy(mounts, new Set(['/data/a']))).toMatch(/^destroy and delete 3(\.0)? MB$/);
  expect(wordsToDestroy(mounts, new Set(['/data/a', '/data/b']))).toBe('destroy and delete storage');
});
