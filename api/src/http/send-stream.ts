import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import type { StreamItem } from './handlers.ts';
import { pumpStream } from './pump-stream.ts';

/**
 * Sends a stream's items as server-sent events until the stream ends or the signal aborts. `person` reads the
 * stream.
 *
 * @throws what the stream throws before its first item. A later failure is logged and ends the stream, so
 * that the reader connects again from the last event it saw.
 */
export async function sendStream(
  reply: FastifyReply,
  stream: AsyncIterable<StreamItem<unknown>>,
  options: { schema: z.ZodType; signal: AbortSignal; person: string },
): Promise<void> {
  let opened = false;
  try {
    await pumpStream(stream, options, {
      opened() {
        opened = true;
        reply.sse.sendHeaders(200);
        // Node holds the head back until the first piece of the body, which may come much later.
        reply.raw.flushHeaders();
      },
      take: (item) => reply.sse.send(item),
    });
  } catch (error) {
    if (!opened) throw error;
    if (!options.signal.aborted) reply.log.error({ err: error }, 'a stream broke off');
  }
}
