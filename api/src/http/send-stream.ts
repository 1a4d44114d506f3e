import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import type { StreamItem } from './handlers.ts';

const aborted = Symbol('aborted');

/**
 * Sends a stream's items as server-sent events until it ends or `signal` aborts. The iterator is ended in both cases, also
 * while it waits for its next item or the caller does not read.
 *
 * @throws what the stream throws before its first item; later failures are logged and end the stream, so that the reader
 * connects again from the last event it saw.
 */
export async function sendStream(
  reply: FastifyReply,
  stream: AsyncIterable<StreamItem<unknown>>,
  schema: z.ZodType,
  signal: AbortSignal,
): Promise<void> {
  const iterator = stream[Symbol.asyncIterator]();
  const untilAbort = new Promise<typeof aborted>((resolve) => {
    if (signal.aborted) resolve(aborted);
    signal.addEventListener('abort', () => resolve(aborted), { once: true });
  });
  let opened = false;
  try {
    while (true) {
      const step = await Promise.race([iterator.next(), untilAbort]);
      if (step === aborted) return;
      if (!opened) {
        opened = true;
        reply.sse.sendHeaders(200);
        // Node holds the head back for the first piece of the body, which may be long in coming.
        reply.raw.flushHeaders();
      }
      if (step.done) return;
      if (step.value !== null) {
        const data = schema.encode(step.value.data);
        await Promise.race([reply.sse.send({ ...step.value, data }), untilAbort]);
      }
    }
  } catch (error) {
    if (!opened) throw error;
    if (!signal.aborted) reply.log.error({ err: error }, 'a stream broke off');
  } finally {
    // Not awaited: a generator that waits for something else ends only after that.
    iterator.return?.().catch(() => {});
  }
}
