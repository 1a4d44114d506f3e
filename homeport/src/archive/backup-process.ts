import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { ofDatabase } from '../data-place.ts';
import { createCleanup } from '../shutdown.ts';
import { inPlainWords } from '../start-error.ts';
import { type Answer, type Order, orderSchema } from './backup-messages.ts';
import { makeBackup } from './make-backup.ts';

// The process of one backup. The console starts it, so that the encryption never holds the console's own event loop. It takes one order,
// answers and ends. When the console ends, it ends too, and leaves no unfinished file.

const endWithinMs = 5_000;
const cleanup = createCleanup(endWithinMs, () => undefined);

async function obey(order: Order): Promise<Answer> {
  try {
    if (order.kind === 'read') return { kind: 'read', sha256: await hashOf(order.file) };
    const { storeUrl: url, secret, file, recipient } = order;
    const recipients = recipient === null ? [] : [recipient];
    const made = await makeBackup({ place: { url }, secret, file, recipients }, cleanup);
    return { kind: 'made', ...made };
  } catch (error) {
    return { kind: 'failed', why: inPlainWords(ofDatabase(error)) };
  }
}

async function hashOf(file: string): Promise<string> {
  const sum = createHash('sha256');
  for await (const chunk of createReadStream(file)) sum.update(chunk as Buffer);
  return sum.digest('hex');
}

async function end(): Promise<void> {
  await cleanup.run();
  process.exit(0);
}

process.once('message', (message) => {
  void obey(orderSchema.parse(message)).then((answer) => {
    process.send?.(answer, () => void end());
  });
});
process.once('disconnect', () => void end());
// A terminal sends its signals to every process. The console decides about the end.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.once('SIGTERM', () => void end());
process.send?.({ kind: 'ready' } satisfies Answer);
