import { expect, test } from 'vitest';
import { deployWords } from './deploy-words.ts';

const commit = { sha: 'a'.repeat(40), title: 'Show the tide', author: 'Ines' };

test('a push shows its message and its author', () => {
  expect(deployWords({ source: 'git-hook', commit })).toEqual({ title: 'Show the tide', facts: ['by Ines'] });
});

test('another way stands beside the commit', () => {
  expect(deployWords({ source: 'ps:rebuild', commit })).toEqual({
    title: 'Show the tide',
    facts: ['by Ines', 'rebuild'],
  });
});

test.each([null, { sha: commit.sha, title: null, author: null }])(
  'a deploy without a message is named after the way: %o',
  (unknown) => {
    expect(deployWords({ source: 'git-hook', commit: unknown })).toEqual({ title: 'Push', facts: [] });
  },
);

test('the message that Dokku writes for an archive is not shown', () => {
  const dokkus = { ...commit, title: 'Automated commit @ 1795539600', author: 'Dokku' };
  expect(deployWords({ source: 'git:from-archive', commit: dokkus })).toEqual({
    title: 'Files from an archive',
    facts: [],
  });
});

test('a way that Dokku names anew is shown in Dokku’s word', () => {
  expect(deployWords({ source: 'git:from-mail', commit: null }).title).toBe('git:from-mail');
});
