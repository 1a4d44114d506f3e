import type { Deploy } from '@homeport/contract/apps/settings-schema';
import { expect, test } from 'vitest';
import { runningDeploy, waysBack } from './go-back.ts';

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
