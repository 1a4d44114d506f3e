import { describe, expect, it } from 'vitest';
import { compileSite } from './compile-site.ts';
import { type ProxyDefinition, type RuleDefinition, sourceRuleId } from './definition.ts';
import { hostOfHeader } from './domain.ts';
import { resolvePath } from './resolve-path.ts';
import { warnAbout } from './warnings.ts';

const plain: RuleDefinition = {
  ...{
    id: 'r',
    path: '/a',
    type: 'simple',
    target: 'https://t.test',
    xForwardedHost: '',
    proxyPathPrefix: '',
  },
  ...{ pathRewriteSrc: '', pathRewriteDest: '', injection: '' },
};

function proxy(...rules: Partial<RuleDefinition>[]): ProxyDefinition {
  return {
    id: 'p',
    domain: 'd.test',
    source: 's.test',
    records: rules.map((rule) => ({ ...plain, ...rule })),
  };
}

function problemsOf(definition: ProxyDefinition) {
  const result = compileSite(definition);
  return 'problems' in result ? result.problems.map(({ field, code }) => `${field} ${code}`) : [];
}

function upstream(rule: Partial<RuleDefinition>, url: string): string | undefined {
  const result = compileSite(proxy(rule));
  if ('problems' in result) throw new Error(JSON.stringify(result.problems));
  return resolvePath(result.site, url)?.upstream;
}

describe('compiling', () => {
  it.each<[Partial<RuleDefinition>, string]>([
    [{ path: 'blog' }, 'path path_refused'],
    [{ path: '/a?b' }, 'path path_refused'],
    [{ path: '/a#b' }, 'path path_refused'],
    [{ path: '/', type: 'subdirectory' }, 'path path_of_subdirectory'],
    [{ path: '/*', type: 'subdirectory' }, 'path path_of_subdirectory'],
    [{ target: 'ftp://t.test' }, 'target target_scheme'],
    [{ target: 'https://me:pw@t.test' }, 'target target_user'],
    [{ target: 'https://t.test/?x' }, 'target target_query'],
    [{ target: 'https://t.test/#x' }, 'target target_query'],
    [{ target: 'http://t.test:25' }, 'target target_port'],
    [{ target: '' }, 'target target_not_a_url'],
    [{ target: 'https://d.test' }, 'target target_loop'],
    [{ pathRewriteSrc: '^(?=x)' }, 'pathRewriteSrc rewrite_pattern'],
    [{ pathRewriteSrc: '^(a)\\1' }, 'pathRewriteSrc rewrite_pattern'],
    [{ pathRewriteSrc: '^/a(.)', pathRewriteDest: '/$2' }, 'pathRewriteDest rewrite_group'],
    [{ pathRewriteSrc: '/a', pathRewriteDest: '/b?c' }, 'pathRewriteDest rewrite_path'],
    [{ xForwardedHost: 'a b' }, 'xForwardedHost host_refused'],
    [{ proxyPathPrefix: '/p?q' }, 'proxyPathPrefix prefix_refused'],
  ])('refuses %j', (rule, problem) => {
    expect(problemsOf(proxy(rule))).toEqual([problem]);
  });

  it('says everything that is wrong, also of the source', () => {
    const definition = { ...proxy({ path: 'x' }, { target: '?' }), source: 'gopher://s.test' };
    expect(problemsOf(definition)).toEqual([
      'path path_refused',
      'target target_not_a_url',
      'source target_scheme',
    ]);
  });

  it('takes a pattern that means a prefix for that prefix', () => {
    const forms: Partial<RuleDefinition>[] = [
      { pathRewriteSrc: '^/a', pathRewriteDest: '/n' },
      { pathRewriteSrc: '^/a/', pathRewriteDest: '/n' },
      { pathRewriteSrc: '^/a(.*)', pathRewriteDest: '/n$1' },
    ];
    for (const form of forms) {
      expect(upstream(form, '/a/x')).toBe('/n/x');
      expect(upstream(form, '/a')).toBe('/n');
    }
  });

  it('replaces by a pattern, in linear time', () => {
    expect(upstream({ pathRewriteSrc: '^/a/([0-9]+)/(.*)$', pathRewriteDest: '/$2/$1' }, '/a/7/x/y?q')).toBe(
      '/x/y/7?q',
    );
    expect(upstream({ pathRewriteSrc: '^/a/([0-9]+)' }, '/a/x')).toBe('/a/x');
    // A pattern that goes back for each letter would take longer than the world exists.
    const path = `/${'a'.repeat(8_000)}!`;
    expect(upstream({ pathRewriteSrc: '^/(a+)+$', pathRewriteDest: '/b' }, path)).toBe(path);
  });

  it('refuses a request where a pattern makes a path that climbs out', () => {
    expect(
      upstream({ path: '/', pathRewriteSrc: '^/(.)x(.)$', pathRewriteDest: '/$1$2%2fsecret' }, '/.x.'),
    ).toBeUndefined();
  });
});

describe('warnings', () => {
  it('name a rule that an earlier one hides, and what cannot fit', () => {
    const definition = proxy(
      { id: '1', path: '/blog', type: 'subdirectory' },
      { id: '2', path: '/blog/x' },
      { id: '3', path: '/c*', pathRewriteSrc: '/d', target: 'http://127.0.0.1:8080' },
      { id: '4', path: '/e', target: 'https://d.test/f' },
    );
    const result = compileSite(definition);
    if ('problems' in result) throw new Error('not compiled');
    expect(warnAbout(result.site, definition)).toEqual([
      { code: 'bare_redirect', rule: '1' },
      { code: 'never_reached', rule: '2', by: 1 },
      { code: 'rewrite_never_fits', rule: '3' },
      { code: 'other_scheme', rule: '3' },
      { code: 'private_target', rule: '3' },
      { code: 'star_in_path', rule: '3' },
      { code: 'loop', rule: '4' },
    ]);
  });

  it('of http stand at the website that is asked over http, once', () => {
    const definition = {
      ...proxy(
        { id: '1', path: '/a', target: 'https://a.test' },
        { id: '2', path: '/b', target: 'https://b.test' },
        { id: '3', path: '/c', target: 'http://c.test' },
      ),
      source: 'http://s.test',
    };
    const result = compileSite(definition);
    if ('problems' in result) throw new Error('not compiled');
    expect(warnAbout(result.site, definition)).toEqual([{ code: 'other_scheme', rule: sourceRuleId }]);
  });
});

describe('a domain', () => {
  it('is found whatever the port, the case and the last dot of the Host', () => {
    expect(hostOfHeader('EXAMPLE.com.:8080')).toBe('example.com');
    expect(hostOfHeader('example.com')).toBe('example.com');
  });
});
