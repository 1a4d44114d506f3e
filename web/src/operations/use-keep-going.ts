import type { Operation } from '@homeport/contract/operations/schema';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { problemText } from '../data/problem-text.ts';
import { useSession } from '../data/session.ts';
import { toast } from '../ui/feedback/toasts.ts';
import { neededConnection, reconnect } from './reconnect.ts';

/**
 * Opens the connections that operations of this sign-in wait for. Connects silently if possible. Asks the
 * user only if it must, and only on a visible page. Tries once for each wait. After that the operation's
 * window offers Connect.
 */
export function useKeepGoing(operations: readonly Operation[] | undefined): void {
  const client = useQueryClient();
  const { id: sessionId } = useSession();
  const visible = useSyncExternalStore(onVisibility, () => document.visibilityState === 'visible');
  const tried = useRef(new Set<string>());
  const line = useRef(Promise.resolve());

  useEffect(() => {
    if (!operations) return;
    const waiting = new Map(operations.map((each) => [each.id, neededHere(each, sessionId)]));
    for (const id of tried.current) if (!waiting.get(id)) tried.current.delete(id);
    for (const { id, title } of operations) {
      const needed = waiting.get(id);
      if (!needed || tried.current.has(id)) continue;
      tried.current.add(id);
      // One at a time, so that two operations that wait for the same connection ask for it only once.
      line.current = line.current.then(async () => {
        try {
          const end = await reconnect(client, needed, { quiet: !visible });
          if (end.status === 'ready') return;
          if (!visible) tried.current.delete(id);
          else if (end.code !== 'declined') toast.warn(`${title} waits. ${end.message}`);
        } catch (error) {
          toast.warn(`${title} waits. ${problemText(error)}`);
        }
      });
    }
  }, [operations, visible, client, sessionId]);
}

function neededHere(operation: Operation, sessionId: string) {
  const needed = neededConnection(operation, sessionId);
  return needed?.elsewhere ? null : needed;
}

function onVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}
