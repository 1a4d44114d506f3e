import type { FastifyBaseLogger } from 'fastify';
import { problemToTell } from '../http/error-answer.ts';
import type { OpenedStream } from '../http/open-stream.ts';
import { ProblemError } from '../http/problem.ts';
import { pumpStream } from '../http/pump-stream.ts';
import type { LiveSender, Sending } from './live-sender.ts';

type Subscription = {
  id: number;
  open: (signal: AbortSignal) => Promise<OpenedStream>;
  /** Gets what hands messages of the page to the stream. */
  onOpen: (say: OpenedStream['say']) => void;
  sender: LiveSender;
  eventBytes: number;
  /** Aborts when the page leaves the subscription or the socket. */
  left: AbortSignal;
  /** The person whose page it is. */
  person: string;
  log: FastifyBaseLogger;
};

/**
 * Sends one stream to a page until the stream ends or fails, or the page leaves. A page that stays learns how
 * the stream ended. A page that reads too slowly is dropped with the id of the last event that was sent, and
 * the stream releases what it holds on the server.
 */
export async function serveSubscription({
  id,
  open,
  onOpen,
  sender,
  eventBytes,
  left,
  person,
  log,
}: Subscription): Promise<void> {
  const dropped = new AbortController();
  const stop = AbortSignal.any([left, dropped.signal]);
  let resumeFrom: string | null = null;
  const proceed = (outcome: Sending) => {
    if (outcome === 'slow') dropped.abort();
    return outcome === 'sent';
  };
  try {
    const { stream, reply, say } = await open(stop);
    onOpen(say);
    await pumpStream(
      stream,
      { schema: reply, signal: stop, person },
      {
        opened: () => sender.tell({ type: 'opened', id }),
        async take({ id: eventId = null, data }) {
          const text = JSON.stringify({ type: 'event', id, eventId, data });
          if (Buffer.byteLength(text) > eventBytes)
            throw new ProblemError('too_large', 'One event of this stream is too large for a page.');
          if (!proceed(await sender.send(text, stop))) return;
          resumeFrom = eventId ?? resumeFrom;
          proceed(await sender.room(stop));
        },
      },
    );
    if (left.aborted) return;
    if (dropped.signal.aborted) sender.tell({ type: 'dropped', id, resumeFrom });
    else sender.tell({ type: 'end', id });
  } catch (error) {
    if (left.aborted) return;
    const failure = error instanceof Error ? error : new Error('a value that is not an Error was thrown');
    const problem = problemToTell(failure, log, `of subscription ${id}`).toProblem();
    sender.tell({ type: 'failed', id, problem });
  } finally {
    dropped.abort();
  }
}
