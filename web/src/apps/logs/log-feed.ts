import type { AppLogEvent } from '@homeport/contract/apps/schema';
import { appendLines, emptyLog, type LogLine, type LogState } from '../../ui/log/log-lines.ts';
import { formatClock } from '../../ui/text/format.ts';
import type { LogLink } from './follow-log.ts';
import type { LogRoute } from './open-log.ts';

/** A log that grows, apart from the page: what shows it is drawn again, and nothing else. */
export interface LogFeed {
  subscribe: (listener: () => void) => () => void;
  log: () => LogState;
  link: () => LogLink;
  /** After which event the stream is read on; null from its beginning. */
  lastEventId: () => string | null;
  tell: (event: AppLogEvent, id: string) => void;
  tellLink: (link: LogLink) => void;
  /** Another log from here: of other lines or of another process. */
  reset: () => void;
}

const keptLines = 200_000;
/** Dropped at once when there are more: each dropping moves all that stay. */
const droppedTogether = 10_000;
/** Lines that come within this time are shown together. */
const together = 100;

/** An app's own log goes on after a break and after a deploy. The log of a deploy begins anew with each. */
export function createLogFeed(route: LogRoute): LogFeed {
  const goesOn = route === 'GET /api/apps/:id/logs';
  const listeners = new Set<() => void>();
  let log = emptyLog;
  let link: LogLink = { kind: 'opening' };
  let waiting: Omit<LogLine, 'number'>[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let broke: string | null = null;
  let lastEventId: string | null = null;
  const changed = () => {
    for (const listener of listeners) listener();
  };
  const show = () => {
    timer = undefined;
    if (waiting.length === 0) return;
    const over = log.lines.length + waiting.length > keptLines;
    log = appendLines(log, waiting, over ? keptLines - droppedTogether : keptLines);
    waiting = [];
    changed();
    timer = setTimeout(show, together);
  };
  const add = (lines: readonly Omit<LogLine, 'number'>[]) => {
    for (const line of lines) waiting.push(line);
    if (timer === undefined) show();
  };
  const remark = (text: string) => add([{ text, kind: 'rule' }]);
  const reset = () => {
    log = emptyLog;
    waiting = [];
    broke = null;
    lastEventId = null;
    changed();
  };
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    log: () => log,
    link: () => link,
    lastEventId: () => lastEventId,
    reset,
    tell(event, id) {
      if (id !== '') lastEventId = id;
      if (event.type === 'missing') {
        remark(`Lines ${event.process === null ? '' : `of ${event.process} `}may be missing here`);
      } else if (event.type === 'anew') {
        if (!goesOn) reset();
        else remark(`${event.process} runs in a new container from here`);
      } else if (event.type === 'lines') {
        if (broke !== null) remark(`${broke} Back ${formatClock(Date.now())}.`);
        broke = null;
        add(event.lines.map(toLogLine));
      }
    },
    tellLink(next) {
      const wasLive = link.kind === 'live';
      link = next;
      if (wasLive && next.kind === 'paused' && next.reason !== null && goesOn) {
        broke ??= `${formatClock(Date.now())} ${next.reason}`;
      }
      changed();
    },
  };
}

type RemoteLine = Extract<AppLogEvent, { type: 'lines' }>['lines'][number];

const toLogLine = ({ at, process, text }: RemoteLine) => ({
  at,
  text: process === '' ? text : `${process}  ${text}`,
});
