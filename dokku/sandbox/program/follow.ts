import { setTimeout as sleep } from 'node:timers/promises';
import { readText } from './files.ts';

/** Prints the lines that files gain, until whoever listens is gone. `from` is a count of characters already printed. */
export async function follow<T extends { path: string; from: number }>(
  files: readonly T[],
  print: (line: string, file: T) => void,
): Promise<never> {
  // A client that is gone: sshd closes stdin's pipe and stdout; a silent app would keep this alive otherwise.
  process.stdin.on('error', () => process.exit(255));
  for (;;) {
    for (const file of files) {
      const text = readText(file.path) ?? '';
      const end = text.lastIndexOf('\n') + 1;
      for (const line of text.slice(file.from, end).split('\n').slice(0, -1)) print(line, file);
      file.from = Math.max(file.from, end);
    }
    if (process.ppid === 1) process.exit(255);
    await sleep(100);
  }
}
