/** One event of a stream. `id`: where the reader stands after it; empty before the stream has said. */
export interface LiveEvent {
  id: string;
  data: unknown;
}

/** Events between the socket and who reads them; a reader that leaves the loop leaves the stream. */
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
