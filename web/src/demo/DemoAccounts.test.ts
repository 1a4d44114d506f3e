import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { apiQuery } from '../data/api-query.ts';
import { DemoAccounts } from './DemoAccounts.tsx';

/** The buttons on the page of somebody who has linked these. */
function offered(demo: object | null, linked: { cloudflare: boolean; github: boolean }): string[] {
  const client = new QueryClient();
  client.setQueryData<unknown>(apiQuery('GET /api/configuration').queryKey, { demo });
  client.setQueryData<unknown>(apiQuery('GET /api/zones').queryKey, { linked: linked.cloudflare });
  const account = linked.github ? { login: 'octo' } : null;
  client.setQueryData<unknown>(apiQuery('GET /api/github').queryKey, { account });
  const page = createElement(QueryClientProvider, { client }, createElement(DemoAccounts));
  return [...renderToStaticMarkup(page).matchAll(/<button.*?<\/button>/gs)].map(([button]) =>
    button.replaceAll(/<[^>]*>/g, ''),
  );
}

const demo = { cloudflareToken: 'c', githubToken: 'g' };

test('the demo offers each account that is not linked yet with one click', () => {
  expect(offered(demo, { cloudflare: false, github: false })).toEqual([
    'Link the demo’s Cloudflare',
    'Link the demo’s GitHub',
  ]);
  expect(offered(demo, { cloudflare: true, github: false })).toEqual(['Link the demo’s GitHub']);
  expect(offered(demo, { cloudflare: true, github: true })).toEqual([]);
});

test('a console that is no demo offers nothing', () => {
  expect(offered(null, { cloudflare: false, github: false })).toEqual([]);
});
