import type { OperationState } from '@homeport/contract/operations/facts';

/** How work ended that did not reach its end, as the rest of a sentence; null: it goes on, or it succeeded. */
export function earlyEnd(state: OperationState): string | null {
  if (state === 'failed') return 'failed';
  if (state === 'cancelled') return 'was cancelled';
  return state === 'interrupted' ? 'was interrupted' : null;
}

/** What a window says under its title then. Both ways out stand in the window. */
export const earlyEndAdvice = 'What is done stays. Run it again to go on from there, or close this window.';
