import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { ofDatabase } from '../data-place.ts';
import { createCleanup } from '../shutdown.ts';
import { inPlainWords } from '../start-error.ts';
import { type Answer, type Order, orderSchema } from './backup-messages.ts';
import { type MadeFile, makeBackup } from './make-backup.ts';
import { type Proof, proveBackup } from './prove-backup.ts';

// The process of one backup. The console starts it, so that the encryption never holds the console's own event loop. It takes one order,
// answers and ends. When the console ends, it ends too, and leaves no unfinished file.

const endWithinMs = 5_000;
/** A test restore that takes longer is given up: the next backup waits for it. */
const proveWithinMs = 60 * 60_000;
const cleanup = createCleanup(endWithinMs, () => undefined);

async function obey(order: Order): Promise<Answer> {
  try {
    if (order.kind === 'read') return { kind: 'read', sha256: await hashOf(order.file) };
    return await make(order);
  } catch (error) {
    return { kind: 'failed', why: inPlainWords(ofDatabase(error)) };
  }
}

/**
 * The console cannot open what it encrypts. So a backup that is to be proven is encrypted for one more key, which this process makes, uses
 * for the test restore of this very file, and forgets.
 */
async function make({
  storeUrl: url,
  secret,
  file,
  recipient,
  proveIn,
  programs,
}: MakeOrder): Promise<Answer> {
  const identity = proveIn === null || recipient === null ? null : await generateX25519Identity();
  const recipients = [
    ...(recipient === null ? [] : [recipient]),
    ...(identity === null ? [] : [await identityToRecipient(identity)]),
  ];
  const { rows, bytes, sha256, archiveBytes } = await makeBackup(
    { place: { url }, secret, file, recipients },
    cleanup,
  );
  const answer: Answer = { kind: 'made', rows, bytes, sha256 };
  if (proveIn === null) return answer;
  process.send?.(answer);
  return { kind: 'tried', proof: await prove({ file, identity, scratch: proveIn, programs, archiveBytes }) };
}

type MakeOrder = Extract<Order, { kind: 'make' }>;

async function prove({
  archiveBytes: bytes,
  ...order
}: Omit<Parameters<typeof proveBackup>[0], 'bytes'> & Pick<MadeFile, 'archiveBytes'>): Promise<Proof> {
  let late: NodeJS.Timeout | undefined;
  const tooLate = new Promise<Proof>((resolve) => {
    const note = 'The test restore took longer than an hour and was given up.';
    late = setTimeout(() => resolve({ state: 'skipped', note }), proveWithinMs);
  });
  const proof = proveBackup({ ...order, bytes }, cleanup).catch(
    (error: unknown): Proof => ({
      state: 'skipped',
      note: `The test restore did not begin: ${error instanceof Error ? error.message : String(error)}.`,
    }),
  );
  try {
    return await Promise.race([proof, tooLate]);
  } finally {
    clearTimeout(late);
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
