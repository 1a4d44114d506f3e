import { expect, test } from 'vitest';
import { reportedUse, storageUse } from './storage-use.ts';

const mount = {
  hostPath: '/var/lib/dokku/data/storage/a',
  containerPath: '/app/a',
  usedBytes: 5,
  measuredAt: 20,
};

test('sums the folders, and takes the time of the oldest measurement', () => {
  expect(storageUse([mount, { ...mount, hostPath: '/srv/b', usedBytes: 7, measuredAt: 10 }])).toEqual({
    kind: 'known',
    bytes: 12,
    measuredAt: 10,
  });
});

test('one unreadable folder makes the sum unknown', () => {
  expect(storageUse([mount, { ...mount, hostPath: '/srv/b', usedBytes: null }])).toEqual({ kind: 'unknown' });
});

test('an app without folders differs from an app with empty folders', () => {
  expect(storageUse([])).toEqual({ kind: 'none' });
  expect(storageUse([{ ...mount, usedBytes: 0 }])).toMatchObject({ kind: 'known', bytes: 0 });
});

test('a folder that is mounted at two places counts once', () => {
  expect(storageUse([mount, { ...mount, containerPath: '/app/b' }])).toMatchObject({ bytes: 5 });
});

test('the agent’s figure stands in while the page is not connected, and nothing where the agent has none', () => {
  expect(reportedUse({ STORAGE: 7, storage_measured: 3 })).toEqual({
    kind: 'known',
    bytes: 7,
    measuredAt: 3,
  });
  expect(reportedUse({ STORAGE: null, storage_measured: null })).toBeNull();
});
