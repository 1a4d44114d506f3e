import { expect, test } from 'vitest';
import { sharableFolders } from './sharable-folders.ts';

test('a folder is offered once, with every place that it has in the app', () => {
  expect(
    sharableFolders([
      { hostPath: '/srv/a', containerPath: '/app/a' },
      { hostPath: '/srv/b', containerPath: '/app/b' },
      { hostPath: '/srv/a', containerPath: '/app/c' },
    ]),
  ).toEqual([
    { hostPath: '/srv/a', places: ['/app/a', '/app/c'] },
    { hostPath: '/srv/b', places: ['/app/b'] },
  ]);
  expect(sharableFolders([])).toEqual([]);
});
