import type { App } from '@homeport/contract/apps/schema';
import type { Session } from '@homeport/contract/identity/schema';
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

function buttonsOn(server: { id: string; simulated: boolean }) {
  const connect = { busy: false, run: () => undefined };
  const place = { app: app as unknown as App, server: server as unknown as Server, connect };
  const client = new QueryClient();
  client.setQueryData(sessionQuery.queryKey, { user: {} } as Session);
  const panel = createElement(ManagePanel, { place, acts });
  const markup = renderToStaticMarkup(createElement(QueryClientProvider, { client }, panel));
  return markup.match(/<button[^>]*>/g) ?? [];
}

test('every action on an app of a simulated server is disabled, with the reason', () => {
  const buttons = buttonsOn({ id: 's', simulated: true });
  // Add and remove a domain, HTTPS, storage, the repository, destroy.
  expect(buttons).toHaveLength(6);
  for (const button of buttons) {
    expect(button).toContain('aria-disabled="true"');
    expect([simulatedTexts.act, simulatedTexts.deploy].some((reason) => button.includes(reason))).toBe(true);
  }
});

test('every action on an app of a real server is enabled', () => {
  for (const button of buttonsOn({ id: 's', simulated: false }))
    expect(button).not.toContain('aria-disabled');
});
