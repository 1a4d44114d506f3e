import { messages } from '@homeport/contract/messages';
import { expect, test } from 'vitest';
import { ruleChips } from './rule-chips.ts';
import { emptyRule, ruleProblems } from './rule-draft.ts';

const rule = { ...emptyRule, path: '/blog', target: 'blog.example.net' };

test('a rule needs a path and a target', () => {
  expect(ruleProblems(emptyRule)).toEqual({
    path: 'Enter a path such as /blog.',
    target: 'Enter the address of a website.',
  });
  expect(ruleProblems(rule)).toEqual({});
});

test('the path / is for simple rules only', () => {
  for (const path of ['/', ' / ', '/*']) {
    expect(ruleProblems({ ...rule, path, type: 'subdirectory' })).toEqual({
      path: messages.subdirectoryOfAll,
    });
    expect(ruleProblems({ ...rule, path })).toEqual({});
  }
});

test('HTML is bounded in bytes', () => {
  expect(ruleProblems({ ...rule, injection: 'é'.repeat(32_768) })).toEqual({});
  expect(ruleProblems({ ...rule, injection: `é${'é'.repeat(32_768)}` })).toHaveProperty('injection');
});

test('the chips say what a rule does', () => {
  const id = 'a';
  expect(ruleChips({ ...rule, id })).toEqual(['Simple']);
  const parts = {
    pathRewriteSrc: '/a',
    pathRewriteDest: '/',
    proxyPathPrefix: '/7',
    xForwardedHost: 'x.test',
  };
  expect(ruleChips({ ...rule, ...parts, id, type: 'subdirectory', injection: '<i>' })).toEqual([
    ...[
      'Subdirectory',
      'Prefix stripped',
      'Rewrite /a → /',
      'Path prefix /7',
      'Forwarded host set',
      'Injection',
    ],
  ]);
});
