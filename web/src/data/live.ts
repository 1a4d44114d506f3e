import type { Change } from '@homeport/contract/live';
import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

export type LiveState = 'live' | 'polling';

const retryAfterMs = 10_000;
let state: LiveState = 'polling';
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

/**
 * Follows what changes for the signed-in person and has it read again. While the stream is down the queries' own minute
 * keeps the page fresh. Returns the stop.
 */
export function followChanges(client: QueryClient): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const open = () => {
    source = new EventSource('/api/events');
    source.onopen = () => {
      // Changes that happened while nobody listened.
      if (state === 'polling') void client.invalidateQueries({ type: 'active' });
      setState('live');
    };
    source.onmessage = ({ data }) => {
      const change = readChange(data);
      if (!change) return;
      for (const topic of [change.topic, ...(alsoTouched[change.topic] ?? [])]) {
        void client.invalidateQueries({ queryKey: [topic] });
      }
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
    setState('polling');
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
