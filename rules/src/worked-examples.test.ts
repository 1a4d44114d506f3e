import { describe, expect, it } from 'vitest';
import { compileSite, type Site } from './compile-site.ts';
import { type RuleDefinition, sourceRuleId } from './definition.ts';
import { redirectsBareBase, resolvePath } from './resolve-path.ts';
import { cookiePathToPublic, toPublic } from './to-public.ts';

function record(
  id: string,
  path: string,
  target: string,
  more: Partial<RuleDefinition> = {},
): RuleDefinition {
  return {
    ...{ id, path, target, type: 'simple', xForwardedHost: '', proxyPathPrefix: '', pathRewriteSrc: '' },
    ...{ pathRewriteDest: '', injection: '', ...more },
  };
}

function compiled(): Site {
  const result = compileSite({
    id: 'p1',
    domain: 'example.com',
    source: 'https://www.example.org/site',
    records: [
      record('B', '/blog', 'https://blog.example.net', { type: 'subdirectory' }),
      record('A', '/api', 'https://api.example.net/v2'),
      record('O', '/old', 'https://o.example.net', { pathRewriteSrc: '/old', pathRewriteDest: '/new' }),
      record('S', '/shop', 'https://mall.example.net', {
        ...{ type: 'subdirectory', proxyPathPrefix: '/store/7', xForwardedHost: 'shop.example.net' },
      }),
      record('D', '/docs', 'https://d.example.net', { pathRewriteSrc: '/docs' }),
      record('X', '/x', 'https://x.example.net/base', {
        ...{ type: 'subdirectory', pathRewriteSrc: '/x/a', pathRewriteDest: '/b' },
      }),
    ],
  });
  if ('problems' in result) throw new Error(JSON.stringify(result.problems));
  return result.site;
}

const site = compiled();
const source = sourceRuleId;

function taken(url: string): string {
  const found = resolvePath(site, url);
  return found ? `${found.rule.id} ${found.upstream}` : 'refused';
}

describe('a request', () => {
  it.each([
    ['/', `${source} /site/`],
    ['/about?x=1', `${source} /site/about?x=1`],
    ['/blog', 'B /'],
    ['/blog/', 'B /'],
    ['/blog?', 'B /?'],
    ['/blog/a/b?x=1&y=%2F', 'B /a/b?x=1&y=%2F'],
    ['/blogger', `${source} /site/blogger`],
    ['/BLOG/x', `${source} /site/BLOG/x`],
    ['/bl%6Fg/x', 'B /x'],
    ['/blog%2Fx', `${source} /site/blog%2Fx`],
    ['/blog/a%2fb%3Fc', 'B /a%2fb%3Fc'],
    ['/q/../blog/y', 'B /y'],
    ['/q/%2e%2E/blog/y', 'B /y'],
    ['/blog/../api/z', 'A /v2/api/z'],
    ['/blog/..', `${source} /site/`],
    ['/blog/.', 'B /'],
    ['//blog/x', 'B /x'],
    ['/blog//x', 'B /x'],
    ['/blog/a//b', 'B /a//b'],
    ['/blog/;s=1/x', 'B /;s=1/x'],
    ['/api', 'A /v2/api'],
    ['/api/', 'A /v2/api/'],
    ['/api/users/7/', 'A /v2/api/users/7/'],
    ['/old/a?q', 'O /new/a?q'],
    ['/older', `${source} /site/older`],
    ['/docs', 'D /'],
    ['/docs/p', 'D /p'],
    ['/shop', 'S /store/7/'],
    ['/shop/cart', 'S /store/7/cart'],
    ['/x/a/p', 'X /base/b/p'],
    ['/x/c', 'X /base/c'],
    ['/a\\..\\b', `${source} /site/a%5C..%5Cb`],
    ['/bl%C3%A9', `${source} /site/bl%C3%A9`],
    ['/a/.../b', `${source} /site/a/.../b`],
    ...['/%', '/%00', '/a b', '/p#f', '/blog/%2e%2e%2fapi', '/blog/..;/x', '/%zz', '/a%2f..%2f..%2fb'].map(
      (url) => [url, 'refused'],
    ),
  ])('for %s is taken by %s', (url, expected) => {
    expect(taken(url)).toBe(expected);
  });

  it('for the base of a subdirectory rule without its slash leads a browser to the slash', () => {
    expect(resolvePath(site, '/blog?x=1')?.isBareBase).toBe(true);
    expect(resolvePath(site, '/bl%6Fg')?.isBareBase).toBe(true);
    expect(resolvePath(site, '/blog/')?.isBareBase).toBe(false);
    expect(resolvePath(site, '/api')?.isBareBase).toBe(false);
    expect(redirectsBareBase('GET', 'text/html,*/*;q=0.8')).toBe(true);
    expect(redirectsBareBase('GET', '*/*')).toBe(false);
    expect(redirectsBareBase('POST', 'text/html')).toBe(false);
  });
});

describe('a URL of an upstream', () => {
  const origin = 'https://example.com';
  it.each([
    ['B', '/login', '/blog/login'],
    ['B', 'https://blog.example.net/a?x#y', 'https://example.com/blog/a?x#y'],
    ['B', 'http://blog.example.net/a?x#y', 'https://example.com/blog/a?x#y'],
    ['B', '//blog.example.net/a?x#y', 'https://example.com/blog/a?x#y'],
    ['B', 'HTTPS://BLOG.example.net:443?x', 'https://example.com/blog/?x'],
    ['B', '/blog/a', '/blog/a'],
    ['B', 'login', 'login'],
    ['B', '?p=2', '?p=2'],
    ['B', '#x', '#x'],
    ['B', 'https://www.example.org/site/z', 'https://example.com/z'],
    ['B', 'https://www.example.org/elsewhere', 'https://www.example.org/elsewhere'],
    ['B', 'https://blog.example.net:8443/a', 'https://blog.example.net:8443/a'],
    ['B', 'https://blog.example.net.evil.test/', 'https://blog.example.net.evil.test/'],
    ['B', '/\\evil', '/\\evil'],
    ['B', 'https://me@blog.example.net/', 'https://me@blog.example.net/'],
    ['B', 'mailto:a@blog.example.net', 'mailto:a@blog.example.net'],
    ['S', '/store/7/pay', '/shop/pay'],
    ['S', '/store/7', '/shop/'],
    ['S', '/store/8', '/store/8'],
    ['O', '/new/z', '/old/z'],
    ['A', '/v2/api/x', '/api/x'],
    [source, '/site/p', '/p'],
    [source, '/site//evil.test/', '/evil.test/'],
    ['X', '/base/b/p', '/x/a/p'],
    ['X', '/base/c', '/x/c'],
  ])('of %s: %s is public as %s', (id, url, expected) => {
    expect(toPublic(site, ruleOf(id), url, origin)).toBe(expected);
  });

  it.each([
    ['S', '/', '/shop'],
    ['S', '/store', '/shop'],
    ['S', '/store/7', '/shop'],
    ['S', '/store/7/x', '/shop/x'],
    ['S', '/other', '/other'],
    ['A', '/', '/'],
    [source, '/site', '/'],
    ['B', '/admin', '/blog/admin'],
  ])('of %s: the cookie path %s becomes %s', (id, path, expected) => {
    expect(cookiePathToPublic(ruleOf(id), path)).toBe(expected);
  });
});

function ruleOf(id: string) {
  const rule = site.rules.find((one) => one.id === id);
  if (!rule) throw new Error(`no rule ${id}`);
  return rule;
}
