import { describe, expect, it } from 'vitest';
import { compileSite } from './compile-site.ts';
import type { ProxyDefinition, RuleDefinition } from './definition.ts';
import { explainUrl, type UrlExplanation } from './explain-url.ts';

const empty = {
  xForwardedHost: '',
  proxyPathPrefix: '',
  pathRewriteSrc: '',
  pathRewriteDest: '',
  injection: '',
};
const records: RuleDefinition[] = [
  { ...empty, id: 'blog', path: '/blog', type: 'subdirectory', target: 'https://blog.example.net' },
  {
    ...{ ...empty, id: 'shop', path: '/shop', type: 'subdirectory', target: 'https://mall.example.net' },
    ...{
      proxyPathPrefix: '/store/7',
      xForwardedHost: 'shop.example.net',
      pathRewriteSrc: '/a',
      pathRewriteDest: '/b',
    },
  },
  { ...empty, id: 'late', path: '/blog/late', type: 'simple', target: 'http://late.example.net' },
];
const definition: ProxyDefinition = {
  id: 'p',
  domain: 'example.com',
  source: 'https://www.example.org/site',
  records,
};

function explain(typed: string): UrlExplanation {
  const compiled = compileSite(definition);
  if ('problems' in compiled) throw new Error(JSON.stringify(compiled.problems));
  return explainUrl(compiled.site, definition, typed);
}

/** The address that is asked, or the reason for a refusal. */
const urlOf = (explanation: UrlExplanation) =>
  explanation.kind === 'refused' ? explanation.error : explanation.url;

describe('the explanation of a URL', () => {
  it('names the verdict on each rule up to the one that takes it', () => {
    expect(explain('https://example.com/shop/cart')).toMatchObject({
      rule: 'shop',
      url: 'https://mall.example.net/store/7/cart',
      verdicts: [
        { rule: 'blog', verdict: 'no-fit', why: 'It is not under /blog' },
        { rule: 'shop', verdict: 'takes' },
        { rule: 'late', verdict: 'not-reached' },
        { rule: 'source', verdict: 'not-reached' },
      ],
    });
  });

  it.each([
    ['/blogger', '/blog ends in the middle of a segment'],
    ['/BLOG/x', '/blog is written in other letter cases'],
  ])('says why %s does not fit', (url, why) => {
    expect(explain(url)).toMatchObject({ rule: 'source', verdicts: [{ why }, {}, {}, { verdict: 'takes' }] });
  });

  it('lists each step that changes the path, and no other', () => {
    expect(explain('/shop/x/../a/p?q=1')).toMatchObject({
      steps: [
        { kind: 'normalise', path: '/shop/a/p' },
        { kind: 'strip', path: '/a/p' },
        { kind: 'rewrite', path: '/b/p' },
        { kind: 'prefix', path: '/store/7/b/p' },
      ],
      url: 'https://mall.example.net/store/7/b/p?q=1',
      cacheKey: 'https://example.com/shop/a/p?q=1',
    });
    expect(explain('/blog/x')).toMatchObject({ steps: [{ kind: 'strip', path: '/x' }] });
  });

  it('shows the headers that the target gets', () => {
    expect(explain('http://example.com/shop/cart')).toMatchObject({
      headers: expect.arrayContaining([
        ['Host', 'mall.example.net'],
        ['X-Forwarded-Proto', 'http'],
        ['X-Forwarded-Host', 'shop.example.net'],
        ['X-Forwarded-Prefix', '/shop'],
      ]),
    });
  });

  it('tells of the redirect of a subdirectory without its slash, and of what hides a rule', () => {
    expect(explain('/blog?x=1')).toMatchObject({
      redirect: '/blog/?x=1',
      warnings: [{ code: 'bare_redirect' }],
    });
    expect(explain('/blog/')).toMatchObject({ redirect: null });
  });

  it('refuses other domains and URLs that are answered 400', () => {
    for (const other of ['https://other.example/blog', 'example.com.evil.test/', 'user@example.com/'])
      expect(explain(other)).toEqual({ kind: 'refused', error: 'not_handled' });
    for (const bad of ['/%', '/blog/%2e%2e%2fapi', 'https://example.com/%00'])
      expect(explain(bad)).toEqual({ kind: 'refused', error: 'bad_url' });
  });

  it('reads what a person types as a browser would send it', () => {
    const urls: [string, string][] = [
      ['example.com', '/site/'],
      ['EXAMPLE.com.:8080/about#top', '/site/about'],
      ['?x=1', '/site/?x=1'],
      ['/blé a', '/site/bl%C3%A9%20a'],
      ['', '/site/'],
    ];
    for (const [typed, path] of urls)
      expect(urlOf(explain(typed)), typed).toBe(`https://www.example.org${path}`);
  });
});
