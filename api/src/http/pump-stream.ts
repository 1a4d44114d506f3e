import type { z } from 'zod';
import type { StreamItem } from './handlers.ts';
import { nextTurn } from './turns.ts';

export type StreamReader = {
  /** The stream has started: an error that it throws from now on is no longer a refusal. */
  opened(): void;
  /** The next item is pulled when this promise resolves, so a slow reader slows the stream down. */
  take(item: { id?: string; data: unknown }): Promise<void>;
};

const aborted = Symbol('aborted');

/**
 * Hands a stream's items to its reader until the stream ends or `signal` aborts. Each item takes one turn
 * among this person's streams (`turns.ts`). The iterator is ended in both cases, even while it waits for its
 * next item or the reader does not take one.
 *
 * @throws what the stream throws.
 */
export async function pumpStream(
  stream: AsyncIterable<StreamItem<unknown>>,
  { schema, signal, person }: { schema: z.ZodType; signal: AbortSignal; person: string },
  reader: StreamReader,
): Promise<void> {
  const iterator = stream[Symbol.asyncIterator]();
  let opened = false;
  try {
    while (true) {
      const step = await orAborted(iterator.next(), signal);
      if (step === aborted) return;
      if (!opened) reader.opened();
      opened = true;
      if (step.done) return;
      if (step.value !== null) {
        const item = { ...step.value, data: schema.encode(step.value.data) };
        await orAborted(reader.take(item), signal);
      }
      await orAborted(nextTurn(person), signal);
      // A generator that is pulled after the abort would begin to wait for a signal that has already fired.
      if (signal.aborted) return;
    }
  } finally {
    // Not awaited: a generator that waits for something else ends only after that wait.
    iterator.return?.().catch(() => {});
  }
}

/**
 * Returns the result of the work, or `aborted` as soon as the signal aborts. The listener is removed each
 * time: `Promise.race` with one promise for the whole stream would keep every item in memory until the stream
 * ends.
 */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | typeof aborted> {
  return new Promise((resolve, reject) => {
    const leave = () => resolve(aborted);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
