import { listedStates, type OperationKind, type OperationState } from '@homeport/contract/operations/facts';
import { operationKinds } from '@homeport/contract/operations/kinds';
import type { Operation } from '@homeport/contract/operations/schema';
import type { Server } from '@homeport/contract/servers/schema';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { apiQuery } from '../data/api-query.ts';
import { worthShowing } from '../operations/active-operations.ts';
import { RecentWork } from '../operations/RecentWork.tsx';
import { neededConnection } from '../operations/reconnect.ts';
import { platformOf } from '../servers/list/server-rows.ts';
import { setupLook } from '../servers/page/notices/setup-look.ts';
import { offeredWays } from '../ui/dialog/offered-ways.ts';
import { looks, offersCancel } from './looks.ts';
import { remarkOf } from './remark-of.ts';

// Each kind of operation, ended in each way: what the list in the header, the page of what it worked on, and its window say and offer.

const now = 1_000_000;
const here = 'this sign-in';

type Ending = {
  operation: Partial<Operation>;
  /** What stands of the setup of a server that this kind was installing (`early-endings.test.ts` of the api). */
  setup: Server['setup'];
  list: boolean;
  badge: string;
  says: RegExp;
  offers: { runAgain: boolean; cancel: boolean; continueHere: boolean };
};

const over = { runAgain: true, cancel: false, continueHere: false };

/** `expired`: the sign-in that began the work has ended, so nothing opens the connection that the work waits for. */
const endings: Record<string, Ending> = {
  failed: {
    operation: {
      state: 'failed',
      problem: {
        code: 'remote_failed',
        message: 'The disk is full.',
        recovery: 'Make room.',
      } as Operation['problem'],
    },
    setup: 'failed',
    list: false,
    badge: 'Failed',
    says: /^The disk is full\. Make room\.$/,
    offers: over,
  },
  cancelled: {
    operation: { state: 'cancelled' },
    setup: 'failed',
    list: false,
    badge: 'Cancelled',
    says: /cancelled.*Running it again goes on/,
    offers: over,
  },
  interrupted: {
    operation: { state: 'interrupted' },
    setup: 'failed',
    list: true,
    badge: 'Interrupted',
    says: /restarted.*goes on from the first unfinished step/,
    offers: over,
  },
  expired: {
    operation: {
      state: 'waiting',
      sessionId: 'a sign-in that has ended',
      waitingFor: { reason: 'connection', user: 'homeport', text: 'A connection is needed.' },
      endedAt: null,
    },
    setup: 'installing',
    list: true,
    badge: 'Waiting',
    says: /A connection is needed\./,
    offers: { runAgain: false, cancel: true, continueHere: true },
  },
};

const operationOf = (kind: OperationKind, ending: Ending) =>
  ({
    id: 'o',
    kind,
    title: kind,
    state: 'failed',
    steps: [{ key: 'act', title: 'Act', state: 'waiting', startedAt: null, endedAt: null }],
    waitingFor: null,
    problem: null,
    sessionId: here,
    serverId: 's',
    serverName: 'lantern',
    longname: 'ledger',
    percent: 28,
    result: {},
    createdAt: now - 60_000,
    startedAt: now - 60_000,
    endedAt: now,
    ...ending.operation,
  }) as unknown as Operation;

/** The panel of the app's page, with this as its last work. */
function recentWork(operation: Operation): string {
  const client = new QueryClient();
  client.setQueryData(apiQuery('GET /api/operations', { query: { appId: 'a' } }).queryKey, [operation]);
  const panel = createElement(RecentWork, { of: { appId: 'a' } });
  return renderToStaticMarkup(createElement(QueryClientProvider, { client }, panel));
}

/** These may leave something behind, or nobody knows what they do twice: their windows say so. */
const leavesSomething: Partial<Record<OperationKind, RegExp>> = {
  'app.run': /may go on: .* Run again begins it anew/,
  'app.checks': /Until it has run again, a deploy may check types/,
  'app.push-keys':
    /Until it has run again, a key that was to be taken off may still push, and a new key may be on the server already/,
  'app.site': /The server goes on with it until the change holds or is put back\. Running it again waits/,
  'app.cron-run': /may have run on: look at what it did before/,
};

describe.each(operationKinds)('%s', (kind) => {
  test.each(Object.entries(endings))('that is %s', (_name, ending) => {
    const operation = operationOf(kind, ending);
    const look = looks[kind];

    // The list in the header: what goes on by itself, or can go on here.
    const asked: readonly OperationState[] = listedStates;
    const listed = asked.includes(operation.state) && worthShowing([operation], now).length === 1;
    expect(listed).toBe(ending.list);

    // The page: the state in one word, and the way to the window.
    const page = recentWork(operation);
    expect(page).toContain(ending.badge);
    expect(page).toContain('Show');
    const { underWay, again } = setupLook([operation]);
    if (kind === 'server.install') {
      expect(underWay).toBe(ending.offers.continueHere ? operation : null);
      expect(again).toBe(ending.offers.runAgain ? operation : null);
      const server = { setup: ending.setup, metal: false, simulated: false, credential: 'password' } as const;
      expect(platformOf({ server })).toBe(ending.offers.runAgain ? 'Installation failed' : 'Installing');
    } else expect([underWay, again]).toEqual([null, null]);

    // The window: why it stands, and each way on and out.
    const unknownEnd = ['cancelled', 'interrupted'].includes(operation.state)
      ? leavesSomething[kind]
      : undefined;
    expect(remarkOf(operation)).toMatch(unknownEnd ?? ending.says);
    const ways = offeredWays(operation.state, look?.locked === true);
    expect(ways.runAgain).toBe(ending.offers.runAgain);
    expect(ways.cancel && offersCancel(operation, now)).toBe(ending.offers.cancel);
    expect(neededConnection(operation, here)?.elsewhere ?? false).toBe(ending.offers.continueHere);
    expect(ways.close || ending.offers.cancel, 'there is a way out').toBe(true);
  });
});
