import type { App } from '@homeport/contract/apps/schema';
import type { Session } from '@homeport/contract/identity/schema';
import { readOnlyTexts } from '@homeport/contract/servers/closed';
import type { Server } from '@homeport/contract/servers/schema';
import { simulatedTexts } from '@homeport/contract/servers/simulated';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { sessionQuery } from '../../../data/session.ts';
import type { useAppActs } from '../use-app-acts.ts';
import { ManagePanel } from './ManagePanel.tsx';

const app = {
  id: 'a',
  serverName: 'Lantern',
  domains: ['shop.example'],
  https: false,
  repository: null,
  deployment: { at: null },
};
const acts = {} as ReturnType<typeof useAppActs>;

function buttonsOn(server: { id: string; simulated: boolean; credential: string | null }) {
  const connect = { busy: false, run: () => undefined };
  const place = { app: app as unknown as App, server: server as unknown as Server, connect };
  const client = new QueryClient();
  client.setQueryData(sessionQuery.queryKey, { user: {} } as Session);
  const panel = createElement(ManagePanel, { place, acts });
  const markup = renderToStaticMarkup(createElement(QueryClientProvider, { client }, panel));
  return markup.match(/<button[^>]*>/g) ?? [];
}

test.each([
  { server: 'simulated', simulated: true, credential: 'password', texts: simulatedTexts },
  { server: 'read-only', simulated: false, credential: null, texts: readOnlyTexts },
])('every action on an app of a $server server is disabled, with the reason', ({ texts, ...closed }) => {
  const buttons = buttonsOn({ id: 's', ...closed });
  // Add and remove a domain, HTTPS, ports, storage, the repository, destroy.
  expect(buttons).toHaveLength(7);
  for (const button of buttons) {
    expect(button).toContain('aria-disabled="true"');
    expect([texts.act, texts.deploy].some((reason) => button.includes(reason))).toBe(true);
  }
});

test('every action on an app of a real server is enabled', () => {
  for (const button of buttonsOn({ id: 's', simulated: false, credential: 'password' }))
    expect(button).not.toContain('aria-disabled');
});
