import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { formatClock } from '../../ui/format.ts';
import { appendLines, emptyLog, type LogState } from '../../ui/log/log-lines.ts';
import { followLog, type LogLink } from './follow-log.ts';
import { freshLines, noteSeen, nothingSeen, type RemoteLine } from './fresh-lines.ts';
import { type LogRoute, openLog } from './open-log.ts';

export interface AppLogView {
  log: LogState;
  link: LogLink;
}

/** Reads the same lines again? The app's log goes on after them; a deploy's begins anew. */
const goesOn: Record<LogRoute, boolean> = {
  'GET /api/apps/:id/logs': true,
  'GET /api/apps/:id/deploy-log': false,
};

/** A log of an app as it goes on; null reads nothing. It is opened again at once whenever `round` changes. */
export function useAppLog(route: LogRoute, id: string | null, round: string): AppLogView {
  const client = useQueryClient();
  const [log, setLog] = useState(emptyLog);
  const [link, setLink] = useState<LogLink>({ kind: 'opening' });
  const seen = useRef(nothingSeen);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round opens the same log again
  useEffect(() => {
    if (id === null) return;
    const stop = new AbortController();
    let before = nothingSeen;
    let anew = false;
    let live = false;
    void followLog(
      {
        open: (signal) => openLog(client, route, id, signal),
        onOpened() {
          before = seen.current;
          anew = !goesOn[route];
        },
        onLines(lines) {
          const fresh = goesOn[route] ? freshLines(lines, before) : lines;
          seen.current = noteSeen(seen.current, lines);
          const from = anew ? emptyLog : null;
          anew = false;
          setLog((shown) => appendLines(from ?? shown, fresh.map(toLogLine)));
        },
        onLink(next) {
          setLink(next);
          const broke = live && next.kind === 'paused';
          live = next.kind === 'live';
          if (!broke || !goesOn[route]) return;
          const text = `${formatClock(Date.now())} ${next.reason}`;
          setLog((shown) => appendLines(shown, [{ text, kind: 'rule' }]));
        },
      },
      stop.signal,
    );
    return () => stop.abort();
  }, [client, route, id, round]);
  return { log, link };
}

const toLogLine = ({ at, process, text }: RemoteLine) => ({
  at,
  text: process === '' ? text : `${process}  ${text}`,
});
