import { type Change, changeSchema } from '@homeport/contract/live/schema';

/** Changes that one reader has not taken yet, each once. The iteration ends when its signal aborts. */
export type Mailbox = AsyncIterable<Change> & {
  put(change: Change): void;
  /** Tells the reader that everything may have changed. */
  putAll(): void;
};

const mostWaiting = 200;

export function createMailbox(signal: AbortSignal): Mailbox {
  const waiting = new Map<string, Change>();
  let wake = () => {};
  signal.addEventListener('abort', () => wake(), { once: true });

  const put = (change: Change) => {
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
      if (waiting.size >= mostWaiting) putAll();
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
