import type { Database } from '@homeport/contract/databases/schema';
import type { Server } from '@homeport/contract/servers/schema';
import { simulatedTexts } from '@homeport/contract/servers/simulated';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { DatabaseActions } from './DatabaseActions.tsx';
import type { DatabasePlace } from './database-place.ts';
import type { DatabaseActs } from './use-database-acts.ts';

const database = { name: 'Ledger', longname: 'ledger-x1', ports: [], links: [] } as unknown as Database;
const server = { name: 'lantern' } as Server;

/** The texts of the buttons that can be pressed. */
function ableOf(status: DatabasePlace['status'], refusal: string | null): string[] {
  const acts = { refusal, busy: false } as DatabaseActs;
  const nothing = () => undefined;
  const place = { database, server, status };
  const actions = createElement(DatabaseActions, { place, acts, onPrepare: nothing, onOpen: nothing });
  return (renderToStaticMarkup(actions).match(/<button.*?<\/button>/g) ?? [])
    .filter((button) => !button.includes('aria-disabled="true"'))
    .map((button) => button.replaceAll(/<[^<>]*>/g, ''));
}

test('a running database can be restarted and stopped', () => {
  for (const status of ['online', 'restarting', 'server-offline', 'unread'] as const)
    expect(ableOf(status, null)).toEqual(['Restart', 'Stop', 'Link an app']);
});

test('a database that does not run can be started', () => {
  for (const status of ['paused', 'crashed', 'ended', 'missing', 'created'] as const)
    expect(ableOf(status, null)).toEqual(['Start', 'Link an app']);
});

test('nothing can be done with a database of a simulated server', () => {
  expect(ableOf('online', simulatedTexts.act)).toEqual([]);
});
