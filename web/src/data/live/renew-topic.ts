import { isOver, type OperationKind } from '@homeport/contract/operations/facts';
import type { Operation } from '@homeport/contract/operations/schema';
import type { QueryClient, QueryKey, QueryState } from '@tanstack/react-query';
import { type GetKey, queryKeyOf } from '../api-query.ts';
import { topicKey } from '../query-keys.ts';
import type { RouteOutput } from '../route-types.ts';

/**
 * Has the lists of a topic read again, and then the queries about one record each. A record that is no longer in the list is gone,
 * and a record whose destruction is under way may be gone when the request arrives. Reading such a record would only fail: its page
 * leaves by itself. When a destruction ends early, the change of its operation has the record read again.
 */
export async function renewTopic(client: QueryClient, topic: string): Promise<void> {
  const queryKey = [topic];
  await client.invalidateQueries({ queryKey, predicate: (query) => recordOf(query.queryKey) === undefined });
  const leaving = leavingIds(client);
  const present = presentIds(client, topic, leaving);
  await client.invalidateQueries({
    queryKey,
    predicate: (query) => {
      const id = recordOf(query.queryKey);
      return id !== undefined && !leaving.has(id) && (present === null || present.has(id));
    },
  });
}

/**
 * Has a topic read again after an act on one of its records. `answer` is the console's. If the act began the end of a record, the
 * operations are read first, because they tell which records are about to go. A record that the act itself removed is left out by its
 * list.
 */
export async function renewAfterAct(client: QueryClient, topic: string, answer: unknown): Promise<void> {
  const ends = typeof answer === 'object' && answer !== null && 'kind' in answer && isEnding(answer.kind);
  const removed = typeof answer === 'object' && answer !== null && 'removed' in answer;
  if (removed && topic === endsAtOnce) return renewTopic(client, topic);
  if (!ends) return client.invalidateQueries({ queryKey: [topic] });
  await renewTopic(client, 'operations');
  await renewTopic(client, topic);
}

/** The records that a request removes. Apps, databases and servers go by an operation; of the others no page shows one alone. */
const endsAtOnce = 'proxies';

/** Whether the end of this app or database is under way, alone or with its server. */
export function isLeaving(client: QueryClient, topic: 'apps' | 'databases', id: string): boolean {
  const leaving = leavingIds(client);
  if (leaving.has(id)) return true;
  const key = listKeys[topic];
  const listed = key && client.getQueryState<Listed>(queryKeyOf(key))?.data?.find((each) => each.id === id);
  return listed?.serverId !== undefined && leaving.has(listed.serverId);
}

/** The id of the record that a query is about. undefined for a list. */
const recordOf = (queryKey: QueryKey) => ((queryKey[2] ?? {}) as { params?: { id?: string } }).params?.id;

type Listed = readonly { id: string; serverId?: string }[];

/**
 * The ids in the topic's list, without those that go with their server. null: no page shows a list that was read again, so the list
 * tells nothing.
 */
function presentIds(
  client: QueryClient,
  topic: string,
  leaving: ReadonlySet<string>,
): ReadonlySet<string> | null {
  if (topic === 'zones') {
    const state = client.getQueryState<RouteOutput<'GET /api/zones'>>(queryKeyOf('GET /api/zones'));
    return idsOf(state, ({ zones }) => zones);
  }
  const key = listKeys[topic];
  if (!key) return null;
  const stays = ({ serverId }: Listed[number]) => serverId === undefined || !leaving.has(serverId);
  return idsOf(client.getQueryState<Listed>(queryKeyOf(key)), (list) => list.filter(stays));
}

const listKeys: Partial<Record<string, GetKey>> = {
  apps: 'GET /api/apps',
  databases: 'GET /api/databases',
  proxies: 'GET /api/proxies',
  servers: 'GET /api/servers',
};

function idsOf<Data>(
  state: QueryState<Data> | undefined,
  listOf: (data: Data) => Listed,
): ReadonlySet<string> | null {
  if (state?.data === undefined || state.isInvalidated) return null;
  return new Set(listOf(state.data).map(({ id }) => id));
}

const operationsKey: GetKey = 'GET /api/operations';

/** The servers, apps and databases whose destruction is under way, by the lists of operations that the page shows. */
function leavingIds(client: QueryClient): ReadonlySet<string> {
  const shown = client.getQueriesData<readonly Operation[]>({
    queryKey: [...topicKey('operations'), operationsKey],
    type: 'active',
  });
  const ids = shown
    .flatMap(([, operations]) => operations ?? [])
    .filter(({ state }) => !isOver(state))
    .map(leavingWith);
  return new Set(ids.filter((id) => id !== null));
}

/** The kinds of operations that end a record, and where they name it. */
const endings = {
  'app.destroy': 'appId',
  'database.delete': 'databaseId',
  'server.remove': 'serverId',
} as const satisfies Partial<Record<OperationKind, keyof Operation>>;

const isEnding = (kind: unknown): kind is keyof typeof endings => typeof kind === 'string' && kind in endings;

/** The record that ends with this operation. */
const leavingWith = (operation: Operation): string | null =>
  isEnding(operation.kind) ? operation[endings[operation.kind]] : null;
