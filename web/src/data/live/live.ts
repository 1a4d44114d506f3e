import type { ChangeTopic } from '@homeport/contract/live/facts';
import type { Change } from '@homeport/contract/live/schema';
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { afterPaint } from '../../ui/after-paint.ts';
import { apiQuery, type GetKey } from '../api-query.ts';
import { liveSocket, openStream } from '../open-stream.ts';
import { onServerKey, topicKey } from '../query-keys.ts';
import { sessionKey } from '../session-key.ts';
import type { LiveSocket } from './live-socket.ts';
import { isLeaving, renewTopic } from './renew-topic.ts';

export type LiveState = 'connecting' | 'live' | 'polling';

let state: LiveState = 'connecting';
const listeners = new Set<() => void>();

function setState(next: LiveState) {
  if (next === state) return;
  state = next;
  for (const listener of listeners) listener();
}

/**
 * Topics whose queries also contain other records. A list of apps names each app's server, and the session
 * contains the profile.
 */
const alsoTouched: Partial<Record<Change['topic'], readonly string[]>> = {
  operations: ['apps', 'servers', 'databases'],
  // What a revoked token proposed cannot be approved.
  tokens: ['proposals'],
  profile: ['session'],
};

const statsAtMostEveryMs = 2_000;

/**
 * Reports of many servers arrive one by one. This function reads the changed data together: at once, and then
 * at most every two seconds. A report without a server may concern any server.
 */
export function batchStats(read: (servers: ReadonlySet<string> | null) => void) {
  let waiting: Set<string> | null = new Set();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    timer = undefined;
    if (waiting?.size === 0) return;
    const servers = waiting;
    waiting = new Set();
    read(servers);
    timer = setTimeout(flush, statsAtMostEveryMs);
  };
  return {
    add(server: string | null) {
      waiting = server === null ? null : (waiting?.add(server) ?? null);
      if (!timer) flush();
    },
    stop: () => clearTimeout(timer),
  };
}

/**
 * Reads the list of latest stats again, and the series of these servers and apps. null means all of them. A
 * server's report covers its apps too.
 */
export function renewStats(client: QueryClient, ids: ReadonlySet<string> | null): void {
  const servers = client.getQueryData(apiQuery('GET /api/servers').queryKey) ?? [];
  const apps = client.getQueryData(apiQuery('GET /api/apps').queryKey) ?? [];
  const monitors = new Set([
    ...servers.filter(({ id }) => ids?.has(id)).map(({ monitorId }) => monitorId),
    ...apps
      .filter(({ id, serverId }) => ids?.has(id) || ids?.has(serverId))
      .map(({ monitorId }) => monitorId),
  ]);
  void client.invalidateQueries({
    queryKey: topicKey('stats'),
    predicate: ({ queryKey }) => {
      const monitor = monitorOf(queryKey);
      return ids === null || monitor === undefined || monitors.has(monitor);
    },
  });
}

/**
 * Reads the monitor's data on one app again. The monitor's data on servers and databases has not changed, and the bars of past checks
 * change with the next report only.
 */
export function renewAppStats(client: QueryClient, id: string): void {
  const apps = client.getQueryData(apiQuery('GET /api/apps').queryKey) ?? [];
  const app = apps.find((each) => each.id === id);
  void client.invalidateQueries({
    queryKey: topicKey('stats'),
    predicate: ({ queryKey }) => {
      const monitor = monitorOf(queryKey);
      if (changeWithReports.has(queryKey[1])) return false;
      return monitor === undefined || monitor === app?.monitorId;
    },
  });
}

/** A database may be about to go when its last app changes, so its figures are not asked for then. */
const changeWithReports: ReadonlySet<unknown> = new Set<GetKey>([
  'GET /monitor/dumps',
  'GET /monitor/databases',
  'GET /monitor/databases/:id',
  'GET /monitor/uptime/:monitorId/bars',
]);

/** The server or app that a query is about. */
const monitorOf = (queryKey: QueryKey) =>
  ((queryKey[2] ?? {}) as { params?: { monitorId?: string } }).params?.monitorId;

/**
 * Follows changes for the signed-in user and reads the changed data again. While the stream is down, each
 * query refreshes itself every minute. Returns a function that stops following.
 */
export function followChanges(client: QueryClient): () => void {
  const stop = new AbortController();
  // The page draws first.
  void afterPaint().then(() => follow(client, stop.signal));
  return () => {
    stop.abort();
    setState('connecting');
  };
}

/** A stream that takes longer to open may have missed changes. */
const opensWithinMs = 2_000;

/**
 * Milliseconds since the page began to load. The page's clock may stand still while the machine sleeps, and the machine's
 * clock may be set back, so the later of both counts.
 */
export function pageAgeMs(
  ofPage: Pick<Performance, 'now' | 'timeOrigin'> = performance,
  now = Date.now(),
): number {
  return Math.max(0, Math.ceil(ofPage.now()), Math.ceil(now - ofPage.timeOrigin));
}

async function follow(client: QueryClient, signal: AbortSignal): Promise<void> {
  const socket = liveSocket();
  const { add: readStats, stop: stopStats } = batchStats((servers) => renewStats(client, servers));
  signal.addEventListener('abort', stopStats, { once: true });
  let tries = 0;
  const readAll = () => void client.invalidateQueries();
  // Only the first try follows the page's first data closely enough to ask for the changes since then.
  let first = true;
  while (!signal.aborted) {
    const openedAt = Date.now();
    try {
      const options = { after: null, signal, onResumed: readAll };
      // The first data may be as old as the page. Therefore the stream starts with the changes since then.
      const ageMs = pageAgeMs();
      const query = first ? { readMsAgo: ageMs + opensWithinMs } : {};
      const changes = await openStream('GET /api/events', { query }, options);
      // Reads the changes that happened while the stream was down, or for longer than the console was told.
      if (!first || pageAgeMs() - ageMs > opensWithinMs) readAll();
      setState('live');
      for await (const { data } of changes) renew(client, data, readStats);
    } catch {
      // The console refuses or is out of reach. The page asks every minute meanwhile.
    }
    if (signal.aborted) return;
    first = false;
    setState('polling');
    // A page whose session is over leaves once it has read so. Another try before that would only be refused.
    if (socket.closeCode() === sessionEnded) await client.invalidateQueries({ queryKey: sessionKey });
    if (Date.now() - openedAt > goodAfterMs) tries = 0;
    await pause(backOffMs(tries, Math.random()), socket, signal);
    tries += 1;
  }
}

/**
 * The close code with which the console ends the sockets of an ended session (RFC 6455, 7.4.1: policy
 * violation).
 */
const sessionEnded = 1008;
/** A stream that lived this long counts as healthy: the next wait starts short again. */
const goodAfterMs = 10_000;
const longestWaitMs = 60_000;

/**
 * 1 s, 2 s, 4 s and so on, up to a minute. A random part of up to half is taken off, so that pages do not all
 * return at once.
 */
export function backOffMs(tries: number, drawn: number): number {
  return Math.min(longestWaitMs, 1_000 * 2 ** tries) * (1 - drawn / 2);
}

/**
 * Ends early when a retry is worthwhile: the socket opened, the network returned, or the user looks at the
 * page.
 */
function pause(ms: number, { onHope }: Pick<LiveSocket, 'onHope'>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      stopHoping();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    const stopHoping = onHope(end);
    signal.addEventListener('abort', end, { once: true });
  });
}

function renew(client: QueryClient, { topic, id }: Change, readStats: (id: string | null) => void): void {
  if (topic === 'stats') {
    readStats(id);
    return;
  }
  if (topic === 'environment') {
    // The server holds the values. A connected page that shows them reads them from the server again.
    void client.invalidateQueries({
      queryKey: onServerKey('GET /api/apps/:id/environment', id),
    });
    return;
  }
  if (topic === 'readings') {
    if (id !== null) renewReadings(client, id);
    return;
  }
  void renewTouched(client, topic).then(() => {
    // The monitor knows whether an app is checked from outside. A deleted app has nothing to read.
    if (topic === 'apps' && id !== null) renewAppStats(client, id);
  });
}

/** What the console keeps of an app. Of one that is about to go it keeps nothing when the request arrives. */
export function renewReadings(client: QueryClient, id: string): void {
  if (isLeaving(client, 'apps', id)) return;
  void client.invalidateQueries(apiQuery('GET /api/apps/:id/known', { params: { id } }));
}

/** The topic first, because operations tell which records are about to go. */
export async function renewTouched(client: QueryClient, topic: ChangeTopic): Promise<void> {
  await renewTopic(client, topic);
  await Promise.all((alsoTouched[topic] ?? []).map((each) => renewTopic(client, each)));
}

/** Whether changes stream in, or the page asks every minute. */
export function useLiveState(): LiveState {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );
}
