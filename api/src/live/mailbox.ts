import type { ChangeTopic } from '@homeport/contract/live/facts';
import { type Change, changeSchema } from '@homeport/contract/live/schema';

/** Changes that one reader has not taken yet, each once. The iteration ends when its signal aborts. */
export type Mailbox = AsyncIterable<Change> & {
  put(change: Change): void;
  /** Tells the reader that everything may have changed. */
  putAll(): void;
};

const mostWaiting = 200;

/** `hears`: the topics that the reader may hear of. Changes of others never enter. */
export function createMailbox(
  signal: AbortSignal,
  hears: (topic: ChangeTopic) => boolean = () => true,
): Mailbox {
  const waiting = new Map<string, Change>();
  let wake = () => {};
  signal.addEventListener('abort', () => wake(), { once: true });

  const put = (change: Change) => {
    if (!hears(change.topic)) return;
    waiting.set(`${change.topic} ${change.id}`, change);
    wake();
  };
  const putAll = () => {
    waiting.clear();
    for (const topic of changeSchema.shape.topic.options) put({ topic, id: null });
  };
  return {
    put(change) {
      // A reader this far behind reads everything again, which is less work for the console and for the page.
      if (waiting.size >= mostWaiting && hears(change.topic)) putAll();
      else put(change);
    },
    putAll,
    async *[Symbol.asyncIterator]() {
      while (!signal.aborted) {
        const [next] = waiting;
        if (next) {
          waiting.delete(next[0]);
          yield next[1];
        } else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
    },
  };
}
