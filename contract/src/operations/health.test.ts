import { describe, expect, it } from 'vitest';
import { canBeCancelled, canRunAgain, isOver, operationStates, stepStates } from './facts.ts';
import { operationStateText, shownStep } from './health.ts';

const combinations = operationStates.flatMap((state) =>
  stepStates.map((step) => ({ state, step, shown: shownStep(step, state) })),
);

describe(`the state of a step, over all ${combinations.length} combinations with its operation`, () => {
  it('is running only while the operation is not over', () => {
    for (const { state, shown } of combinations) if (isOver(state)) expect(shown).not.toBe('running');
  });
  it('is interrupted exactly where the store holds a running step of an operation that is over', () => {
    const interrupted = combinations.filter(({ shown }) => shown === 'interrupted');
    expect(interrupted).toEqual(
      combinations.filter(({ state, step }) => step === 'running' && isOver(state)),
    );
  });
  it('is what the store holds everywhere else', () => {
    for (const { step, shown } of combinations) if (shown !== 'interrupted') expect(shown).toBe(step);
  });
});

describe('the state of an operation', () => {
  it('has a word that no other state has', () => {
    expect(new Set(operationStates.map(operationStateText)).size).toBe(operationStates.length);
  });
  it('allows to cancel what has not begun, to run again what ended early, and never both', () => {
    expect(operationStates.filter(canBeCancelled)).toEqual(['queued', 'waiting']);
    expect(operationStates.filter(canRunAgain)).toEqual(['failed', 'interrupted', 'cancelled']);
  });
});
