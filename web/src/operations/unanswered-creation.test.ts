import type { Operation } from '@homeport/contract/operations/schema';
import { describe, expect, it } from 'vitest';
import { findUnanswered } from './unanswered-creation.ts';

const operation = (over: Partial<Operation>): Operation => ({
  id: 'o',
  kind: 'app.create',
  title: 'Creation of ledger',
  state: 'running',
  sessionId: 'n',
  waitingFor: null,
  serverId: 's',
  serverKey: 'k',
  serverName: 'lantern',
  appId: null,
  databaseId: null,
  longname: 'ledger-abc123',
  percent: null,
  steps: [],
  problem: null,
  result: {},
  toasts: [],
  createdAt: 1_000_000,
  startedAt: null,
  endedAt: null,
  ...over,
});
const sent = { kind: 'app.create', since: 1_000_000, serverId: 's', name: 'ledger' } as const;

describe('a creation whose answer was lost', () => {
  it('is found by its name, its server and its time', () => {
    expect(findUnanswered([operation({ kind: 'app.stop' }), operation({})], sent)?.kind).toBe('app.create');
  });
  it('is not confused with another creation', () => {
    const others = [
      operation({ title: 'Creation of postbox' }),
      operation({ serverId: 'other' }),
      operation({ createdAt: 1_000_000 - 3_600_000 }),
    ];
    expect(findUnanswered(others, sent)).toBeNull();
  });
});
