import type { FastifyBaseLogger, FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ProblemError } from './problem.ts';
import { storeProblem } from './store-problem.ts';

/**
 * Turns every failure into the contract's Problem. An unexpected failure goes to the log, and the caller
 * learns only that something failed.
 */
export function answerError(error: Error, request: FastifyRequest, reply: FastifyReply) {
  const answer = problemToTell(error, request.log, request.id);
  const { retryAfterSeconds } = answer.details;
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds);
  return reply.code(answer.status).send(answer.toProblem());
}

/** Makes the Problem for the caller. The log gets the rest. */
export function problemToTell(error: Error, log: FastifyBaseLogger, requestId: string): ProblemError {
  const problem = error instanceof ProblemError ? error : foreseen(error);
  if (!problem) log.error({ err: error }, 'a request failed');
  else if (problem.code === 'unavailable')
    log.warn({ err: problem.cause ?? error }, 'the console could not serve a request');
  return (
    problem ??
    new ProblemError(
      'internal',
      `Something went wrong in the console. Its log names this request ${requestId}.`,
    )
  );
}

export async function answerNotFound(): Promise<never> {
  throw new ProblemError('not_found', 'There is nothing at this address.');
}

/**
 * Failures with a known cause: a store that is full or does not answer, and Fastify's own failures by their
 * documented codes.
 */
function foreseen(error: Error & Partial<Pick<FastifyError, 'code' | 'statusCode'>>): ProblemError | null {
  const storeIsDown = storeProblem(error);
  if (storeIsDown) return storeIsDown;
  const options = { cause: error };
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new ProblemError(
      'too_large',
      'The request is larger than the console accepts. Nothing was saved.',
      {},
      options,
    );
  }
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new ProblemError('invalid_input', 'Send JSON, with content-type application/json.', {}, options);
  }
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new ProblemError(
      'invalid_input',
      'The request is not valid, or its body is not valid JSON. Nothing was saved.',
      {},
      options,
    );
  }
  return null;
}
