import type { Change } from '@homeport/contract/live';
import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { apiQuery } from './api-query.ts';

export type LiveState = 'connecting' | 'live' | 'polling';

const retryAfterMs = 10_000;
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
      const { params } = (queryKey[2] ?? {}) as { params?: { monitorId?: string } };
      return ids === null || !params?.monitorId || monitors.has(params.monitorId);
    },
  });
}

/**
 * Follows what changes for the signed-in person and has it read again. While the stream is down the queries' own minute
 * keeps the page fresh. Returns the stop.
 */
export function followChanges(client: QueryClient): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const { add: readStats, stop: stopStats } = batchStats((servers) => renewStats(client, servers));
  const open = () => {
    source = new EventSource('/api/events');
    source.onopen = () => {
      // Changes that happened while nobody listened.
      if (state !== 'live') void client.invalidateQueries({ type: 'active' });
      setState('live');
    };
    source.onmessage = ({ data }) => {
      const change = readChange(data);
      if (!change) return;
      if (change.topic === 'stats') {
        readStats(change.id);
        return;
      }
      if (change.topic === 'environment') {
        // The values stand on the server: a page that shows them, and is connected, reads them there again.
        void client.invalidateQueries({
          queryKey: [
            'on-server',
            'GET /api/apps/:id/environment',
            ...(change.id === null ? [] : [change.id]),
          ],
        });
        return;
      }
      const renewed = [change.topic, ...(alsoTouched[change.topic] ?? [])].map((topic) =>
        client.invalidateQueries({ queryKey: [topic] }),
      );
      // Whether an app is watched from outside is the monitor's to tell; of one that is gone there is nothing to ask.
      const { topic, id } = change;
      if (topic === 'apps' && id !== null)
        void Promise.all(renewed).then(() => renewStats(client, new Set([id])));
    };
    source.onerror = () => {
      setState('polling');
      // The browser tries again by itself, unless the answer was a refusal.
      if (source?.readyState !== EventSource.CLOSED) return;
      timer = setTimeout(open, retryAfterMs);
    };
  };
  open();
  return () => {
    clearTimeout(timer);
    source?.close();
    stopStats();
    setState('connecting');
  };
}

function readChange(data: unknown): Change | null {
  try {
    return JSON.parse(String(data)) as Change;
  } catch {
    return null;
  }
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
