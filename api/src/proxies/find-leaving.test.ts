import { expect, test } from 'vitest';
import { findLeaving } from './find-leaving.ts';

const place = { page: '/blog/', base: '/blog', domain: 'example.com' };

test('lists what leads out of the base, by its kind', () => {
  const html = `<link href="/assets/a.css"><a href="/blog/two?x#y">2</a><a href="/login">in</a><a href="https://example.com/out">o</a>
    <form action="/send"></form><img src="/blog/a.png"><div style="background:url(/bg.png)"></div>
    <style>.x { background: url('/y.png') }</style>
    <script>fetch("/api/items"); navigator.serviceWorker.register('/sw.js'); const a = "/blog/in";</script>
    <a href="https://other.example/">other</a><a href="//cdn.example/x">cdn</a><a href="mail">relative</a>`;
  const { leaving, pages } = findLeaving(html, place);
  expect(leaving.map(({ kind, value }) => `${kind} ${value}`)).toEqual([
    ...['asset /assets/a.css', 'link /login', 'link https://example.com/out', 'form /send', 'style /bg.png'],
    ...['style /y.png', 'worker /sw.js', 'script /api/items', 'script /sw.js'],
  ]);
  expect(pages).toEqual(['/blog/two']);
  expect(leaving[0]?.proposal).toContain('Add a simple rule for /assets');
});

test('reads markup in comments and attributes as no link', () => {
  const html = `<!-- <a href="/x"> --><p title='<a href="/y">'></p><a href="/bloggers">b</a>`;
  expect(findLeaving(html, place).leaving.map(({ value }) => value)).toEqual(['/bloggers']);
});
