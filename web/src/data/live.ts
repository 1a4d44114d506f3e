import type { Change } from '@homeport/contract/live';
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { afterPaint } from '../ui/after-paint.ts';
import { apiQuery, type GetKey } from './api-query.ts';
import type { LiveSocket } from './live-socket.ts';
import { liveSocket, openStream } from './open-stream.ts';
import { sessionKey } from './session-key.ts';

export type LiveState = 'connecting' | 'live' | 'polling';

let state: LiveState = 'connecting';
const listeners = new Set<() => void>();

function setState(next: LiveState) {
  if (next === state) return;
  state = next;
  for (const listener of listeners) listener();
}

/** Topics whose queries other records are part of: an app's list says its server, a change of the profile is the session's. */
const alsoTouched: Partial<Record<Change['topic'], readonly string[]>> = {
  operations: ['apps', 'servers'],
  profile: ['session'],
};

const statsAtMostEveryMs = 2_000;

/**
 * Reports of many servers come one by one: what they changed is read again together, at once and then at most every two
 * seconds. Without a server it may be any.
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
 * Has the list of latest stats read again, and the series of these servers and apps; of all where none is named. A server
 * reports for its apps too.
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
    queryKey: ['stats'],
    predicate: ({ queryKey }) => {
      const monitor = monitorOf(queryKey);
      return ids === null || monitor === undefined || monitors.has(monitor);
    },
  });
}

/** Has what the monitor knows of one app read again. What it knows of servers is the same as before. */
export function renewAppStats(client: QueryClient, id: string): void {
  const apps = client.getQueryData(apiQuery('GET /api/apps').queryKey) ?? [];
  const app = apps.find((each) => each.id === id);
  void client.invalidateQueries({
    queryKey: ['stats'],
    predicate: ({ queryKey }) => {
      const monitor = monitorOf(queryKey);
      return queryKey[1] !== serverStatsKey && (monitor === undefined || monitor === app?.monitorId);
    },
  });
}

const serverStatsKey: GetKey = 'GET /monitor/dumps';

/** Whom a query about one server or app asks after. */
const monitorOf = (queryKey: QueryKey) =>
  ((queryKey[2] ?? {}) as { params?: { monitorId?: string } }).params?.monitorId;

/**
 * Follows what changes for the signed-in person and has it read again. While the stream is down the queries' own minute
 * keeps the page fresh. Returns the stop.
 */
export function followChanges(client: QueryClient): () => void {
  const stop = new AbortController();
  // The page is drawn first.
  void afterPaint().then(() => follow(client, stop.signal));
  return () => {
    stop.abort();
    setState('connecting');
  };
}

async function follow(client: QueryClient, signal: AbortSignal): Promise<void> {
  const socket = liveSocket();
  const { add: readStats, stop: stopStats } = batchStats((servers) => renewStats(client, servers));
  signal.addEventListener('abort', stopStats, { once: true });
  let tries = 0;
  let first = true;
  while (!signal.aborted) {
    const openedAt = Date.now();
    try {
      const readAll = () => void client.invalidateQueries(first ? { type: 'active' } : {});
      const options = { after: null, signal, onResumed: readAll };
      // The first reading began after the page's own beginning: the stream begins with what changed since.
      const query = first ? { readMsAgo: Math.ceil(performance.now()) } : {};
      const changes = await openStream('GET /api/events', { query }, options);
      // Changes that happened while nobody listened.
      if (!first) readAll();
      first = false;
      setState('live');
      for await (const { data } of changes) renew(client, data, readStats);
    } catch {
      // Refused, or out of reach: the page asks every minute meanwhile.
    }
    if (signal.aborted) return;
    setState('polling');
    if (socket.closeCode() === sessionEnded) void client.invalidateQueries({ queryKey: sessionKey });
    if (Date.now() - openedAt > goodAfterMs) tries = 0;
    await pause(backOffMs(tries, Math.random()), socket, signal);
    tries += 1;
  }
}

/** The console closes the sockets of a session that is over (RFC 6455, 7.4.1: policy violation). */
const sessionEnded = 1008;
/** A stream that lived this long was a good one: the next wait is short again. */
const goodAfterMs = 10_000;
const longestWaitMs = 60_000;

/** 1 s, 2 s, 4 s and so on up to a minute, less a drawn part of up to a half, so that pages do not all come back at once. */
export function backOffMs(tries: number, drawn: number): number {
  return Math.min(longestWaitMs, 1_000 * 2 ** tries) * (1 - drawn / 2);
}

/** Ends early when trying again is worth it: the socket is there again, the network is, or somebody looks. */
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
    // The values stand on the server: a page that shows them, and is connected, reads them there again.
    void client.invalidateQueries({
      queryKey: ['on-server', 'GET /api/apps/:id/environment', ...(id === null ? [] : [id])],
    });
    return;
  }
  const renewed = [topic, ...(alsoTouched[topic] ?? [])].map((each) =>
    client.invalidateQueries({ queryKey: [each] }),
  );
  // Whether an app is watched from outside is the monitor's to tell; of one that is gone there is nothing to ask.
  if (topic === 'apps' && id !== null) void Promise.all(renewed).then(() => renewAppStats(client, id));
}

/** Whether changes stream in, or are asked for every minute. */
export function useLiveState(): LiveState {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );
}
