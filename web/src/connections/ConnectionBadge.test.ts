import type { LiveConnection } from '@homeport/contract/connections/schema';
import type { Key } from '@homeport/contract/credentials/schema';
import type { Session } from '@homeport/contract/identity/schema';
import type { Server } from '@homeport/contract/servers/schema';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { apiQuery } from '../data/api-query.ts';
import { sessionQuery } from '../data/session.ts';
import { heldKeysQuery } from '../keys/keystore/use-held-keys.ts';
import { ConnectionAge } from './ConnectionBadge.tsx';

const server = { id: 's-1', credential: 'k-1', simulated: false } as Server;

/** What a page says of a server whose key this browser holds. */
function said(live: readonly Partial<LiveConnection>[]): string {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(sessionQuery.queryKey, { user: { id: 'u-1' } } as Session);
  client.setQueryData(apiQuery('GET /api/connections').queryKey, live as LiveConnection[]);
  client.setQueryData<Key[]>(apiQuery('GET /api/keys').queryKey, [{ id: 'k-1', name: 'laptop' } as Key]);
  client.setQueryData(heldKeysQuery('u-1').queryKey, {
    held: new Map([['k-1', 'plain']]),
    local: [],
  } as never);
  const age = createElement(ConnectionAge, { server, readAt: null });
  return renderToStaticMarkup(createElement(QueryClientProvider, { client }, age)).replaceAll(
    /<[^<>]*>/g,
    ' ',
  );
}

test('a page that is not connected says what connects it, and never asks to open the page that is open', () => {
  expect(said([])).toContain('Connects with the next action');
  expect(said([])).not.toMatch(/open this page/i);
});

test('a connected page says so', () => {
  const connected = said([{ serverId: 's-1', user: 'root', expiresAt: 9 }]);
  expect(connected).toContain('Connected');
  expect(connected).not.toContain('Connects with');
});
