/** Limits simultaneous work under each key. Further work waits in the order of its arrival. */
export type Turns = { take<T>(key: string, work: () => Promise<T>): Promise<T> };

export function createTurns(atOnce: number): Turns {
  const busy = new Map<string, { working: number; waiting: (() => void)[] }>();
  return {
    async take(key, work) {
      const turn = busy.get(key) ?? { working: 0, waiting: [] };
      busy.set(key, turn);
      if (turn.working < atOnce) turn.working += 1;
      else await new Promise<void>((resolve) => turn.waiting.push(resolve));
      try {
        return await work();
      } finally {
        const next = turn.waiting.shift();
        // The next in the queue takes this place over.
        if (next) next();
        else if (--turn.working === 0) busy.delete(key);
      }
    },
  };
}
