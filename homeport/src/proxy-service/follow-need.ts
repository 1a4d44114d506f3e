import { hasProxies, type Store } from '@homeport/store';

/** A notification can be lost, and the end of a proxy that was never served sends none. */
const everyMs = 30_000;

/**
 * Reports whether the proxy service is needed: at once, and after each change of proxies. A proxy that waits needs it too, because a
 * request through the service proves that its domain leads here.
 */
export async function followNeed(
  store: Pick<Store, 'pool' | 'listener'>,
  { needed, failed }: { needed(isNeeded: boolean): void; failed(error: unknown): void },
): Promise<{ close(): Promise<void> }> {
  let isClosed = false;
  let reading: Promise<void> | undefined;
  let isStale = false;

  async function read(): Promise<void> {
    do {
      isStale = false;
      const found = await hasProxies(store.pool);
      if (!isClosed) needed(found);
    } while (isStale && !isClosed);
  }
  const look = () => {
    if (isClosed) return;
    isStale = true;
    reading ??= read()
      .catch(failed)
      .finally(() => {
        reading = undefined;
      });
  };

  store.listener.onReconnect(look);
  await store.listener.on('proxy', look);
  look();
  const timer = setInterval(look, everyMs).unref();
  return {
    async close() {
      isClosed = true;
      clearInterval(timer);
      await reading;
    },
  };
}
