import type { Socket } from 'node:net';

/** For the words of a command line or a whole stdin. Linux takes at most 2 MiB of words (execve(2)). */
const mostBytes = 16 * 1024 * 1024;

/** What `ask-front.pl` sends, in its order. Each reading rejects where the asker has left or says too much. */
export type Asker = {
  /** The next line, without its end. */
  line(): Promise<string>;
  /** A line with a number, and then as many bytes as text. */
  text(): Promise<string>;
};

export function askerAt(socket: Socket): Asker {
  const parts: AsyncIterator<Buffer> = socket[Symbol.asyncIterator]();
  let held = Buffer.alloc(0);
  const readMore = async () => {
    const { value, done } = await parts.next();
    if (done || held.length > mostBytes) throw new Error('The asker has left, or says too much.');
    held = Buffer.concat([held, value]);
  };
  const take = async (bytes: number) => {
    while (held.length < bytes) await readMore();
    const taken = held.subarray(0, bytes);
    held = held.subarray(bytes);
    return taken;
  };
  const line = async () => {
    while (!held.includes('\n')) await readMore();
    const taken = await take(held.indexOf('\n') + 1);
    return taken.subarray(0, -1).toString();
  };
  return { line, text: async () => (await take(Number(await line()))).toString() };
}
