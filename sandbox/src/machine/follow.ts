import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { readText } from './files.ts';

/** Prints the new lines of files until the reader leaves. `from` is the number of characters already printed. */
export async function follow<T extends { path: string; from: number }>(
  files: readonly T[],
  print: (line: string, file: T) => void,
): Promise<never> {
  endWithReader();
  for (;;) {
    for (const file of files) {
      const text = readText(file.path) ?? '';
      const end = text.lastIndexOf('\n') + 1;
      for (const line of text.slice(file.from, end).split('\n').slice(0, -1)) print(line, file);
      file.from = Math.max(file.from, end);
    }
    await sleep(100);
  }
}

/**
 * Ends this process when its reader leaves. A silent app writes nothing, so no EPIPE shows that the SSH channel is closed, and
 * stdin may be /dev/null. Node cannot poll its output for a reader that left, but tail(1) does; tail ends with this process too.
 */
function endWithReader(): void {
  const words = ['-f', `--pid=${process.pid}`, '/dev/null'];
  const watcher = spawn('tail', words, { stdio: ['ignore', 'inherit', 'ignore'] });
  watcher.once('exit', () => process.exit(255));
}
