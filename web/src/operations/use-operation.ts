import type { Operation, OperationLine } from '@homeport/contract/operations/schema';
import { useEffect, useRef, useState } from 'react';
import type { StreamState } from '../ui/dialog/OperationDialog.tsx';
import { appendLines, emptyLog, type LogState } from '../ui/log/log-lines.ts';
import { formatIso } from '../ui/text/format.ts';
import { type Following, followOperation, retrySeconds } from './follow-operation.ts';
import { showNewToasts } from './operation-toasts.ts';

export interface OperationView {
  operation: Operation | null;
  log: LogState;
  stream: StreamState;
  /** Reads the stream from its beginning again, after the operation was started once more. */
  followAgain: () => void;
}

const kinds = { out: 'out', err: 'err', note: 'out' } as const;
const toLogLine = (line: OperationLine) => ({ text: line.text, at: line.at, kind: kinds[line.stream] });
const clock = (at: number) => formatIso(at).slice(11, 19);

/** The operation as it goes on, its log and how its stream stands; null follows nothing. Shows the operation's toasts. */
export function useOperation(id: string | null): OperationView {
  const [operation, setOperation] = useState<Operation | null>(null);
  const [log, setLog] = useState(emptyLog);
  const [link, setLink] = useState<
    { kind: 'live' } | { kind: 'ended' } | { kind: 'lost'; attempt: number; at: number | null }
  >({ kind: 'live' });
  const [now, setNow] = useState(Date.now);
  const [round, setRound] = useState(0);
  const following = useRef<Following | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round follows the same operation again
  useEffect(() => {
    setOperation(null);
    setLog(emptyLog);
    setLink({ kind: 'live' });
    if (id === null) return;
    let lostAt: number | null = null;
    const current = followOperation(id, {
      onState(next) {
        setOperation(next);
        showNewToasts(next);
      },
      onLines: (lines) => setLog((before) => appendLines(before, lines.map(toLogLine))),
      onConnected() {
        setLink({ kind: 'live' });
        if (lostAt === null) return;
        const text = `connection lost ${clock(lostAt)}, back ${clock(Date.now())}`;
        setLog((before) => appendLines(before, [{ text, kind: 'rule' }]));
        lostAt = null;
      },
      onLost(attempt, seconds) {
        lostAt ??= Date.now();
        setLink({ kind: 'lost', attempt, at: seconds === null ? null : Date.now() + seconds * 1_000 });
      },
      onOver: () => setLink({ kind: 'ended' }),
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
          retryInSeconds: link.at === null ? null : Math.max(0, Math.ceil((link.at - now) / 1_000)),
          attempt: link.attempt,
          attempts: retrySeconds.length,
          onRetryNow: () => following.current?.retryNow(),
        }
      : link;
  return { operation, log, stream, followAgain: () => setRound((count) => count + 1) };
}
