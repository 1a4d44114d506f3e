import type { Database } from '@homeport/contract/databases/schema';
import type { Server } from '@homeport/contract/servers/schema';
import { simulatedTexts } from '@homeport/contract/servers/simulated';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { DatabasePlace } from '../database-place.ts';
import { SettingsPanel } from './SettingsPanel.tsx';

const database = { name: 'Ledger', longname: 'ledger-x1', ports: [], links: [] } as unknown as Database;
const server = { name: 'lantern' } as Server;

/** The buttons by their texts, each with whether it can be pressed. */
function buttonsOf(status: DatabasePlace['status'], refusal: string | null): [string, boolean][] {
  const place = { database, server, status };
  const nothing = () => undefined;
  const panel = createElement(SettingsPanel, { place, refusal, onPrepare: nothing, onOpen: nothing });
  return (renderToStaticMarkup(panel).match(/<button.*?<\/button>/g) ?? []).map((button) => [
    button.replaceAll(/<[^<>]*>/g, '').split('.')[0] ?? '',
    !button.includes('aria-disabled="true"'),
  ]);
}

test('a database of a simulated server can only be renamed here', () => {
  const able = buttonsOf('online', simulatedTexts.act).filter(([, isAble]) => isAble);
  expect(able).toEqual([['Edit name', true]]);
});
