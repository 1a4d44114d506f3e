import type { SessionIdentity } from '@homeport/contract/services';
import {
  type TerminalEndReason,
  type TerminalTimes,
  terminalsPerPerson,
  terminalsPerServer,
} from '@homeport/contract/terminals/facts';
import type { TerminalEvent, TerminalMessage } from '@homeport/contract/terminals/schema';
import { CommandError, type TerminalEnd, type TerminalSize } from '@homeport/ssh';
import type { Store } from '@homeport/store';
import type { FastifyBaseLogger } from 'fastify';
import type { Parting } from '../connections/parting.ts';
import type { Hear, StreamItem } from '../http/handlers.ts';
import { ProblemError } from '../http/problem.ts';
import type { Seats } from '../http/seats.ts';
import type { Changes } from '../live/changes.ts';
import { asProblem } from '../remote/run-command.ts';
import type { FarEnd } from './far-end.ts';
import { createInbox } from './inbox.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import type { ReachedPlace, TerminalPlace } from './place.ts';
import { startTerminalClock } from './terminal-clock.ts';
import { noteTerminal } from './terminal-event.ts';
import { watchRight } from './watch-right.ts';

export type TerminalDeps = {
  store: Pick<Store, 'db'>;
  changes: Changes;
  parting: Pick<Parting, 'hold'>;
  /** Of open terminals: those of a person, and those of a server. */
  seats: { person: Seats; server: Seats };
  times: TerminalTimes;
  log: Pick<FastifyBaseLogger, 'error' | 'warn'>;
};

type Asked = {
  session: SessionIdentity;
  query: TerminalSize;
  /** Aborts when the page leaves. */
  signal: AbortSignal;
  hear: Hear<TerminalMessage>;
};

/**
 * A person's terminal. It ends with its page, and nothing of it stays at its place. Its keys and its output pass through and are neither
 * kept nor logged.
 */
export async function* openTerminal(
  deps: TerminalDeps,
  asked: Asked,
  place: TerminalPlace,
): AsyncGenerator<StreamItem<TerminalEvent>> {
  const seats = takeSeats(deps.seats, asked.session.userId);
  // What the terminal leaves is ended over the session's connection, also when the sign-in ends.
  const part = deps.parting.hold(asked.session.sessionId);
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, asked.signal]);
  let isOpen = false;
  // Begins with the end itself, not awaited: the page need not read on until the server has tidied up.
  const finishWith = (open: Opened | null) => () => {
    (open?.finish() ?? Promise.resolve())
      .catch((error: unknown) => deps.log.error({ err: error }, 'a terminal’s end was not noted'))
      .finally(() => {
        seats.leave();
        part();
      });
  };
  try {
    const open = await begin(deps, asked, place, { stop, signal, seats });
    isOpen = true;
    const finish = finishWith(open);
    if (signal.aborted) finish();
    else signal.addEventListener('abort', finish, { once: true });
    yield { data: { type: 'ready', endsAt: open.endsAt } };
    for await (const event of open.outbox) yield { data: event };
    const why = signal.reason;
    if (!asked.signal.aborted && typeof why === 'string')
      yield { data: { type: 'ended', why: why as TerminalEndReason, exitCode: null } };
  } finally {
    stop.abort();
    if (!isOpen) finishWith(null)();
  }
}

type Opened = { outbox: Outbox; endsAt: number; finish: () => Promise<void> };
type Life = { stop: AbortController; signal: AbortSignal; seats: TakenSeats };

async function begin(
  deps: TerminalDeps,
  { session, query, hear }: Asked,
  place: TerminalPlace,
  { stop, signal, seats }: Life,
): Promise<Opened> {
  const end = (why: TerminalEndReason) => stop.abort(why);
  const outbox = createOutbox(signal);
  await watchRight(deps, {
    ...{ place, person: session.userId, signal, onEnd: end },
    onReplacing: () => outbox.put({ type: 'replacing' }),
  });
  const reached = await place.reach();
  seats.takeOn(reached.serverId);
  const count = { typed: 0, shown: 0, startedAt: Date.now() };
  const { far, complete } = await openNoted(deps, session, reached, {
    ...{ size: query, signal, idleMs: deps.times.idleMs },
    onOutput(bytes) {
      count.shown += bytes.length;
      return outbox.putOutput(bytes);
    },
  });
  const clock = startTerminalClock(deps.times, {
    tell: (endsAt, soon) => outbox.put({ type: 'time', endsAt, soon }),
    end,
  });
  const inbox = createInbox(far.terminal.write, {
    onTaken: (bytes) => outbox.put({ type: 'inputTaken', bytes }),
    onFlood: () => end('flood'),
  });
  hear((message) => {
    if (signal.aborted) return;
    if (message.type === 'taken') outbox.taken(message.bytes);
    else if (message.type === 'resize') far.terminal.resize(message);
    else if (message.type === 'extend') clock.extend();
    else {
      const bytes = Buffer.from(message.data, 'base64');
      count.typed += bytes.length;
      // A program that has the screen answer again and again does not keep a terminal that nobody uses.
      if (message.byPerson !== false) clock.typed();
      inbox.put(bytes);
    }
  });
  void far.terminal.ended.then((ending) => {
    if (!signal.aborted) outbox.put(endedBy(ending));
    outbox.end();
  });
  return {
    outbox,
    endsAt: clock.endsAt(),
    async finish() {
      clock.stop();
      const { lost } = await far.terminal.ended;
      const seconds = Math.round((Date.now() - count.startedAt) / 1_000);
      // Also behind a shell that ended by itself: it may have left something, or Docker's keys have left it.
      const clearing = lost
        ? null
        : far
            .clear()
            .catch((error: unknown) => deps.log.warn({ err: error }, 'a terminal may have left something'));
      await complete({ seconds, typedBytes: count.typed, shownBytes: count.shown }).finally(() => clearing);
    },
  };
}

/** Opens the far end, with an event that is noted before the server hears of it. */
async function openNoted(
  { store }: Pick<TerminalDeps, 'store'>,
  { sessionId }: Pick<SessionIdentity, 'sessionId'>,
  { owner, where, requireRight, open }: ReachedPlace,
  options: Omit<Parameters<ReachedPlace['open']>[0], 'before'>,
) {
  let noted: ReturnType<typeof noteTerminal> | null = null;
  const note = () => {
    noted ??= noteTerminal(store.db, { owner, sessionId, where });
    return noted;
  };
  const before = async () => {
    await note();
    await requireRight();
  };
  try {
    const far: FarEnd = await open({ ...options, before });
    return { far, complete: await note() };
  } catch (error) {
    if (noted) await (await note())(null);
    throw openingProblem(error);
  }
}

type TakenSeats = { takeOn: (serverId: string) => void; leave: () => void };

function takeSeats({ person, server }: TerminalDeps['seats'], userId: string): TakenSeats {
  const leavePerson = person.take(userId);
  if (!leavePerson) throw tooMany(`You have ${terminalsPerPerson} terminals open`, 'account');
  let leaveServer: (() => void) | null = null;
  return {
    takeOn(serverId) {
      leaveServer = server.take(serverId);
      if (!leaveServer) throw tooMany(`This server has ${terminalsPerServer} terminals open`, 'server');
    },
    leave() {
      leavePerson();
      leaveServer?.();
    },
  };
}

const tooMany = (have: string, of: 'account' | 'server') =>
  new ProblemError(
    'limit_reached',
    `${have}, which is the most for one ${of}. This one was not opened; the others go on.`,
    { recovery: 'End one of them, then try again.' },
  );

const endedBy = ({ exitCode, lost }: TerminalEnd): Extract<TerminalEvent, { type: 'ended' }> => ({
  ...{ type: 'ended', why: lost ? 'connection_lost' : 'exited', exitCode },
});

function openingProblem(error: unknown): unknown {
  if (error instanceof CommandError && error.failure.code === 'terminal_refused')
    return new ProblemError(
      'remote_failed',
      'The server gives this login no terminal.',
      { recovery: 'Allow terminals in the server’s sshd_config (PermitTTY) and for the key (no-pty).' },
      { cause: error },
    );
  return asProblem(error);
}
