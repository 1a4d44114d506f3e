import {
  type TerminalEndReason,
  type TerminalTimes,
  terminalsPerPerson,
} from '@homeport/contract/terminals/facts';
import type { TerminalEvent, TerminalMessage } from '@homeport/contract/terminals/schema';
import { appName } from '@homeport/dokku';
import { CommandError, type ConnectionPool, type TerminalEnd } from '@homeport/ssh';
import type { FastifyBaseLogger } from 'fastify';
import { requireAllowed } from '../apps/one-off/allowed.ts';
import { type AppDeps, locateApp, type ReachedApp, reachApp, refuseGone } from '../apps/reach-app.ts';
import type { HandlerContext, Hear, StreamItem } from '../http/handlers.ts';
import { ProblemError } from '../http/problem.ts';
import type { Seats } from '../http/seats.ts';
import type { Changes } from '../live/changes.ts';
import { asProblem } from '../remote/run-command.ts';
import { loginUser } from '../remote/server-access.ts';
import { type FarEnd, openFarEnd } from './far-end.ts';
import { createInbox } from './inbox.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import { startTerminalClock } from './terminal-clock.ts';
import { noteTerminal } from './terminal-event.ts';
import { watchRight } from './watch-right.ts';

export type TerminalDeps = Pick<AppDeps, 'store' | 'connections'> & {
  pool: Pick<ConnectionPool, 'get'>;
  changes: Changes;
  /** Of open terminals. */
  seats: Seats;
  times: TerminalTimes;
  log: Pick<FastifyBaseLogger, 'error'>;
};

type Asked = HandlerContext<'GET /api/apps/:id/terminal'> & { hear: Hear<TerminalMessage> };

/**
 * A person's terminal in a container of an app. It ends with its page, and nothing of it stays on the server. Its keys and its output pass
 * through and are neither kept nor logged.
 */
export async function* openAppTerminal(
  deps: TerminalDeps,
  asked: Asked,
): AsyncGenerator<StreamItem<TerminalEvent>> {
  const leaveSeat = deps.seats.take(asked.session.userId);
  if (!leaveSeat) throw tooManyTerminals();
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, asked.signal]);
  let open: Opened | null = null;
  try {
    open = await openTerminal(deps, asked, { stop, signal });
    yield { data: { type: 'ready', endsAt: open.endsAt } };
    for await (const event of open.outbox) yield { data: event };
    const why = signal.reason;
    if (!asked.signal.aborted && typeof why === 'string')
      yield { data: { type: 'ended', why: why as TerminalEndReason, exitCode: null } };
  } finally {
    stop.abort();
    // Not awaited: the page need not wait until the server has tidied up.
    (open?.finish(leaveSeat) ?? Promise.resolve(leaveSeat())).catch((error: unknown) =>
      deps.log.error({ err: error }, 'a terminal’s end was not noted'),
    );
  }
}

type Opened = { outbox: Outbox; endsAt: number; finish: (leaveSeat: () => void) => Promise<void> };
type Life = { stop: AbortController; signal: AbortSignal };

async function openTerminal(deps: TerminalDeps, asked: Asked, { stop, signal }: Life): Promise<Opened> {
  const { session, params, query, hear } = asked;
  const end = (why: TerminalEndReason) => stop.abort(why);
  const outbox = createOutbox(signal);
  await watchRight(deps, session, {
    ...{ appId: params.id, signal, onEnd: end },
    onReplacing: () => outbox.put({ type: 'replacing' }),
  });
  const reached = await reachAllowed(deps, asked);
  const count = { typed: 0, shown: 0, startedAt: Date.now() };
  const process = query.process ?? null;
  let complete: Awaited<ReturnType<typeof noteTerminal>> | null = null;
  const before = async () => {
    complete ??= await noteTerminal(deps.store.db, {
      ...{ owner: reached.owner, sessionId: session.sessionId },
      where: `${process ?? 'a new container'} of ${reached.app.name} on ${reached.server.name}`,
    });
    // As the last thing before the server hears of the terminal.
    requireAllowed((await locateApp(deps, session, params.id)).server);
  };
  let far: FarEnd;
  try {
    far = await openFarEnd(
      {
        connection: connectionOf(deps, asked, reached),
        account: reached.account,
        app: appName(reached.app.longname),
        process,
      },
      deps.times.idleMs,
      {
        ...{ size: { columns: query.columns, rows: query.rows }, signal, before },
        onOutput(bytes) {
          count.shown += bytes.length;
          return outbox.putOutput(bytes);
        },
      },
    );
  } catch (error) {
    await (complete as ((end: null) => Promise<void>) | null)?.(null);
    throw openingProblem(error);
  }
  const clock = startTerminalClock(deps.times, {
    tell: (endsAt, soon) => outbox.put({ type: 'time', endsAt, soon }),
    end,
  });
  const inbox = createInbox(far.terminal.write, {
    onTaken: (bytes) => outbox.put({ type: 'inputTaken', bytes }),
    onFlood: () => end('gone'),
  });
  hear((message) => {
    if (signal.aborted) return;
    if (message.type === 'taken') outbox.taken(message.bytes);
    else if (message.type === 'resize') far.terminal.resize(message);
    else if (message.type === 'extend') clock.extend();
    else {
      const bytes = Buffer.from(message.data, 'base64');
      count.typed += bytes.length;
      clock.typed();
      inbox.put(bytes);
    }
  });
  let exited = false;
  void far.terminal.ended.then((ending) => {
    exited = !signal.aborted;
    if (exited) outbox.put(endedBy(ending));
    outbox.end();
  });
  return {
    outbox,
    endsAt: clock.endsAt(),
    async finish(leaveSeat) {
      clock.stop();
      await far.terminal.ended;
      leaveSeat();
      const seconds = Math.round((Date.now() - count.startedAt) / 1_000);
      await complete?.({ seconds, typedBytes: count.typed, shownBytes: count.shown });
      if (!exited) await far.clear();
    },
  };
}

async function reachAllowed(deps: TerminalDeps, { session, params, signal }: Asked): Promise<ReachedApp> {
  const reached = await reachApp(deps, session, params.id, signal);
  refuseGone(reached.app);
  requireAllowed(reached.server);
  return reached;
}

/** The connection that `reachApp` found, with its terminals. */
function connectionOf({ pool }: TerminalDeps, { session }: Asked, { owner, server }: ReachedApp) {
  const user = loginUser(server, 'apps');
  const connection = pool.get({ owner, sessionId: session.sessionId, serverId: server.id, user });
  if (!connection) throw new CommandError({ code: 'connection_required' });
  return connection;
}

const endedBy = ({ exitCode, lost }: TerminalEnd): TerminalEvent => ({
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

const tooManyTerminals = () =>
  new ProblemError(
    'limit_reached',
    `You have ${terminalsPerPerson} terminals open, which is the most for one account. This one was not opened; the others go on.`,
    { recovery: 'End one of them, then try again.' },
  );
