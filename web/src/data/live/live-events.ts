/** One event of a stream. `id` is the reader's position after the event; empty until the stream sends one. */
export interface LiveEvent {
  id: string;
  data: unknown;
}

/** Queues events between the socket and their reader. A reader that leaves the loop leaves the stream. */
export function createEvents(onLeave: () => void) {
  const waiting: LiveEvent[] = [];
  let ended = false;
  let wake = () => {};
  return {
    put(event: LiveEvent) {
      waiting.push(event);
      wake();
    },
    end() {
      ended = true;
      wake();
    },
    async *[Symbol.asyncIterator](): AsyncGenerator<LiveEvent> {
      try {
        for (;;) {
          const next = waiting.shift();
          if (next) yield next;
          else if (ended) return;
          else
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
        }
      } finally {
        onLeave();
      }
    },
  };
}
