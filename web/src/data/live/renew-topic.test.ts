import type { Operation } from '@homeport/contract/operations/schema';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { type GetKey, queryKeyOf } from '../api-query.ts';
import { renewReadings, renewTouched } from './live.ts';
import { isLeaving, renewAfterAct, renewTopic } from './renew-topic.ts';

/** A page that shows these queries. Each answers with its data; `read` holds what was read again, in order. */
function showing(...queries: { key: GetKey; input?: object; data: unknown }[]) {
  const client = new QueryClient();
  const read: string[] = [];
  const stops = queries.map(({ key, input, data }) => {
    const { id } = (input as { params?: { id: string } } | undefined)?.params ?? {};
    const observer = new QueryObserver(client, {
      queryKey: queryKeyOf(key, input),
      queryFn: async () => {
        read.push(id === undefined ? key : `${key} ${id}`);
        return data;
      },
      staleTime: Number.POSITIVE_INFINITY,
      initialData: {},
    });
    return observer.subscribe(() => {});
  });
  return { client, read, leave: () => stops.map((stop) => stop()) };
}

const ofApp = (key: GetKey, id: string) => ({ key, input: { params: { id } }, data: {} });

it('reads a deleted app’s own records no more, and those of the others after the list', async () => {
  const { client, read, leave } = showing(
    ofApp('GET /api/apps/:id/notifications', 'deleted'),
    ofApp('GET /api/apps/:id/notifications', 'kept'),
    { key: 'GET /api/apps', data: [{ id: 'kept' }] },
  );
  await renewTopic(client, 'apps');
  expect(read).toEqual(['GET /api/apps', 'GET /api/apps/:id/notifications kept']);
  leave();
});

it('reads a proxy’s own records no more once it was removed', async () => {
  const { client, read, leave } = showing(
    ofApp('GET /api/proxies/:id', 'removed'),
    ofApp('GET /api/proxies/:id/use', 'removed'),
    { key: 'GET /api/proxies', data: [] },
  );
  await renewAfterAct(client, 'proxies', { removed: true });
  expect(read).toEqual(['GET /api/proxies']);
  leave();
});

it('reads the records of a zone that is no longer listed no more', async () => {
  const { client, read, leave } = showing(
    ofApp('GET /api/zones/:id/records', 'unlinked'),
    ofApp('GET /api/zones/:id/records', 'kept'),
    { key: 'GET /api/zones', data: { linked: true, zones: [{ id: 'kept' }] } },
  );
  await renewTopic(client, 'zones');
  expect(read).toEqual(['GET /api/zones', 'GET /api/zones/:id/records kept']);
  leave();
});

/** The page of an app, of which an operation is listed. */
const appPage = (operation: Pick<Operation, 'kind' | 'state'>) =>
  showing(
    { key: 'GET /api/apps', data: [{ id: 'a1', serverId: 's1' }] },
    ofApp('GET /api/apps/:id/continuous-deployment', 'a1'),
    {
      key: 'GET /api/operations',
      input: { query: { active: 'true' } },
      data: [{ ...operation, appId: 'a1', databaseId: null, serverId: 's1' }],
    },
  );

it.each(['app.destroy', 'server.remove'] as const)(
  'asks nothing more of an app during %s, because the app may be gone when the request arrives',
  async (kind) => {
    const { client, read, leave } = appPage({ kind, state: 'running' });
    await renewTouched(client, 'operations');
    await renewTouched(client, 'apps');
    expect(read).toEqual(['GET /api/operations', 'GET /api/apps', 'GET /api/apps']);
    leave();
  },
);

it.each([
  { kind: 'app.destroy', asked: [] },
  { kind: 'app.restart', asked: ['GET /api/apps/:id/known a1'] },
] as const)('reads of what is kept of an app during $kind: $asked', async ({ kind, asked }) => {
  const { client, read, leave } = showing(ofApp('GET /api/apps/:id/known', 'a1'), {
    key: 'GET /api/operations',
    input: { query: { active: 'true' } },
    data: [{ kind, state: 'running', appId: 'a1', databaseId: null, serverId: 's1' }],
  });
  await renewTopic(client, 'operations');
  read.length = 0;
  renewReadings(client, 'a1');
  await Promise.resolve();
  expect(read).toEqual(asked);
  leave();
});

it.each([
  { kind: 'app.destroy', state: 'running', leaves: true },
  { kind: 'server.remove', state: 'queued', leaves: true },
  { kind: 'app.destroy', state: 'failed', leaves: false },
  { kind: 'app.restart', state: 'running', leaves: false },
] as const)('an app with $kind, $state, is about to go: $leaves', async ({ leaves, ...operation }) => {
  const { client, leave } = appPage(operation);
  await renewTouched(client, 'operations');
  await renewTouched(client, 'apps');
  expect(isLeaving(client, 'apps', 'a1')).toBe(leaves);
  expect(isLeaving(client, 'apps', 'another')).toBe(false);
  leave();
});

it.each([
  { kind: 'app.destroy', state: 'failed' },
  { kind: 'app.continuous', state: 'running' },
] as const)('reads an app’s own records again when $kind is $state', async (operation) => {
  const { client, read, leave } = appPage(operation);
  await renewTouched(client, 'operations');
  expect(read).toEqual([
    'GET /api/operations',
    'GET /api/apps',
    'GET /api/apps/:id/continuous-deployment a1',
  ]);
  leave();
});

it('asks nothing more of an app whose destruction began, even before the change of the operation arrives', async () => {
  const { client, read, leave } = appPage({ kind: 'app.destroy', state: 'running' });
  await renewAfterAct(client, 'apps', { kind: 'app.destroy', state: 'queued', appId: 'a1' });
  expect(read).toEqual(['GET /api/operations', 'GET /api/apps']);
  leave();
});

it.each([null, { kind: 'app.restart', state: 'queued', appId: 'a1' }])(
  'reads an app’s own records again after an act that answers %o',
  async (answer) => {
    const { client, read, leave } = showing(
      { key: 'GET /api/apps', data: [{ id: 'a1', serverId: 's1' }] },
      ofApp('GET /api/apps/:id/continuous-deployment', 'a1'),
    );
    await renewAfterAct(client, 'apps', answer);
    expect(read).toEqual(['GET /api/apps', 'GET /api/apps/:id/continuous-deployment a1']);
    leave();
  },
);

it('reads a record whose list no page shows', async () => {
  const client = new QueryClient();
  client.setQueryData(queryKeyOf('GET /api/apps'), [{ id: 'older' }]);
  const key = queryKeyOf('GET /api/apps/:id/notifications', { params: { id: 'newer' } });
  client.setQueryData(key, {});
  await renewTopic(client, 'apps');
  expect(client.getQueryState(key)?.isInvalidated).toBe(true);
});
