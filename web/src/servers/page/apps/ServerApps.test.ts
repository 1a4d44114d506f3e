import type { App } from '@homeport/contract/apps/schema';
import type { Session } from '@homeport/contract/identity/schema';
import { readOnlyTexts } from '@homeport/contract/servers/closed';
import type { Server } from '@homeport/contract/servers/schema';
import { simulatedTexts } from '@homeport/contract/servers/simulated';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { apiQuery } from '../../../data/api-query.ts';
import { sessionQuery } from '../../../data/session.ts';
import { ServerApps } from './ServerApps.tsx';

// Links and navigation need a router, which this section does not.
vi.mock('@tanstack/react-router', async (original) => ({
  ...(await original<object>()),
  Link: ({ children }: { children: string }) => createElement('a', {}, children),
  useNavigate: () => () => undefined,
}));

function importButton(changes: Partial<Server>, noAppsReason: string | null): string | undefined {
  const server = {
    id: 's',
    name: 'web',
    simulated: false,
    credential: 'password',
    metal: false,
    setup: 'ready',
    dokkuVersion: null,
    ...changes,
  };
  const client = new QueryClient();
  client.setQueryData(sessionQuery.queryKey, { user: {} } as Session);
  client.setQueryData<App[]>(apiQuery('GET /api/apps').queryKey, [{ serverId: 'other' } as App]);
  const section = createElement(ServerApps, { server: server as Server, noAppsReason });
  const markup = renderToStaticMarkup(createElement(QueryClientProvider, { client }, section));
  return /<button[^>]*>.*?<\/button>/.exec(markup)?.[0];
}

test('the import is offered while the agent is silent', () => {
  const button = importButton({}, 'This server is offline.');
  expect(button).toContain('Import apps');
  expect(button).not.toContain('aria-disabled');
});

test('the import is disabled with the reason on a closed server, and absent before the installation', () => {
  expect(importButton({ credential: null, setup: 'new' }, readOnlyTexts.create)).toContain(readOnlyTexts.ask);
  expect(importButton({ simulated: true }, simulatedTexts.create)).toContain(simulatedTexts.ask);
  expect(importButton({ setup: 'new' }, 'Install Dokku on this server first.')).toBeUndefined();
});
