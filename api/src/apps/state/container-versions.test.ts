import { expect, test } from 'vitest';
import { versionsOf } from './container-versions.ts';

const [first, second] = ['1'.repeat(40), '2'.repeat(40)];
const build = (id: string, startedAt: number, finishedAt: number | null) =>
  ({ id, startedAt, finishedAt }) as Parameters<typeof versionsOf>[0]['builds'][number];
const commit = (of: string, sha: string, title: string) => ({
  build: of,
  commit: sha,
  author: 'Ada',
  title,
  back: false,
  image: false,
});
const container = (id: string, image: string, createdAt: number) => ({ id, image, createdAt });

test('a container has the commit of the deploy that made it, and so has each other container of its image', () => {
  const versions = versionsOf({
    containers: [container('web', 'new', 35), container('worker', 'old', 15), container('clock', 'old', 22)],
    builds: [build('b', 30, null), build('a', 10, 20)],
    commits: [commit('b', second, 'Second'), commit('a', first, 'First')],
    // A rebuild after a refused push leaves GIT_REV at the refused commit.
    revisions: new Map([['clock', second]]),
  });
  expect(Object.fromEntries(versions)).toEqual({
    web: { image: 'new', sha: second, title: 'Second' },
    worker: { image: 'old', sha: first, title: 'First' },
    clock: { image: 'old', sha: first, title: 'First' },
  });
});

test('without a noted commit a container says it of itself, or nothing', () => {
  const versions = versionsOf({
    containers: [container('web', 'a', 35), container('worker', 'b', 5)],
    builds: [build('b', 30, null)],
    commits: [],
    revisions: new Map([['web', second]]),
  });
  expect([...versions.values()]).toEqual([
    { image: 'a', sha: second, title: null },
    { image: 'b', sha: null, title: null },
  ]);
});
