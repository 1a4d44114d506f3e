import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { call } from '../data/call.ts';
import { isLeaving } from '../data/live/renew-topic.ts';
import type { LogState } from '../ui/log/log-lines.ts';
import { followLog, type LogLink } from './follow-log.ts';
import { createLogFeed, type LogFeed } from './log-feed.ts';
import { type LogRoute, type LogSource, openLog } from './open-log.ts';

/** `once` reads to the end, for a log that no longer grows. */
export type Reading = 'not' | 'once' | 'on';

/**
 * A log of an app or a database, followed as long as `reading` asks for. A change of `round` opens the log again at once,
 * and reading continues at its last position. Another source is another log. Another `generation` of containers is read from the
 * beginning, below the lines of the one before.
 */
export function useLogFeed(
  source: LogSource,
  reading: Reading,
  round: string,
  generation: string | null = null,
): LogFeed {
  const client = useQueryClient();
  const [feed] = useState(() => createLogFeed(source.route));
  const { route, id, lines, process, past } = source;
  const shown = useRef(`${id} ${lines} ${process}`);
  const shownGeneration = useRef(generation);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round opens the same log again
  useEffect(() => {
    const wanted = `${id} ${lines} ${process}`;
    if (shown.current !== wanted) feed.reset();
    shown.current = wanted;
    if (shownGeneration.current !== generation) feed.renew();
    shownGeneration.current = generation;
    if (reading === 'not') return;
    const stop = new AbortController();
    void followLog(
      {
        open: (signal) => openLog(client, { route, id, lines, process, past }, feed.lastEventId(), signal),
        onEvent: (event, position) =>
          event.type === 'changed' ? void recordChange(client, route, id) : feed.tell(event, position),
        onLink: feed.tellLink,
        again: reading === 'on',
      },
      stop.signal,
    );
    return () => stop.abort();
  }, [client, feed, route, id, lines, process, past, reading, round, generation]);
  return feed;
}

/**
 * Has the console record what the server says now, unless the record is about to go. One tab of the browser asks for all, because a reading may cost the
 * server several commands. If the reading fails, the stream tells of the change again.
 */
async function recordChange(client: QueryClient, route: LogRoute, id: string): Promise<void> {
  if (isLeaving(client, route === 'GET /api/databases/:id/logs' ? 'databases' : 'apps', id)) return;
  const params = { id };
  const record = async () => {
    if (route === 'GET /api/databases/:id/logs') await call('POST /api/databases/:id/refresh', { params });
    else await call('POST /api/apps/:id/refresh', { params, query: { noticed: 'true' } });
  };
  const name = `homeport record of ${id}`;
  try {
    if (!navigator.locks) return await record();
    await navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
      if (lock) await record();
    });
  } catch {
    // The stream tells of the change again.
  }
}

/** The lines of a feed. Each arrival draws the component again. */
export const useLogState = (feed: LogFeed): LogState => useSyncExternalStore(feed.subscribe, feed.log);

export const useLogLink = (feed: LogFeed): LogLink => useSyncExternalStore(feed.subscribe, feed.link);

export const useLogAnswered = (feed: LogFeed): boolean => useSyncExternalStore(feed.subscribe, feed.answered);

/** The time after which the console reads the log again. null when it follows the log. */
export const useLogInterval = (feed: LogFeed): number | null =>
  useSyncExternalStore(feed.subscribe, feed.everyMs);
