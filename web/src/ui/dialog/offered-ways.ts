import { isOver, type OperationState } from '@homeport/contract/operations/facts';

/** The ways on and out that the window of an operation offers, beside OK. */
export interface OfferedWays {
  cancel: boolean;
  copyLog: boolean;
  runAgain: boolean;
  close: boolean;
}

/** A locked window has no Close until the work is over. With success it has OK in its place. */
export function offeredWays(state: OperationState, locked: boolean): OfferedWays {
  const endedEarly = isOver(state) && state !== 'succeeded';
  return {
    cancel: !isOver(state),
    copyLog: state === 'failed' || state === 'interrupted',
    runAgain: endedEarly,
    close: !locked || endedEarly,
  };
}
