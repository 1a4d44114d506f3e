import { nameCharacters } from '@homeport/contract/fields/facts';
import { statusPageLimits } from '@homeport/contract/status-pages/facts';
import type { ShownStatusPage } from '@homeport/store';
import { expect, test } from 'vitest';
import { paragraphs } from './paragraphs.ts';
import { renderFiles } from './render-files.ts';
import { uptimePercent } from './say.ts';

/** Each character takes five bytes of a page, and six of JSON it may be. */
const wide = '&"';

function hugePage(): ShownStatusPage {
  const name = wide.repeat(nameCharacters / 2);
  const text = wide.repeat(statusPageLimits.textCharacters / 2);
  return {
    ...{ id: '0b7f3c7e-6d3f-4a0e-9b0a-000000000001', slug: 'a'.repeat(40), at: 1, from: 0, createdAt: 1 },
    title: wide.repeat(statusPageLimits.titleCharacters / 2),
    components: Array.from({ length: statusPageLimits.components }, (_, index) => ({
      ...{ name, group: `${index}${name}`.slice(0, nameCharacters), state: 'unknown' as const },
      days: Array.from({ length: 90 }, (_, day) => ({ up: day % 3, down: day % 2, planned: day % 5 === 0 })),
    })),
    posts: Array.from({ length: 20 }, (_, post) => ({
      ...{ id: `0b7f3c7e-6d3f-4a0e-9b0a-0000000001${post + 10}`, kind: 'incident' as const, createdAt: 1 },
      ...{ title: `post ${post}`, startsAt: null, endsAt: null },
      updates: Array.from({ length: 10 }, (_, at) => ({ state: 'watching' as const, text, at })),
    })),
  };
}

test('no file is longer than its share, and the newest posts stay', async () => {
  const files = await renderFiles(hugePage(), 'https://console.example.com');
  for (const { file, body } of files)
    expect(body.length, file).toBeLessThanOrEqual(statusPageLimits.renderBytes);
  const page = String(files.find(({ file }) => file === 'page')?.body);
  expect(page).toContain('post 0');
  expect(page).not.toContain('post 19');
  expect(page).toContain('Older entries are not shown.');
});

test('a text of empty lines, which are longer in JSON than in the page, keeps to the share as well', async () => {
  const page = hugePage();
  const text = `a${'\n'.repeat(statusPageLimits.textCharacters - 2)}b`;
  const posts = page.posts.map((post) => ({
    ...post,
    updates: post.updates.map((update) => ({ ...update, text })),
  }));
  for (const { file, body } of await renderFiles({ ...page, posts }, 'https://console.example.com'))
    expect(body.length, file).toBeLessThanOrEqual(statusPageLimits.renderBytes);
});

test('a page whose posts fit shows all of them', async () => {
  const page = hugePage();
  const posts = page.posts.map((post) => ({
    ...post,
    updates: [{ state: 'resolved' as const, text: 'Over.', at: 1 }],
  }));
  const [first] = await renderFiles({ ...page, posts }, 'https://console.example.com');
  expect(String(first?.body)).toContain('post 19');
  expect(String(first?.body)).not.toContain('Older entries');
});

test('a page whose author writes of an incident does not say that everything is up, until it is resolved', async () => {
  const words = async (change: Partial<ShownStatusPage>) => {
    const page = { ...hugePage(), components: [], ...change };
    const files = await renderFiles(page, 'https://console.example.com');
    const [html, badge] = (['page', 'badge.svg'] as const).map((name) =>
      String(files.find(({ file }) => file === name)?.body),
    );
    return [
      /<span class="lamp"><\/span>(.*?)<\/p>/.exec(html ?? '')?.[1],
      /: ([a-z ]+)<\/title>/.exec(badge ?? '')?.[1],
    ];
  };
  const component = (state: 'up' | 'down') => [{ name: 'Shop', group: '', state, days: [] }];
  expect(await words({ components: component('up') })).toEqual(['An incident is going on', 'incident']);
  expect(await words({ components: component('down') })).toEqual(['Down', 'down']);
  expect(await words({})).toEqual(['An incident is going on', 'incident']);
  const posts = hugePage().posts.map((post) => ({
    ...post,
    updates: [{ state: 'resolved' as const, text: 'Over.', at: 2 }, ...post.updates],
  }));
  expect(await words({ components: component('up'), posts })).toEqual(['Everything is up', 'up']);
  expect(await words({ posts })).toEqual(['Nothing is shown here yet', 'unknown']);
});

test('an outage never reads as 100 %', () => {
  expect(uptimePercent([{ up: 99_999, down: 1, planned: false }])).toBe(99.99);
  expect(uptimePercent([{ up: 99_999, down: 0, planned: false }])).toBe(100);
  expect(uptimePercent([{ up: 0, down: 0, planned: true }])).toBeNull();
});

test.each([
  ['one\ntwo\n\n\nthree', '<p>one<br>two</p><p>three</p>'],
  [
    'See https://example.com/a?b=1&c=2.',
    '<p>See <a href="https://example.com/a?b=1&amp;c=2" rel="nofollow noopener noreferrer">https://example.com/a?b=1&amp;c=2</a>.</p>',
  ],
  [
    'javascript:alert(1) data:text/html,x //example.com',
    '<p>javascript:alert(1) data:text/html,x //example.com</p>',
  ],
  ['https://user:word@example.com', '<p>https://user:word@example.com</p>'],
  ['https:// http://', '<p>https:// http://</p>'],
  [
    'https://console.example.com/sign-in http://CONSOLE.example.com:81',
    '<p>https://console.example.com/sign-in http://CONSOLE.example.com:81</p>',
  ],
])('%j becomes paragraphs', (text, html) => {
  expect(paragraphs(text, 'https://console.example.com')).toBe(html);
});

test('no file holds what is no character of XML, whatever was written', async () => {
  const bad = 't\uffff\ufffe\ud800\u0001\u0000';
  const page = hugePage();
  const posts = page.posts.slice(0, 1).map((post) => ({
    ...post,
    title: bad,
    updates: [{ state: 'watching' as const, text: `${bad}\n\nover`, at: 1 }],
  }));
  const components = page.components.slice(0, 1).map((each) => ({ ...each, name: bad, group: bad }));
  const files = await renderFiles({ ...page, title: bad, posts, components }, 'https://console.example.com');
  for (const { file, body } of files) {
    if (file === 'status.json') continue;
    expect(body.toString(), file).toMatch(/^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u);
    expect(body.toString(), file).not.toContain('\ufffd');
  }
});

test('a page keeps its tags while nothing but the time goes on', async () => {
  const tags = async (at: number) =>
    (await renderFiles({ ...hugePage(), at }, 'https://console.example.com')).map(({ etag }) => etag);
  expect(await tags(300_001)).toEqual(await tags(1));
  const [{ body: before } = { body: '' }] = await renderFiles(hugePage(), 'https://console.example.com');
  expect(String(before)).toContain('1970, 00:00 UTC');
});
