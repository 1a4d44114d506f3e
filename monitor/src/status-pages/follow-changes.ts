import type { FastifyBaseLogger } from 'fastify';

/** Between tries to read what could not be read. */
const firstWaitMs = 1_000;
const longestWaitMs = 30_000;

/**
 * Reads changed pages one after the other. What could not be read is read again, with longer and longer waits: a page that was hidden has
 * no further message.
 */
export function createFollower({
  read,
  list,
  log,
}: {
  read(id: string): Promise<void>;
  /** Follows each page that there is. */
  list(): Promise<void>;
  log: Pick<FastifyBaseLogger, 'error'>;
}) {
  const waiting = new Set<string>();
  const again = new Set<string>();
  let isListDue = false;
  let retry: NodeJS.Timeout | undefined;
  let waitMs = firstWaitMs;
  let closed = false;
  let following: Promise<void> = Promise.resolve();

  function follow(id: string): void {
    if (waiting.has(id) || closed) return;
    waiting.add(id);
    following = following.then(async () => {
      waiting.delete(id);
      if (closed) return;
      try {
        await read(id);
        waitMs = firstWaitMs;
      } catch (error) {
        log.error({ err: error }, 'a status page could not be read; it is read again soon');
        again.add(id);
        readAgainLater();
      }
    });
  }

  function readAgainLater(): void {
    if (retry || closed) return;
    retry = setTimeout(() => {
      retry = undefined;
      const ids = [...again];
      again.clear();
      if (isListDue) followAll();
      for (const id of ids) follow(id);
    }, waitMs);
    retry.unref();
    waitMs = Math.min(waitMs * 2, longestWaitMs);
  }

  function followAll(): void {
    isListDue = false;
    list().catch((error: unknown) => {
      log.error({ err: error }, 'status pages could not be listed; they are listed again soon');
      isListDue = true;
      readAgainLater();
    });
  }

  return {
    follow,
    followAll,
    async close() {
      closed = true;
      clearTimeout(retry);
      await following;
    },
  };
}
