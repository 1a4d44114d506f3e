import type { Operation } from '@homeport/contract/operations/schema';
import { useEffect, useReducer, useRef, useState } from 'react';
import type { StreamState } from '../ui/dialog/OperationDialog.tsx';
import type { LogState } from '../ui/log/log-lines.ts';
import { type Following, followOperation, retrySeconds } from './follow-operation.ts';
import { markSeen } from './mark-seen.ts';
import { nothingRead, reduceOperation } from './operation-reading.ts';
import { showNewToasts } from './operation-toasts.ts';

export interface OperationView {
  operation: Operation | null;
  log: LogState;
  stream: StreamState;
  /** Reads the stream from its beginning, after the operation was started again. */
  followAgain: () => void;
}

/**
 * An operation as it goes on, with its log and its stream's state. Also shows the operation's toasts. null
 * follows nothing.
 */
export function useOperation(id: string | null): OperationView {
  const [{ operation, log, link }, dispatch] = useReducer(reduceOperation, nothingRead);
  const [now, setNow] = useState(Date.now);
  const [round, setRound] = useState(0);
  const following = useRef<Following | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round follows the same operation again
  useEffect(() => {
    dispatch({ kind: 'begun' });
    if (id === null) return;
    const current = followOperation(id, {
      onState(next) {
        dispatch({ kind: 'state', operation: next });
        showNewToasts(next);
        markSeen(next);
      },
      onLines: (lines) => dispatch({ kind: 'lines', lines }),
      onConnected: () => dispatch({ kind: 'connected', at: Date.now() }),
      onLost: (attempt, retryInSeconds) =>
        dispatch({ kind: 'lost', at: Date.now(), attempt, retryInSeconds }),
      onOver: () => dispatch({ kind: 'over' }),
    });
    following.current = current;
    return current.stop;
  }, [id, round]);

  const counting = link.kind === 'lost';
  useEffect(() => {
    if (!counting) return;
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, [counting]);

  const stream: StreamState =
    link.kind === 'lost'
      ? {
          kind: 'lost',
          retryInSeconds: link.retryAt === null ? null : Math.max(0, Math.ceil((link.retryAt - now) / 1_000)),
          attempt: link.attempt,
          attempts: retrySeconds.length,
          onRetryNow: () => following.current?.retryNow(),
        }
      : link;
  return { operation, log, stream, followAgain: () => setRound((count) => count + 1) };
}
