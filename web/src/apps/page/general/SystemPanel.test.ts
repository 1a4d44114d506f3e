import type { App } from '@homeport/contract/apps/schema';
import type { Session } from '@homeport/contract/identity/schema';
import type { Server } from '@homeport/contract/servers/schema';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { apiQuery } from '../../../data/api-query.ts';
import { sessionQuery } from '../../../data/session.ts';
import { SystemPanel } from './SystemPanel.tsx';

const app = {
  id: 'a',
  longname: 'shop-ab12cd',
  createdAt: 0,
  keys: ['k'],
  imported: false,
  missingSince: null,
  deployment: { at: null },
};
const server = { id: 's', consoleAccount: 'homeport' };

test('the row of allowed users says what the specification says, and the next one names the keys that may push', () => {
  const client = new QueryClient();
  client.setQueryData(sessionQuery.queryKey, { user: { id: 'u' } } as Session);
  client.setQueryData(apiQuery('GET /api/keys').queryKey, [
    {
      id: 'k',
      name: 'laptop',
      publicKey: '',
      fingerprint: '',
      algorithm: 'ssh-ed25519',
      addedAt: 0,
      usedBy: [],
    },
  ]);
  const place = {
    ...{ app: app as unknown as App, server: server as unknown as Server },
    connect: { busy: false, run: () => undefined },
  };
  const panel = createElement(SystemPanel, { place });
  const markup = renderToStaticMarkup(createElement(QueryClientProvider, { client }, panel));
  const rows = Object.fromEntries(
    [...markup.matchAll(/<dt>(.*?)<\/dt><dd[^>]*>(.*?)<\/dd>/g)].map(([, name, value]) => [name, value]),
  );
  expect(rows['Allowed users']).toMatch(/^me \(default\)<button/);
  expect(rows['Allowed users']).not.toContain('aria-disabled="true"');
  expect(rows['May push']).toBe('laptop');
});
