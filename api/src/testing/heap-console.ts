import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { GithubProcess } from '@homeport/stand-ins/testing';

export type HeapConsole = AsyncDisposable & {
  url: string;
  /**
   * How often each word stands in the console's heap, in what something refers to: a snapshot collects garbage first. `control` is
   * the number for a word that the console keeps on purpose, which proves that the search works.
   */
  countInHeap(words: readonly string[]): Promise<{ found: number[]; control: number }>;
};

/** Starts a console in a process of its own, which works with these stand-ins. */
export async function startHeapConsole(services: {
  cloudflareUrl?: string;
  github?: Pick<GithubProcess, 'app' | 'url'>;
}): Promise<HeapConsole> {
  const { cloudflareUrl = '', github } = services;
  const kept = randomBytes(18).toString('hex');
  const program = fileURLToPath(new URL('heap-process.ts', import.meta.url));
  const app = github ? [github.url, github.app.clientId, github.app.clientSecret] : [];
  const child = spawn(process.execPath, ['--import', 'tsx', program, kept, cloudflareUrl, ...app], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const url: string = (await lines.next()).value ?? '';
  return {
    url,
    async countInHeap(words) {
      const turned = [kept, ...words].map((each) =>
        Buffer.from([...Buffer.from(each)].reverse()).toString('base64'),
      );
      child.stdin.write(`${turned.join(' ')}\n`);
      const [control = 0, ...found]: number[] = JSON.parse((await lines.next()).value ?? '[]');
      return { found, control };
    },
    async [Symbol.asyncDispose]() {
      // The console then drops its database and ends.
      child.stdin.end();
      await once(child, 'close');
    },
  };
}
