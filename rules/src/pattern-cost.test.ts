import { proxyLimits } from '@homeport/contract/proxies/facts';
import { RE2JS } from 're2js';
import { describe, expect, it, test } from 'vitest';
import { compileRule, compileSite } from './compile-site.ts';
import type { RuleDefinition } from './definition.ts';
import { estimateInstructions, longestPath } from './pattern-cost.ts';
import { resolvePath } from './resolve-path.ts';

const bomb = `^/${'(?:.?){999}'.repeat(22)}$`;
const rule = (id: string, pathRewriteSrc: string): RuleDefinition => ({
  ...{ id, path: '/', type: 'simple', target: 'https://a.example.net', xForwardedHost: '' },
  ...{ proxyPathPrefix: '', pathRewriteSrc, pathRewriteDest: '/x', injection: '' },
});
const problemOf = (src: string) => {
  const compiled = compileRule(rule('a', src), 'example.com');
  return 'problems' in compiled ? compiled.problems.map(({ code }) => code) : null;
};
/** Processor time, of the best of some tries: other programs may use the machine. */
function leastMs(work: () => void, tries = 5): number {
  return Math.min(
    ...Array.from({ length: tries }, () => {
      const before = process.cpuUsage();
      work();
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000;
    }),
  );
}

describe('a pattern', () => {
  it('of 245 letters that would compile to 22,000 instructions is refused before it is compiled', () => {
    expect(bomb.length).toBeLessThanOrEqual(proxyLimits.rewriteLength);
    expect(problemOf(bomb)).toEqual(['rewrite_size']);
    expect(leastMs(() => problemOf(bomb))).toBeLessThan(5);
  });

  it('has at most its number of instructions', () => {
    const most = proxyLimits.patternInstructions;
    const size = (count: number) => RE2JS.compile(`^/a{${count}}`).programSize();
    const fits = most - (size(100) - 100);
    expect(size(fits)).toBe(most);
    expect(problemOf(`^/a{${fits}}`)).toBeNull();
    expect(problemOf(`^/a{${fits + 1}}`)).toEqual(['rewrite_size']);
  });

  it('that people write has room', () => {
    for (const src of [
      '^/blog/(\\d{4})/(\\d{2})/(.*)$',
      '^/(en|de|fr|es|it|pt|nl)/products/([a-z0-9-]+)\\.html$',
      '^/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/(.*)',
    ]) {
      expect(problemOf(src)).toBeNull();
      expect(longestPath(RE2JS.compile(src).programSize())).toBeGreaterThan(1_000);
    }
  });

  it('takes a path as long as its instructions allow, and a longer one is refused', () => {
    const compiled = compileSite({
      ...{ id: 'p', domain: 'example.com', source: 'https://s.example.net' },
      records: [rule('a', '^/(.*a.*){10}')],
    });
    if (!('site' in compiled)) throw new Error('does not compile');
    const longest = longestPath(RE2JS.compile('^/(.*a.*){10}').programSize());
    expect(resolvePath(compiled.site, `/${'a'.repeat(longest - 1)}`)?.upstream).toBe('/x');
    expect(resolvePath(compiled.site, `/${'a'.repeat(longest)}`)).toBeNull();
  });

  test.each([
    '^/(.*a.*){10}x',
    '^/(?:.?){80}$',
    '^(?:.*){40}!',
    '^/.*(a|b).{80}x',
    '^/(?:[^a]?(?:([^/]{10}(?i:a)*)*(\\w{3}\\w)?(?:$?|(?i:a)??[ab]??)*)?\\b+\\pL)*$',
    `^/${'(?:a|b|ab)?'.repeat(22)}!`,
  ])('%s takes no path longer than 20 ms', (src) => {
    const compiled = compileSite({
      ...{ id: 'p', domain: 'example.com', source: 'https://s.example.net' },
      records: [rule('a', src)],
    });
    if (!('site' in compiled)) throw new Error('does not compile');
    const { site } = compiled;
    const longest = longestPath(RE2JS.compile(src).programSize());
    for (const letters of ['a', 'ab', 'b/'])
      for (const length of [longest, proxyLimits.urlBytes]) {
        const path = `/${letters.repeat(length)}`.slice(0, length);
        expect(leastMs(() => resolvePath(site, path))).toBeLessThan(20);
      }
  });
});

test('the patterns of one proxy have a share together', () => {
  const many = (count: number) =>
    compileSite({
      ...{ id: 'p', domain: 'example.com', source: 'https://s.example.net' },
      records: Array.from({ length: count }, (_, index) => rule(`r${index}`, '^/a{200}b')),
    });
  const each = RE2JS.compile('^/a{200}b').programSize();
  const most = Math.floor(proxyLimits.patternInstructionsOfProxy / each);
  expect(many(most)).toHaveProperty('site');
  expect(many(most + 1)).toMatchObject({
    problems: [{ rule: `r${most}`, field: 'pathRewriteSrc', code: 'rewrite_together' }],
  });
});

describe('the estimate', () => {
  test.each([
    ['^/abc', 4],
    ['^/a{10}', 11],
    ['^/(?:a{10}){10}', 101],
    ['^/(?i:ab){3,7}x', 16],
    ['^/[a-z{5}]{4}', 5],
    ['^/\\Qa{5}\\E', 5],
    ['^/a\\{5}', 5],
    ['^/[]a]b', 3],
    ['^/\\x{41}{3}', 4],
    ['^/\\pL{3}', 49],
    ['^/[[:alpha:]x]{2}', 3],
  ])('of %s is %i', (pattern, count) => {
    expect(estimateInstructions(pattern)).toBe(count);
  });
});
