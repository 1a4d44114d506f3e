import { isOver, type OperationState, type StepState } from './facts.ts';

/** A step that ran when its operation ended early is shown as interrupted. The store keeps it as running. */
export type ShownStep = StepState | 'interrupted';

/** The state of a step, for every page. */
export const shownStep = (step: StepState, operation: OperationState): ShownStep =>
  step === 'running' && isOver(operation) ? 'interrupted' : step;

const texts: Record<OperationState, string> = {
  queued: 'Queued',
  running: 'Running',
  waiting: 'Waiting',
  succeeded: 'Done',
  failed: 'Failed',
  interrupted: 'Interrupted',
  cancelled: 'Cancelled',
};

/** The state of an operation in one word, for every page. */
export const operationStateText = (state: OperationState): string => texts[state];
