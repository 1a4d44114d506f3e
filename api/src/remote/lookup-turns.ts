import { nameLookups } from '@homeport/contract/servers/facts';

/** Turns of work that somebody else's name server may slow down. */
export type Turns = {
  /**
   * Resolves with the function that ends the turn; with null where none came in time, too many of the person wait, or `signal` aborts
   * first.
   */
  take(person: string, signal?: AbortSignal): Promise<(() => void) | null>;
};

type Waiting = { person: string; begin(end: () => void): void };

/**
 * `perPerson` works of one person and `atOnce` of all are under way. Who waits with the fewest under way is next: persons whose name
 * servers are silent hold their own works up and nobody else's.
 */
export function createLookupTurns({ perPerson, atOnce, waiting: most, waitMs } = nameLookups): Turns {
  const underWay = new Map<string, number>();
  const waiting = new Set<Waiting>();
  let all = 0;
  const of = (person: string) => underWay.get(person) ?? 0;

  function count(person: string, change: 1 | -1): void {
    const now = of(person) + change;
    if (now === 0) underWay.delete(person);
    else underWay.set(person, now);
    all += change;
  }

  function begin(person: string): () => void {
    count(person, 1);
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      count(person, -1);
      beginNext();
    };
  }

  function beginNext(): void {
    if (all >= atOnce) return;
    let next: Waiting | undefined;
    for (const each of waiting)
      if (of(each.person) < perPerson && (!next || of(each.person) < of(next.person))) next = each;
    if (!next) return;
    next.begin(begin(next.person));
  }

  return {
    take(person, signal) {
      if (signal?.aborted) return Promise.resolve(null);
      if (all < atOnce && of(person) < perPerson) return Promise.resolve(begin(person));
      if ([...waiting].filter((each) => each.person === person).length >= most) return Promise.resolve(null);
      return new Promise((settle) => {
        const own: Waiting = {
          person,
          begin(end) {
            stopWaiting();
            settle(end);
          },
        };
        const leave = () => {
          stopWaiting();
          settle(null);
        };
        const timer = setTimeout(leave, waitMs);
        const stopWaiting = () => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', leave);
          waiting.delete(own);
        };
        signal?.addEventListener('abort', leave);
        waiting.add(own);
      });
    },
  };
}
