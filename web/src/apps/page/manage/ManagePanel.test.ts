import { appGoneText } from '@homeport/contract/apps/health';
import type { App } from '@homeport/contract/apps/schema';
import type { Session } from '@homeport/contract/identity/schema';
import { readOnlyTexts } from '@homeport/contract/servers/closed';
import type { Server } from '@homeport/contract/servers/schema';
import { simulatedTexts } from '@homeport/contract/servers/simulated';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { apiQuery } from '../../../data/api-query.ts';
import type { RouteOutput } from '../../../data/route-types.ts';
import { sessionQuery } from '../../../data/session.ts';
import { closedOnApp } from '../../closed-on-app.ts';
import { DomainList } from '../general/DomainList.tsx';
import { LimitsPanel } from '../limits/LimitsPanel.tsx';
import { ManagePanel } from './ManagePanel.tsx';

const app = {
  id: 'a',
  serverName: 'Lantern',
  plan: 3,
  domains: ['shop.example'],
  https: false,
  repository: null,
  deployment: { at: null },
  missingSince: null as number | null,
};
const nothing = () => undefined;

function buttonsOn(server: { id: string; simulated: boolean; credential: string | null }, of = app) {
  const connect = { busy: false, run: () => undefined };
  const place = { app: of as unknown as App, server: server as unknown as Server, connect };
  const client = new QueryClient();
  client.setQueryData(sessionQuery.queryKey, { user: {} } as Session);
  const panel = createElement(
    'div',
    null,
    createElement(DomainList, {
      app: place.app,
      closed: closedOnApp(place.app, place.server),
      onOpen: nothing,
    }),
    createElement(LimitsPanel, { place, onOpen: nothing }),
    createElement(ManagePanel, { place, onPrepare: nothing, onOpen: nothing }),
  );
  const markup = renderToStaticMarkup(createElement(QueryClientProvider, { client }, panel));
  return markup.match(/<button.*?<\/button>/gs) ?? [];
}

test.each([
  { server: 'simulated', simulated: true, credential: 'password', texts: simulatedTexts },
  { server: 'read-only', simulated: false, credential: null, texts: readOnlyTexts },
])('every action on an app of a $server server is disabled, with the reason', ({ texts, ...closed }) => {
  const buttons = buttonsOn({ id: 's', ...closed });
  // Add and remove a domain, plan, storage, HTTPS, ports, the repository, destroy.
  expect(buttons).toHaveLength(8);
  for (const button of buttons) {
    expect(button).toContain('aria-disabled="true"');
    expect([texts.act, texts.deploy].some((reason) => button.includes(reason))).toBe(true);
  }
});

test('every action on an app of a real server is enabled', () => {
  for (const button of buttonsOn({ id: 's', simulated: false, credential: 'password' }))
    expect(button).not.toContain('aria-disabled');
});

test('on an app that its server no longer has, only the removal of its record is enabled', () => {
  const gone = { ...app, missingSince: 1 };
  const buttons = buttonsOn({ id: 's', simulated: false, credential: 'password' }, gone);
  expect(buttons).toHaveLength(8);
  const enabled = buttons.filter((button) => !button.includes('aria-disabled'));
  expect(enabled).toHaveLength(1);
  expect(enabled[0]).toContain('Remove app');
  for (const button of buttons) if (button !== enabled[0]) expect(button).toContain(appGoneText);
});

test('a linked repository leads to its page at the site that the console speaks to', () => {
  const client = new QueryClient();
  client.setQueryData(sessionQuery.queryKey, { user: {} } as Session);
  const configuration = { githubUrl: 'https://git.example' } as RouteOutput<'GET /api/configuration'>;
  client.setQueryData(apiQuery('GET /api/configuration').queryKey, configuration);
  const linked = { ...app, repository: { fullName: 'ada/shop', branch: 'main' } };
  const place = {
    ...{ app: linked as unknown as App, server: { id: 's', credential: 'password' } as unknown as Server },
    connect: { busy: false, run: () => undefined },
  };
  const panel = createElement(ManagePanel, { place, onPrepare: nothing, onOpen: nothing });
  const markup = renderToStaticMarkup(createElement(QueryClientProvider, { client }, panel));
  expect(markup).toMatch(/<a[^>]*href="https:\/\/git\.example\/ada\/shop"[^>]*>.*?ada\/shop/);
});
