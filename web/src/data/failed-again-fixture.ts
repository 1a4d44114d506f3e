import { QueryClient, QueryClientProvider, type QueryKey } from '@tanstack/react-query';
import { createElement, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

/** What a page shows that had loaded these, and then failed to read them again. */
export function shownAfterFailure(
  loaded: readonly (readonly [QueryKey, unknown])[],
  children: ReactNode,
): string {
  const client = new QueryClient();
  const error = new Error('The console is away.');
  for (const [queryKey, data] of loaded) {
    client.setQueryData<unknown>(queryKey, data);
    client.getQueryCache().find({ queryKey })?.setState({ status: 'error', error });
  }
  return renderToStaticMarkup(createElement(QueryClientProvider, { client }, children));
}
