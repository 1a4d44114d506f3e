import { type ProxyService, startProxy } from '@homeport/proxy';
import { openStore, type Store } from '@homeport/store';
import { boundReports, textOf } from './bound-reports.ts';
import { type Order, orderSchema, type Report } from './messages.ts';
import { takeOver } from './take-over.ts';

// The process of the proxy service. The console starts it while there is a proxy, and watches it. When the console is killed, this
// process goes on for a while: a console that starts in this time begins its own service, which takes the port over.

/** One for the domains, one for the counts, one for the rules, one to spare. */
const storeConnections = 4;

let service: ProxyService | undefined;
let store: Store | undefined;
let ending: Promise<void> | undefined;
let aloneMs = 0;

const tell = (report: Report) => {
  if (process.connected) process.send?.(report, () => undefined);
};
const report = boundReports(({ what, text }) => tell({ kind: 'failed', what, text }));

async function begin({ settings, storeUrl, aloneMs: given }: Extract<Order, { kind: 'begin' }>) {
  aloneMs = given;
  const begun = startProxy({
    ...{ ...settings, report },
    async openStore() {
      store ??= await openStore({
        // The service tries again, and serves from its snapshot meanwhile.
        ...{ url: storeUrl, poolSize: storeConnections, awaitSchema: { withinMs: 0 } },
        report: (error) => report(error, 'a connection to PostgreSQL'),
      });
      return store;
    },
    beforeListening: () => takeOver(settings),
    // A service with a console keeps its port, so that two consoles with the same settings do not take it from each other for ever.
    release() {
      if (process.connected) return false;
      void end();
      return true;
    },
  });
  try {
    service = await begun;
    tell({ kind: 'serving' });
  } catch (error) {
    if (!process.connected) process.exit(1);
    process.send?.({ kind: 'refused', ...why(error) } satisfies Report, () => process.exit(1));
  }
}

function why(error: unknown): Pick<Extract<Report, { kind: 'refused' }>, 'code' | 'port' | 'text'> {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const port =
    error instanceof Error && 'port' in error && typeof error.port === 'number' ? error.port : null;
  return { code, port, text: textOf(error) };
}

function end(): Promise<void> {
  ending ??= (async () => {
    // What a part cannot end in time, the end of the process ends.
    await service?.close().catch((error: unknown) => report(error, 'ending'));
    await store?.close().catch(() => undefined);
    process.exit(0);
  })();
  return ending;
}

process.on('message', (message) => {
  const read = orderSchema.safeParse(message);
  if (!read.success) return;
  const order = read.data;
  if (order.kind === 'begin') void begin(order);
  else if (order.kind === 'ping') tell({ kind: 'pong' });
  else void end();
});

process.on('disconnect', () => {
  if (ending !== undefined) return;
  // Without a port there is nothing to hand over.
  if (service === undefined) process.exit();
  setTimeout(() => void end(), aloneMs);
});

// A terminal and a supervisor send their signals to every process. The console decides about the end, as long as it lives.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    if (!process.connected && signal !== 'SIGHUP') void end();
  });

tell({ kind: 'ready' });
