import { expect, test } from 'vitest';
import { findInScript, findInStyle, findOrphaned } from './find-orphaned.ts';

const place = { page: '/blog/', base: '/blog', domain: 'example.com' };

test('lists what leads out of the base, by its kind', () => {
  const html = `<link href="/assets/a.css"><a href="/blog/two?x#y">2</a><a href="/login">in</a><a href="https://example.com/out">o</a>
    <form action="/send"></form><img src="/blog/a.png"><div style="background:url(/bg.png)"></div>
    <style>.x { background: url('/y.png') }</style>
    <script>fetch("/api/items"); navigator.serviceWorker.register('/sw.js'); const a = "/blog/in";</script>
    <a href="https://other.example/">other</a><a href="//cdn.example/x">cdn</a><a href="mail">relative</a>`;
  const { leaving, pages } = findOrphaned(html, place);
  expect(leaving.map(({ kind, value }) => `${kind} ${value}`)).toEqual([
    ...['asset /assets/a.css', 'link /login', 'link https://example.com/out', 'form /send', 'style /bg.png'],
    ...['style /y.png', 'worker /sw.js', 'script /api/items', 'script /sw.js'],
  ]);
  expect(pages).toEqual(['/blog/two', '/blog/mail']);
  expect(leaving[0]?.proposal).toContain('Add a simple rule for /assets');
});

test('reads markup in comments and attributes as no link', () => {
  const html = `<!-- <a href="/x"> --><p title='<a href="/y">'></p><a href="/bloggers">b</a>`;
  expect(findOrphaned(html, place).leaving.map(({ value }) => value)).toEqual(['/bloggers']);
});

test('follows pages, stylesheets and scripts under the base, also by relative addresses', () => {
  const html = `<link rel="stylesheet" href="../site.css"><link rel="icon" href="/blog/i.svg"><script src="/blog/a.js?v=1"></script>
    <a href="two">2</a><a href="/blog/three#x">3</a><a href="/else">4</a><a href="https://other.test/blog/5">5</a>`;
  const { pages, files } = findOrphaned(html, {
    page: '/blog/posts/one',
    base: '/blog',
    domain: 'quay.test',
  });
  expect(pages).toEqual(['/blog/posts/two', '/blog/three']);
  expect(files).toEqual(['/blog/site.css', '/blog/a.js']);
});

test('names what leads out of the base in stylesheets and in files of scripts', () => {
  const place = { page: '/blog/a', base: '/blog', domain: 'quay.test' };
  const values = (found: { value: string }[]) => found.map(({ value }) => value);
  const css =
    '@import "/reset.css"; a { background: url(/blog/a.png) } b { background: url("/fonts/b.woff2") }';
  expect(values(findInStyle(css, place))).toEqual(['/fonts/b.woff2', '/reset.css']);
  const script = 'fetch("/search"); const a = "/item", b = "/assets/x.json", c = "/blog/assets/y.json";';
  expect(values(findInScript(script, place))).toEqual(['/search', '/assets/x.json']);
});
