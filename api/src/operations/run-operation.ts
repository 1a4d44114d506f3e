import type { OperationStep } from '@homeport/contract/operations/schema';
import { type Problem, problemSchema } from '@homeport/contract/problems/schema';
import { type Command, runsAs } from '@homeport/dokku';
import { CommandError } from '@homeport/ssh';
import { type Database, isOtherSchema, type Owner, ownerFromSession } from '@homeport/store';
import { type Kysely, sql, type Updateable } from 'kysely';
import { ProblemError } from '../http/problem.ts';
import { storeProblem } from '../http/store-problem.ts';
import { notifyChange } from '../live/notify-change.ts';
import { findServer } from '../records/server-record.ts';
import {
  asProblem,
  type Ran,
  type RemoteConnection,
  type RunOptions,
  runCommand,
} from '../remote/run-command.ts';
import type { ConnectionSource } from '../remote/server-access.ts';
import { accountOf, loginUser, refuseClosed } from '../remote/server-access.ts';
import type { AnyOperationDefinition, BoundOperation, StepContext } from './definition.ts';
import { type OperationLog, openOperationLog } from './log.ts';
import { type OperationRow, stepsOf, toOperation } from './record.ts';
import { type OperationSaver, openSaver } from './saver.ts';

type Deps = {
  db: Kysely<Database>;
  connections: ConnectionSource;
  log: { error(details: object, message: string): void };
};

/** Why a signal ended an operation. */
export type Ending = 'cancelled' | 'interrupted';

/** How often a step starts again by itself after a lost connection. */
const reconnectsPerStep = 3;
/** How long an operation waits for a browser before it frees its lane. */
const waitForConnectionMs = 60 * 60_000;

/**
 * Runs an operation’s steps from the first unfinished one, and records how the operation ended. `told`
 * dispatches `change` when the operation’s row may have changed elsewhere. Throws only if the store does.
 */
export async function runOperation(
  deps: Deps,
  row: OperationRow,
  definition: AnyOperationDefinition,
  signal: AbortSignal,
  told: EventTarget,
): Promise<void> {
  const bound = definition.parse(row.input);
  const counts = await nextNumbers(deps, row.id);
  const log = openOperationLog(deps.db, ownerFromSession(row.owner_id), row.id, counts, (error) =>
    deps.log.error({ err: error, operationId: row.id }, 'log lines of an operation could not be stored'),
  );
  const work = new Work(deps, row, log, signal, told);
  if (counts.line > 1)
    log.note(work.steps.find((step) => step.state === 'waiting')?.key ?? '', 'Running again.');
  for (const step of work.steps) {
    if (step.state !== 'waiting' && step.state !== 'running') continue;
    const problem = await runStep(work, bound, step);
    if (problem) return endUnfinished(work, bound, step, problem);
  }
  await log.flush();
  await work.save({
    state: 'succeeded',
    percent: row.percent === null ? null : 100,
    ended_at: Date.now(),
    waiting_for: null,
  });
}

async function runStep(work: Work, bound: BoundOperation, step: OperationStep): Promise<Problem | null> {
  const began = step.startedAt !== null;
  step.state = 'running';
  step.startedAt ??= Date.now();
  step.endedAt = null;
  work.saveSoon({ percent: work.raisePercent(step.percent) });
  for (let attempt = 1; ; attempt++) {
    try {
      work.signal.throwIfAborted();
      const context = work.contextOf(step);
      const outcome = await bound.run(step.key, began || attempt > 1 ? repeated(bound, context) : context);
      step.state = outcome?.state ?? 'done';
      step.note = outcome?.note ?? null;
      step.endedAt = Date.now();
      if (step.note) work.log.note(step.key, step.note);
      void work.log.flush();
      work.saveSoon({});
      return null;
    } catch (error) {
      const lost = error instanceof CommandError && error.failure.code === 'connection_lost';
      if (lost && attempt <= reconnectsPerStep && !work.signal.aborted) {
        work.log.note(step.key, 'The connection was lost. This step is safe to repeat and starts again.');
        continue;
      }
      return work.problemOf(error, step);
    }
  }
}

/** The context of a repeated step: its first remote command waits for the definition’s `beforeRepeat`. */
function repeated(bound: BoundOperation, context: StepContext<unknown>): StepContext<unknown> {
  let ready: Promise<void> | null = null;
  return {
    ...context,
    async run(work, command, options) {
      ready ??= bound.beforeRepeat(context);
      await ready;
      return context.run(work, command, options);
    },
  };
}

async function endUnfinished(
  work: Work,
  bound: BoundOperation,
  step: OperationStep,
  problem: Problem,
): Promise<void> {
  const ending = work.signal.aborted ? (work.signal.reason as Ending) : 'failed';
  step.state = ending === 'failed' ? 'failed' : 'waiting';
  step.endedAt = Date.now();
  if (ending === 'failed') {
    step.note = problem.message;
    work.log.note(step.key, problem.message);
    work.waits = false;
    try {
      await bound.onFailure(work.contextOf(step), step);
    } catch (error) {
      if (!(error instanceof ProblemError && error.code === 'connection_required'))
        work.deps.log.error(
          { err: error, operationId: work.row.id },
          'the result of a failure could not be recorded',
        );
    }
  } else {
    work.log.note(
      step.key,
      ending === 'cancelled'
        ? 'Cancelled.'
        : 'The console stopped. The finished steps are kept. Run this operation again to continue from here.',
    );
  }
  await work.log.flush();
  await work.save({
    state: ending,
    waiting_for: null,
    ended_at: Date.now(),
    problem: ending === 'failed' ? JSON.stringify(problem) : null,
  });
  // The store settled its server with the operation (`settle_setup`).
  if (work.row.kind === 'server.install')
    await notifyChange(work.deps.db, work.row.owner_id, 'servers', work.row.server_id);
}

async function nextNumbers(
  deps: Deps,
  operationId: string,
): Promise<{ line: number; command: number; characters: number }> {
  const { characters } = await deps.db
    .selectFrom('operation_lines')
    .select(sql<number | null>`sum(length(text))::bigint`.as('characters'))
    .where('operation_id', '=', operationId)
    .executeTakeFirstOrThrow();
  const [line, command] = await Promise.all(
    (['operation_lines', 'operation_commands'] as const).map(async (table) => {
      const row = await deps.db
        .selectFrom(table)
        .select((eb) => eb.fn.max('seq').as('last'))
        .where('operation_id', '=', operationId)
        .executeTakeFirst();
      return Number(row?.last ?? 0) + 1;
    }),
  );
  return { line: line ?? 1, command: command ?? 1, characters: characters ?? 0 };
}

/** The state of one run: its row, its current steps, and what a step may do with them. */
class Work {
  readonly deps: Deps;
  readonly row: OperationRow;
  private readonly owner: Owner;
  readonly log: OperationLog;
  readonly signal: AbortSignal;
  private readonly told: EventTarget;
  readonly steps: OperationStep[];
  private facts: Record<string, unknown>;
  private results: Record<string, unknown>;
  private toasts: { tone: string; text: string }[];
  private percent: number | null;
  private serverId: string | null;
  /** The session that began the work, until another session of the same person takes the work over. */
  private sessionId: string;
  private readonly saver: OperationSaver;
  /** The server's boot id when this work last used the server. */
  private bootId: string | null = null;
  /**
   * Whether a command waits for a connection. After a failure, the commands of `onFailure` do not wait
   * another hour.
   */
  waits = true;

  constructor(deps: Deps, row: OperationRow, log: OperationLog, signal: AbortSignal, told: EventTarget) {
    this.deps = deps;
    this.row = row;
    this.owner = ownerFromSession(row.owner_id);
    this.log = log;
    this.signal = signal;
    this.told = told;
    const shown = toOperation(row);
    this.steps = stepsOf(row);
    this.facts = { ...(row.facts as Record<string, unknown>) };
    this.results = shown.result;
    this.toasts = shown.toasts;
    this.percent = row.percent;
    this.serverId = row.server_id;
    this.sessionId = row.session_id;
    this.saver = openSaver(deps.db, this.owner, row.id, this.steps);
  }

  /** The progress bar never moves backwards. */
  raisePercent(percent: number | null): number | null {
    if (percent !== null && (this.percent === null || percent > this.percent)) this.percent = percent;
    return this.percent;
  }

  /** Resolves when the steps and the change are stored. */
  save(change: Updateable<Database['operations']>): Promise<void> {
    return this.saver.save(change);
  }

  /** Saves without waiting. The next command waits for the save, and the next `save` meets its failure. */
  saveSoon(change: Updateable<Database['operations']>): void {
    this.saver.save(change).catch(() => {});
  }

  contextOf(step: OperationStep): StepContext<unknown> {
    return {
      operationId: this.row.id,
      owner: this.owner,
      input: this.row.input,
      facts: this.facts,
      signal: this.signal,
      run: (work, command, options = {}) => this.runCommand(step, work, command, options),
      output: (text) => this.log.write(step.key, 'out', text),
      note: (text) => this.log.note(step.key, text),
      remember: async (facts) => {
        Object.assign(this.facts, facts);
        await this.save({ facts: JSON.stringify(this.facts) });
      },
      progress: async (percent, title) => {
        if (title) step.title = title;
        this.saveSoon({ percent: this.raisePercent(percent) });
      },
      toast: async (tone, text) => {
        // A repeated step does not repeat its toasts.
        if (this.toasts.some((toast) => toast.text === text)) return;
        this.toasts = [...this.toasts, { tone, text }];
        this.saveSoon({ toasts: JSON.stringify(this.toasts) });
      },
      result: async (values) => {
        this.results = { ...this.results, ...values };
        this.saveSoon({ result: JSON.stringify(this.results) });
      },
      attach: async ({ appId, databaseId, serverId, longname }) => {
        if (serverId !== undefined) this.serverId = serverId;
        await this.save({
          ...(appId === undefined ? {} : { app_id: appId }),
          ...(databaseId === undefined ? {} : { database_id: databaseId }),
          ...(serverId === undefined ? {} : { server_id: serverId }),
          ...(longname === undefined ? {} : { longname }),
        });
      },
    };
  }

  private async runCommand(
    step: OperationStep,
    work: 'apps' | 'root',
    command: Command,
    options: RunOptions,
  ): Promise<Ran> {
    const server = await this.server();
    refuseClosed(server);
    const account = accountOf(server, work);
    const connection = await this.connection(step, server.id, loginUser(server, work));
    this.noteRestart(step, connection);
    // The store must know what has begun before the server gets the next command.
    await this.saver.settled();
    step.account = runsAs(account, command);
    return runCommand(connection, account, command, options, this.signal, {
      onOutput: (stream, text) => this.log.write(step.key, stream, text),
      onRan: (record) => this.log.ran(step.key, record),
    });
  }

  /** A restart ended everything that was begun on the server. The note explains the failures that follow. */
  private noteRestart(step: OperationStep, { bootId }: RemoteConnection): void {
    if (bootId === null || bootId === this.bootId) return;
    if (this.bootId !== null) this.log.note(step.key, 'The server was restarted since its last command.');
    this.bootId = bootId;
  }

  private async server() {
    const id = this.serverId;
    if (!id) throw new ProblemError('not_found', 'The server of this work was removed.');
    return findServer({ owner: this.owner, db: this.deps.db }, id);
  }

  /**
   * Returns a live connection of the session that the work belongs to. Without one, shows on the operation
   * that it waits, and waits for a browser: of that session, or of the session that takes the work over.
   */
  private async connection(step: OperationStep, serverId: string, user: string): Promise<RemoteConnection> {
    const { connections } = this.deps;
    const find = () => connections.find({ owner: this.owner, sessionId: this.sessionId, serverId, user });
    const live = find();
    if (live) return live;
    if (!this.waits)
      throw new ProblemError('connection_required', 'There is no open connection to this server.');
    await this.save({
      state: 'waiting',
      waiting_for: JSON.stringify({
        reason: 'connection',
        text: 'Open this page to reconnect. The work goes on where it stopped.',
        user,
      }),
    });
    const found = await new Promise<RemoteConnection | null>((resolve) => {
      const look = () => {
        const connection = find();
        if (connection || this.signal.aborted) finish(connection);
      };
      const lookForSession = () => void this.followSession(step).then(look);
      const timer = setTimeout(() => finish(null), waitForConnectionMs);
      const stopListening = connections.onChange(look);
      const finish = (connection: RemoteConnection | null) => {
        clearTimeout(timer);
        stopListening();
        this.signal.removeEventListener('abort', look);
        this.told.removeEventListener('change', lookForSession);
        resolve(connection);
      };
      this.signal.addEventListener('abort', look);
      this.told.addEventListener('change', lookForSession);
      // Another session may have taken the work over while the lost connection was still open.
      lookForSession();
    });
    this.signal.throwIfAborted();
    if (!found)
      throw new ProblemError('connection_required', 'No connection to the server was opened within an hour.');
    await this.save({ state: 'running', waiting_for: null });
    return found;
  }

  /** Reads which session the work belongs to now, and notes a change in the log. */
  private async followSession(step: OperationStep): Promise<void> {
    try {
      const row = await this.deps.db
        .selectFrom('operations')
        .select('session_id')
        .where('id', '=', this.row.id)
        .executeTakeFirst();
      if (!row || row.session_id === this.sessionId) return;
      this.sessionId = row.session_id;
      this.log.note(
        step.key,
        'Another sign-in of yours took this over. The work continues over the connection of that sign-in.',
      );
    } catch (error) {
      this.deps.log.error(
        { err: error, operationId: this.row.id },
        'the session of a waiting operation could not be read',
      );
    }
  }

  problemOf(error: unknown, step: OperationStep): Problem {
    const raised = asProblem(error);
    if (raised instanceof ProblemError) return problemSchema.parse(raised.toProblem());
    const storeIsDown = storeProblem(error);
    // A statement that names a wrong column is a fault of ours as often as an update: the log says which statement it was.
    if (storeIsDown ? isOtherSchema(error) : !this.signal.aborted) {
      this.deps.log.error(
        { err: error, operationId: this.row.id, step: step.key },
        'a step of an operation failed',
      );
    }
    if (storeIsDown) return storeIsDown.toProblem();
    return new ProblemError(
      'internal',
      'The console failed in this step. The steps before it are kept.',
    ).toProblem();
  }
}
