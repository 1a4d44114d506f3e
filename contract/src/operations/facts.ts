import type { operationKinds } from './kinds.ts';

/**
 * Long work with steps and an append-only log. `waiting`: the work needs a connection that only the browser
 * can open. `interrupted`: the console ended while the work ran; running it again is safe.
 */
export const operationStates = [
  'queued',
  'running',
  'waiting',
  'succeeded',
  'failed',
  'interrupted',
  'cancelled',
] as const;
export type OperationState = (typeof operationStates)[number];

/** Lines of a log that are read from its end. */
export const logTail = { usual: 60, most: 200 } as const;

/** States in which work does not go on by itself. */
export const overStates: readonly OperationState[] = ['succeeded', 'failed', 'interrupted', 'cancelled'];
export const isOver = (state: OperationState) => overStates.includes(state);
/** States that the header lists: work that goes on, waits, or stopped with the console. */
export const listedStates = [
  'queued',
  'running',
  'waiting',
  'interrupted',
] as const satisfies readonly OperationState[];
/** Work that ended early can run again, from its first unfinished step. */
export const canRunAgain = (state: OperationState) => isOver(state) && state !== 'succeeded';

/** Pages offer to cancel work while none of its commands runs. */
export const canBeCancelled = (state: OperationState) => state === 'queued' || state === 'waiting';

/** After this time, pages offer to cancel also running work whose window a person cannot leave. */
export const lockedAtMostMs = 60_000;

export type OperationKind = (typeof operationKinds)[number];

/** The states of one step. */
export const stepStates = ['waiting', 'running', 'done', 'warned', 'failed', 'skipped'] as const;
export type StepState = (typeof stepStates)[number];
