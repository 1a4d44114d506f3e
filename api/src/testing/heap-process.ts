import { createInterface } from 'node:readline';
import { finished } from 'node:stream/promises';
import { getHeapSnapshot } from 'node:v8';
import { startTestApi } from '../http/testing.ts';

/**
 * A console in a process of its own, whose heap a test may look through. It prints its address. For each line it prints how often
 * the words of the line stand in its heap, as JSON. Objects that nothing refers to any more are not in a snapshot.
 */
const [kept = '', cloudflareUrl = '', site = '', clientId = '', clientSecret = ''] = process.argv.slice(2);
/** The process keeps this word on purpose, which proves that the search works. */
Object.assign(globalThis, { keptOnPurpose: { word: kept } });

const github = site === '' ? null : { site, app: { clientId, clientSecret } };
const api = await startTestApi({ cloudflareUrl, github });
process.stdout.write(`${api.url}\n`);

for await (const line of createInterface({ input: process.stdin })) {
  // The words come in base64 and turned round, so that the question itself does not stand in the heap.
  const words = line.split(' ').map((word) => [...Buffer.from(word, 'base64')].reverse());
  process.stdout.write(`${JSON.stringify(await countInHeap(words))}\n`);
}
await api[Symbol.asyncDispose]();

async function countInHeap(words: number[][]): Promise<number[]> {
  const counts = words.map(() => 0);
  const needles = words.map((bytes) => Buffer.from(bytes));
  const longest = Math.max(...needles.map(({ length }) => length));
  let rest = Buffer.alloc(0);
  const snapshot = getHeapSnapshot();
  snapshot.on('data', (part: Buffer) => {
    const text = Buffer.concat([rest, part]);
    for (const [index, needle] of needles.entries()) {
      for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) {
        // One that lies in the kept end is counted with the next part.
        if (at < text.length - longest) counts[index] = (counts[index] ?? 0) + 1;
      }
    }
    rest = text.subarray(Math.max(0, text.length - longest));
  });
  await finished(snapshot);
  return counts;
}
