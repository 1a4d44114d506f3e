import { readSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { openConnection } from '../src/index.ts';

/**
 * Reads a password from stdin as bytes, logs in with it and stays connected. `send-password.test.ts` searches this process's
 * memory for the password. Arguments: host, port, account, the pinned host key, and a word to keep in memory.
 */
async function main([
  host = '',
  port = '',
  username = '',
  pinnedHostKey = '',
  word = '',
]: string[]): Promise<void> {
  const kept = Buffer.from(word);
  const connection = await openConnection({
    host,
    port: Number(port),
    username,
    pinnedHostKey,
    credential: {
      method: 'password',
      prompter: {
        password: async () => readPassword(),
        interactive: () => Promise.reject(new Error('not asked for')),
      },
    },
  });
  await connection.exec({ argv: ['true'], deadlineMs: 10_000 });
  globalThis.gc?.();
  await wait(1_000);
  globalThis.gc?.();
  process.stdout.write('connected\n');
  await wait(60_000);
  process.stdout.write(kept);
}

/** Straight from the descriptor: a stream would keep its own copy. */
function readPassword(): Buffer {
  const bytes = Buffer.alloc(1_024);
  return bytes.subarray(0, readSync(0, bytes));
}

void main(process.argv.slice(2));
