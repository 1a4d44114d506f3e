import { Worker } from 'node:worker_threads';
import { type RuleWorkLimits, ruleWorkLimits } from '@homeport/contract/proxies/facts';
import { ProblemError } from '../../http/problem.ts';
import type { JobKind, Jobs, Report } from './jobs.ts';
import { RuleTurns, type Task } from './rule-turns.ts';

/** Does jobs off the console’s loop: one at a time for a person, with an end in time and memory. */
export type RuleWork = {
  /**
   * Resolves with the job’s answer. Persons take turns.
   *
   * @throws RuleWorkError when the job took too long or too much memory
   * @throws ProblemError `too_many` when many jobs of the person wait already
   */
  run<K extends JobKind>(person: string, kind: K, asked: Jobs[K]['asked']): Promise<Jobs[K]['answered']>;
  /** How many threads there are now. */
  readonly threads: number;
  /** Ends the threads. Jobs that are not done fail. */
  close(): Promise<void>;
};

/** `ended`: the worker ended by itself, or could not begin. */
export type RuleWorkEnd = 'time' | 'memory' | 'ended';

export class RuleWorkError extends Error {
  readonly end: RuleWorkEnd;
  constructor(end: RuleWorkEnd, message: string) {
    super(message);
    this.name = 'RuleWorkError';
    this.end = end;
  }
}

/** A machine that is held up starts a thread late. That is nobody’s pattern. */
const beginWithinMs = 30_000;

type Member = { worker: Worker; task: Task | null; timer: NodeJS.Timeout | undefined };

/**
 * Runs the threads: none at rest, and a few under load, so that they leave processor time for the console.
 *
 * @param program the built `worker.ts`
 */
export function createRuleWork(program: string, limits: RuleWorkLimits = ruleWorkLimits): RuleWork {
  const turns = new RuleTurns(limits.waiting);
  const members = new Set<Member>();
  let isClosed = false;

  function next(): void {
    for (;;) {
      const idle = [...members].find(({ task }) => task === null);
      if (idle === undefined && members.size >= limits.threads) return;
      const task = turns.take();
      if (task === undefined) return;
      give(idle ?? begin(), task);
    }
  }

  function begin(): Member {
    const worker = new Worker(program, {
      ...{ env: {}, execArgv: [], argv: [] },
      resourceLimits: { maxOldGenerationSizeMb: limits.heapBytes / 1024 / 1024, maxYoungGenerationSizeMb: 8 },
    });
    // A thread at rest keeps no process.
    worker.unref();
    const member: Member = { worker, task: null, timer: undefined };
    members.add(member);
    worker.on('message', (told: Report) => hear(member, told));
    worker.on('error', (error: NodeJS.ErrnoException) => leave(member, endOf(error)));
    worker.on('exit', () => leave(member, new RuleWorkError('ended', 'The worker ended.')));
    return member;
  }

  function give(member: Member, task: Task): void {
    member.task = task;
    endAfter(member, beginWithinMs, new RuleWorkError('ended', 'The worker did not begin.'));
    member.worker.postMessage({ kind: task.kind, asked: task.asked });
  }

  function hear(member: Member, told: Report): void {
    if (told.kind === 'begun') {
      endAfter(member, limits.ms, new RuleWorkError('time', 'The job took too long.'));
      return;
    }
    settle(member, told.kind === 'done' ? told : { error: new Error(told.text) });
    clearTimeout(member.timer);
    member.timer = setTimeout(() => leave(member, new RuleWorkError('ended', '')), limits.idleMs).unref();
    next();
  }

  function endAfter(member: Member, ms: number, error: RuleWorkError): void {
    clearTimeout(member.timer);
    member.timer = setTimeout(() => leave(member, error), ms);
  }

  function settle(member: Member, told: Parameters<Task['settle']>[0]): void {
    const { task } = member;
    if (task === null) return;
    member.task = null;
    turns.leave(task);
    task.settle(told);
  }

  function leave(member: Member, error: Error): void {
    if (!members.delete(member)) return;
    clearTimeout(member.timer);
    settle(member, { error });
    void member.worker.terminate();
    if (!isClosed) next();
  }

  return {
    run<K extends JobKind>(person: string, kind: K, asked: Jobs[K]['asked']) {
      return new Promise<Jobs[K]['answered']>((resolve, reject) => {
        if (isClosed) return reject(new RuleWorkError('ended', 'The console ends.'));
        // The worker is built from the same types, so its answers are of them.
        const settle: Task['settle'] = (told) =>
          'error' in told ? reject(told.error) : resolve(told.answer as Jobs[K]['answered']);
        if (!turns.add({ person, kind, asked, settle })) return reject(tooManyWait());
        next();
      });
    },
    get threads() {
      return members.size;
    },
    async close() {
      isClosed = true;
      const error = new RuleWorkError('ended', 'The console ends.');
      for (const task of turns.clear()) task.settle({ error });
      const ended = [...members].map(({ worker }) => worker.terminate());
      for (const member of members) leave(member, error);
      await Promise.all(ended);
    },
  };
}

const endOf = (error: NodeJS.ErrnoException): Error =>
  error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? new RuleWorkError('memory', 'The job took too much memory.')
    : new RuleWorkError('ended', `The worker ended: ${error.message}`);

const tooManyWait = () =>
  new ProblemError(
    'too_many',
    'Several of your rules are being tried already. This request was refused, and nothing was changed.',
    { retryAfterSeconds: 5 },
  );
