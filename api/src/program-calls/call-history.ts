import { programCallLimits } from '@homeport/contract/program-calls/facts';
import { ownerFromSession, type Store } from '@homeport/store';
import type { NoteCall, NotedCall } from '../http/note-call.ts';
import { type CallLine, writeCalls } from './write-calls.ts';

export type CallHistory = {
  note: NoteCall;
  /** Writes what waits. Afterwards nothing is written any more. */
  close(): Promise<void>;
};

type Waiting = { lines: Map<string, CallLine>; tries: number };

/** How long a call may wait until it is written. A console that is killed loses what waits. */
export const writtenWithinMs = 2_000;

/** A store that does not answer for a minute loses what waits. */
const mostTries = 30;

/**
 * Gathers the calls of programs and writes them a little later, so that no request waits for its line. Equal calls become one line with
 * a count before they reach the store. Nothing happens while no program calls.
 */
export function createCallHistory({
  store,
  clock,
  report,
}: {
  store: Pick<Store, 'transact'>;
  clock: () => number;
  report: (error: unknown) => void;
}): CallHistory {
  const waiting = new Map<string, Waiting>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let isClosed = false;

  const begin = () => {
    if (isClosed) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      writing = writing.then(writeAll);
    }, writtenWithinMs).unref();
  };

  async function writeAll(): Promise<void> {
    for (const [userId, taken] of [...waiting]) {
      waiting.delete(userId);
      try {
        await writeCalls(store, ownerFromSession(userId), [...taken.lines.values()]);
      } catch (error) {
        report(error);
        if (taken.tries < mostTries) putBack(userId, taken);
      }
    }
  }

  /** Calls that came meanwhile are added to what could not be written. */
  function putBack(userId: string, { lines, tries }: Waiting): void {
    for (const line of waiting.get(userId)?.lines.values() ?? []) add(lines, line);
    waiting.set(userId, { lines, tries: tries + 1 });
    begin();
  }

  return {
    note(call) {
      if (isClosed) return;
      const { userId } = call.session;
      const own = waiting.get(userId) ?? { lines: new Map<string, CallLine>(), tries: 0 };
      waiting.set(userId, own);
      add(own.lines, lineOf(call, clock()));
      begin();
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      writing = writing.then(writeAll);
      await writing;
    },
  };
}

function lineOf({ session, call, subject, outcome, address }: NotedCall, at: number): CallLine {
  const hour = Math.floor(at / programCallLimits.foldedMs) * programCallLimits.foldedMs;
  return {
    token: {
      id: session.sessionId,
      kind: session.kind ?? 'program',
      name: session.token?.name ?? '',
      lastFour: session.token?.lastFour ?? '',
    },
    address: address.slice(0, programCallLimits.addressCharacters),
    ...{ call, subject, outcome, hour, count: 1, firstAt: at, lastAt: at },
  };
}

/** Two lines with this key are one. */
const foldKey = ({ token, hour, call, subject, outcome, address }: CallLine): string =>
  JSON.stringify([token.id, hour, call, subject?.kind, subject?.id, outcome, address]);

/**
 * Adds a line to those that wait, or counts it in one of them. Where half of the room is taken, a new refused line is one without its
 * record, so that guesses leave room. Beyond the bound a call that is not there yet stays away.
 */
export function add(lines: Map<string, CallLine>, line: CallLine): void {
  const key = foldKey(line);
  const known = lines.get(key);
  if (!known && line.outcome !== 'ok' && line.subject && lines.size >= programCallLimits.waiting / 2)
    add(lines, { ...line, subject: null });
  else if (known || lines.size < programCallLimits.waiting)
    lines.set(key, known ? folded(known, line) : line);
}

const folded = (first: CallLine, next: CallLine): CallLine => ({
  ...first,
  count: first.count + next.count,
  lastAt: Math.max(first.lastAt, next.lastAt),
});
