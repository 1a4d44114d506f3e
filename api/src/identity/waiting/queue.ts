/** Runs the work in its turn. Throws `QueueFull` at once if too many works wait already. */
export type Queue = <T>(work: () => Promise<T>) => Promise<T>;

export class QueueFull extends Error {
  override name = 'QueueFull';
}

/**
 * Runs one piece of work after the other, in the order in which they came. A failure does not stop the later
 * ones. At most `most` works wait.
 */
export function createQueue(most: number): Queue {
  let last: Promise<unknown> = Promise.resolve();
  let unfinished = 0;
  return (work) => {
    if (unfinished > most) return Promise.reject(new QueueFull(`${most} works wait already.`));
    unfinished += 1;
    const done = last.then(work).finally(() => {
      unfinished -= 1;
    });
    last = done.catch(() => {});
    return done;
  };
}
