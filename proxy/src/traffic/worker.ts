import { createUseCounter } from '../measure/use-counter.ts';
import { createTraffic } from './in-process.ts';
import { type Order, orderSchema, type Report } from './messages.ts';
import type { Traffic } from './traffic.ts';

// A process that answers visitors and does nothing else. The first process starts it with node:cluster, reads the store for it and
// tells it what changes. It has no store and no secret but the key of its proof.

/** The time between two deliveries of counts to the first process. A killed worker loses the counts of this time. */
const useEveryMs = 1_000;

const use = createUseCounter(Date.now);
let traffic: Traffic | undefined;

const tell = (report: Report) => {
  if (process.connected) process.send?.(report);
};

async function obey(order: Order): Promise<void> {
  if (order.kind === 'begin') {
    traffic = createTraffic(order.settings, use, (error) => tell({ kind: 'failed', text: textOf(error) }));
    return;
  }
  if (traffic === undefined) return;
  switch (order.kind) {
    case 'restore':
      for (const site of order.sites) traffic.table.restore(site);
      return;
    case 'put':
      traffic.table.put(order.site);
      return;
    case 'remove':
      traffic.table.remove(order.proxy);
      return;
    case 'free':
      traffic.table.free(order.name);
      return;
    default:
      await answer(order, traffic);
  }
}

async function answer(order: Extract<Order, { call: number }>, answering: Traffic): Promise<void> {
  let purged: number | null = null;
  if (order.kind === 'listen') await answering.listen();
  if (order.kind === 'purge') purged = await answering.purge(order.startsWith);
  if (order.kind === 'drain') {
    await answering.drain();
    tellUse();
  }
  tell({ kind: 'done', call: order.call, purged });
  if (order.kind === 'drain') process.disconnect();
}

function tellUse(): void {
  const taken = use.take();
  if (taken.length > 0) tell({ kind: 'use', use: taken });
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

process.on('message', (message) => {
  const read = orderSchema.safeParse(message);
  if (!read.success) return;
  const order = read.data;
  obey(order).catch((error: NodeJS.ErrnoException) => {
    if ('call' in order) tell({ kind: 'refused', call: order.call, code: error.code ?? textOf(error) });
    else tell({ kind: 'failed', text: textOf(error) });
  });
});
// A terminal sends its signals to every process. The first one decides about the end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
// Nobody would tell this process what changes any more.
process.on('disconnect', () => process.exit());
setInterval(tellUse, useEveryMs).unref();
tell({ kind: 'ready' });
