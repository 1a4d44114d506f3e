import type { Destination } from '@homeport/contract/destinations/schema';
import type { Configuration } from '@homeport/contract/identity/schema';
import type { ApiToken } from '@homeport/contract/tokens/schema';
import { QueryClient, QueryClientProvider, type QueryKey } from '@tanstack/react-query';
import { createElement, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { apiQuery } from '../data/api-query.ts';
import { Notifications } from './notifications/Notifications.tsx';
import { People } from './owner/People.tsx';
import { Passkeys } from './passkeys/Passkeys.tsx';
import { Programs } from './programs/Programs.tsx';
import { Sessions } from './sessions/Sessions.tsx';

// Links need a router, which these sections do not.
vi.mock('@tanstack/react-router', async (original) => ({
  ...(await original<object>()),
  Link: ({ children }: { children: string }) => createElement('a', {}, children),
}));

const destination = {
  ...{ kind: 'webhook', name: 'desk', shown: 'desk.example', state: 'on', problem: null, version: 1 },
  ...{ createdAt: 1, previousUntil: null, quietHours: null, perHour: 60, device: null, latest: null },
  ...{ afterMinutes: 0, repeatHours: null },
} satisfies Omit<Destination, 'id'>;
const signIn = { current: false, device: 'Firefox', address: '192.0.2.7', signedInAt: 1, lastUsedAt: 1 };
const passkey = { name: 'key', backedUp: false, createdAt: 1, lastUsedAt: null };
const invitation = { email: 'ines@example.com', state: 'pending', createdAt: 1, expiresAt: 2 };
const token = {
  ...{ kind: 'program', name: 'nightly', lastFour: 'abcd', scopes: ['apps:read'], createdAt: 1 },
  ...{ expiresAt: 4e12, lastUsedAt: null, lastUsedFrom: null },
} satisfies Omit<ApiToken, 'id'>;

type Answers = (count: number) => [QueryKey, unknown][];
const numbered = (count: number, row: object) =>
  Array.from({ length: count }, (_, at) => ({ id: `row-${at}`, ...row }));

const sections: Record<string, { draw: () => ReactElement; answers: Answers }> = {
  Notifications: {
    draw: () => createElement(Notifications),
    answers: (count) => [[apiQuery('GET /api/destinations').queryKey, numbered(count, destination)]],
  },
  'Sign-ins': {
    draw: () => createElement(Sessions),
    answers: (count) => [[apiQuery('GET /api/sessions').queryKey, numbered(count, signIn)]],
  },
  Passkeys: {
    draw: () => createElement(Passkeys),
    answers: (count) => [[apiQuery('GET /api/passkeys').queryKey, numbered(count, passkey)]],
  },
  People: {
    draw: () => createElement(People, { configuration: { signUps: 'invite' } as Configuration }),
    answers: (count) => [[apiQuery('GET /api/invitations').queryKey, numbered(count, invitation)]],
  },
  Programs: {
    draw: () => createElement(Programs),
    answers: (count) => [
      [apiQuery('GET /api/tokens').queryKey, numbered(count, token)],
      [apiQuery('GET /api/tokens/former').queryKey, []],
      [apiQuery('GET /api/proposals').queryKey, []],
    ],
  },
};

test.each(Object.entries(sections))(
  '%s shows ten of 500 rows and a button for all, so that the page stays short',
  (_, { draw, answers }) => {
    const drawn = (count: number) => {
      const client = new QueryClient();
      for (const [key, data] of answers(count)) client.setQueryData(key, data);
      return renderToStaticMarkup(createElement(QueryClientProvider, { client }, draw()));
    };
    const rows = (markup: string) => markup.match(/<li/g)?.length ?? 0;
    expect(rows(drawn(500))).toBe(10);
    expect(drawn(500)).toContain('Show all 500');
    expect(rows(drawn(10))).toBe(10);
    expect(drawn(10)).not.toContain('Show all');
  },
);
