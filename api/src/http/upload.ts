import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ProblemError } from './problem.ts';

/** A file that a caller sends. */
export type Upload = {
  /** As the caller declared them. */
  bytes: number;
  /** The bytes as they arrive. They are pulled, so that a slow reader slows the caller down. */
  pieces: AsyncIterable<Uint8Array>;
};

/** Leaves the body of the scope's requests unread, whatever its type. The handler reads it. */
export function leaveBodiesUnread(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
}

/** @throws ProblemError for another type of content, or a length that is absent, zero or above the route's bound. */
export function uploadOf(request: FastifyRequest, atMostBytes: number): Upload {
  const { 'content-type': type, 'content-length': length = '' } = request.headers;
  if (type !== 'application/octet-stream')
    throw new ProblemError('invalid_input', 'Send the file with content-type application/octet-stream.');
  if (!/^\d{1,15}$/.test(length) || Number(length) === 0)
    throw new ProblemError('invalid_input', 'Send a file that is not empty, and declare its length.');
  if (Number(length) > atMostBytes)
    throw new ProblemError('too_large', 'The file is larger than the console accepts. Nothing was saved.');
  return {
    bytes: Number(length),
    // The connection stays after a refusal, because the answer goes over it.
    pieces: request.raw.iterator({ destroyOnReturn: false }),
  };
}

/** How long a caller whose file was refused may go on sending before the connection is cut. */
const goesOnMs = 10_000;

/** A browser reads the answer when it has sent its file, or some of it. */
export function cutIfSendingGoesOn({ raw: request }: FastifyRequest, { raw: answer }: FastifyReply): void {
  answer.once('finish', () => {
    if (request.complete) return;
    setTimeout(() => {
      if (!request.complete) request.destroy();
    }, goesOnMs).unref();
  });
}
