import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { apiQuery } from '../../data/api-query.ts';
import type { AppPlace } from '../on-server/app-place.ts';
import { NotificationsPanel } from './NotificationsPanel.tsx';

// Links need a router, which this section does not.
vi.mock('@tanstack/react-router', async (original) => ({
  ...(await original<object>()),
  Link: ({ children }: { children: string }) => createElement('a', {}, children),
}));

const place = {
  app: { id: 'a-1', name: 'shop', monitorId: 'm-1', domains: ['shop.example'] },
  server: { key: 'lantern', name: 'lantern', simulated: false },
} as unknown as AppPlace;
const checks = apiQuery('GET /monitor/uptime/:monitorId', { params: { monitorId: 'm-1' } });

function drawn(client: QueryClient): string {
  const panel = createElement(NotificationsPanel, { place });
  return renderToStaticMarkup(createElement(QueryClientProvider, { client }, panel));
}

test('checks are offered where the app is known to have none', () => {
  const client = new QueryClient();
  client.setQueryData(checks.queryKey, { uptime: null });
  expect(drawn(client)).toContain('Set up monitor');
});

test('no checks are offered while nobody knows whether there are some', () => {
  expect(drawn(new QueryClient())).not.toContain('Set up monitor');
});

test('a failure is said where the checks would stand, with a way to try again', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retryOnMount: false } } });
  const failed = client.fetchQuery({
    ...checks,
    retry: false,
    queryFn: () => Promise.reject(new Error('The console could not be asked.')),
  });
  await expect(failed).rejects.toThrow();
  const markup = drawn(client);
  expect(markup).toContain('The console could not be asked.');
  expect(markup).toContain('Try again');
  expect(markup).not.toContain('Set up monitor');
  expect(markup).not.toContain('aria-busy');
});
