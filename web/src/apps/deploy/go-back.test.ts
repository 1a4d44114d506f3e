import type { KeptRelease } from '@homeport/contract/apps/releases/schema';
import type { Deploy } from '@homeport/contract/apps/settings-schema';
import { expect, test } from 'vitest';
import { runningDeploy, wayFrom, waysBack, wayTo } from './go-back.ts';

const deploy = (id: string, sha: string | null, changes: Partial<Deploy> = {}): Deploy => ({
  ...{ id, source: 'git-hook', status: 'succeeded', startedAt: 1, finishedAt: 2 },
  commit: sha === null ? null : { sha, title: id, author: 'Ines' },
  ...changes,
});
const ways = (...deploys: Deploy[]) => [...waysBack(deploys).keys()];

test('each earlier successful deploy with a commit is a way back, and what runs is none', () => {
  const history = [deploy('c', 'cc'), deploy('b', 'bb'), deploy('a', 'aa'), deploy('before', null)];
  expect(ways(...history)).toEqual(['b', 'a']);
  expect(runningDeploy(history)?.id).toBe('c');
});

test('a failed or running deploy is no way back, and of a commit only its newest deploy is', () => {
  expect(
    ways(
      deploy('e', 'ee', { status: 'running' }),
      deploy('d', 'cc'),
      deploy('x', 'xx', { status: 'failed' }),
      deploy('b', 'aa'),
      deploy('a', 'aa'),
      deploy('c', 'cc'),
    ),
  ).toEqual(['b']);
});

test('after a failed deploy the commit that runs is a way back, because the branch can stand elsewhere', () => {
  expect(ways(deploy('c', 'aa', { status: 'failed' }), deploy('b', 'bb'), deploy('a', 'aa'))).toEqual([
    'b',
    'a',
  ]);
});

test('new variables restart what runs', () => {
  const history = [deploy('v', null, { source: 'config-redeploy' }), deploy('b', 'bb'), deploy('a', 'aa')];
  expect([runningDeploy(history)?.id, ways(...history)]).toEqual(['b', ['a']]);
});

test('of a deploy without a noted commit nobody knows what runs', () => {
  const history = [deploy('unknown', null), deploy('a', 'aa')];
  expect([runningDeploy(history), ways(...history)]).toEqual([null, ['a']]);
});

test('an image is no way back, and from an image there is none', () => {
  const image = deploy('image', 'ii', { source: 'git:from-image' });
  expect(ways(deploy('b', 'bb'), image, deploy('a', 'aa'))).toEqual(['a']);
  expect(ways(image, deploy('a', 'aa'))).toEqual([]);
});

test('the commit that runs stays a way back after a failed or cancelled deploy, also when variables changed since', () => {
  const variables = deploy('v', null, { source: 'config-redeploy' });
  for (const status of ['failed', 'canceled'] as const)
    expect(ways(variables, deploy('c', 'aa', { status }), deploy('b', 'bb'))).toEqual(['b']);
});

const release = (id: string, sha: string | null, changes: Partial<KeptRelease> = {}): KeptRelease => ({
  ...{ id, keptAt: 5, bytes: 1, serving: false, holdsVariables: false },
  commit: sha === null ? null : { sha, title: id, author: 'Ines' },
  ...changes,
});
const releasesOf = (...kept: KeptRelease[]) => ({ kept, known: true, cutOff: null });

test('a deploy whose version the server keeps leads to that version, and to a build of its commit', () => {
  const history = [deploy('c', 'cc'), deploy('b', 'bb'), deploy('a', 'aa')];
  const releases = releasesOf(release('c', 'cc', { serving: true }), release('b', 'bb'));
  const ways = history.map((each) => wayFrom(history, releases, each));
  expect(ways.map((way) => way && [way.release?.id ?? null, way.builds])).toEqual([
    null,
    ['b', true],
    [null, true],
  ]);
});

test('a later deploy of the commit leads to the version that was kept of it', () => {
  const history = [deploy('d', 'cc'), deploy('b2', 'bb'), deploy('b1', 'bb')];
  const releases = releasesOf(release('b1', 'bb'));
  expect(wayFrom(history, releases, history[1] as Deploy)?.release?.id).toBe('b1');
});

test('an image without a commit leads back where it is kept, and cannot be built', () => {
  const image = deploy('image', null, { source: 'git:from-image' });
  const history = [deploy('b', 'bb'), image];
  expect(wayFrom(history, releasesOf(), image)).toBe(null);
  expect(wayFrom(history, releasesOf(release('image', null)), image)).toMatchObject({
    sha: null,
    builds: false,
    release: { id: 'image' },
  });
});

test('a kept version whose record is gone leads back without a build', () => {
  const gone = release('gone', 'aa');
  const releases = releasesOf(gone);
  expect(wayTo([deploy('b', 'bb')], releases, gone)).toEqual({
    ...{ title: 'gone', facts: ['by Ines'], sha: 'aa', at: 5, builds: false, endsEarlier: false },
    release: gone,
  });
  expect(wayTo([deploy('b', 'bb'), deploy('a', 'aa')], releases, gone)?.builds).toBe(true);
});

test('after a going-back that was cut off the app goes back to the version that serves, too', () => {
  const serves = release('a', 'aa', { serving: true });
  const history = [deploy('a', 'aa')];
  const releases = releasesOf(serves);
  expect([wayTo(history, releases, serves), wayFrom(history, releases, history[0] as Deploy)]).toEqual([
    null,
    null,
  ]);
  const half = { ...releases, cutOff: 'b' };
  expect(wayTo(history, half, serves)).toMatchObject({ endsEarlier: true });
  expect(wayFrom(history, half, history[0] as Deploy)).toMatchObject({ endsEarlier: true });
});
