export type Turns = {
  /** Begins the work when all that came before has ended. */
  run(work: () => Promise<void>): Promise<void>;
  /** Resolves when everything has ended. */
  idle(): Promise<void>;
};

/** Does one thing at a time, in its order. A failure ends one thing only, and `failed` hears of it. */
export function inTurn(failed: (error: unknown) => void): Turns {
  let last: Promise<void> = Promise.resolve();
  return {
    run(work) {
      const next = last.then(work);
      last = next.catch(failed);
      return next;
    },
    idle: () => last,
  };
}
