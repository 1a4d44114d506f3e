import type { AppLogEvent } from '@homeport/contract/apps/schema';
import { appendLines, emptyLog, type LogLine, type LogState } from '../ui/log/log-lines.ts';
import { formatClock } from '../ui/text/format.ts';
import type { LogLink } from './follow-log.ts';
import type { LogRoute } from './open-log.ts';

/** A growing log that lives outside React, so that only the components that show it are drawn again. */
export interface LogFeed {
  subscribe: (listener: () => void) => () => void;
  log: () => LogState;
  link: () => LogLink;
  /** Whether the server has answered: with a line, or with a log that has none. */
  answered: () => boolean;
  /** The time after which the console reads the log again. null when it follows the log. */
  everyMs: () => number | null;
  /** The event after which the stream continues. null starts from the beginning. */
  lastEventId: () => string | null;
  tell: (event: AppLogEvent, id: string) => void;
  tellLink: (link: LogLink) => void;
  /** Starts another log: of other lines or of another process. */
  reset: () => void;
  /** The lines that follow are of new containers. Old ones may have written later than their first lines, so all are read. */
  renew: () => void;
}

const keptLines = 200_000;
/**
 * The number of lines dropped in one go when the log is full. Dropping moves all kept lines, so it must be
 * rare.
 */
const droppedTogether = 10_000;
/** Milliseconds. Lines that arrive within this time are shown together. */
const together = 100;

/**
 * An app's own log continues after a broken connection and after a deploy. The log of a deploy starts anew with each deploy, and
 * the log of a database with each reading, because its lines have no times.
 */
export function createLogFeed(route: LogRoute): LogFeed {
  const goesOn = route === 'GET /api/apps/:id/logs';
  const listeners = new Set<() => void>();
  let log = emptyLog;
  let link: LogLink = { kind: 'opening' };
  let waiting: Omit<LogLine, 'number'>[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let broke: string | null = null;
  let lastEventId: string | null = null;
  let answered = false;
  let everyMs: number | null = null;
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
    answered = false;
    changed();
  };
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    log: () => log,
    link: () => link,
    answered: () => answered,
    everyMs: () => everyMs,
    lastEventId: () => lastEventId,
    reset,
    renew() {
      if (lastEventId === null) return;
      lastEventId = null;
      remark('New containers from here');
    },
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
        answered = true;
        add(event.lines.map(toLogLine));
      } else if (event.type === 'empty') {
        answered = true;
        changed();
      } else if (event.type === 'polled') {
        everyMs = event.everyMs;
        changed();
      }
    },
    tellLink(next) {
      const wasLive = link.kind === 'live';
      link = next;
      if (next.kind !== 'live') everyMs = null;
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
