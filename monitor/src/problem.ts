import { type ErrorCode, errorCatalogue } from '@homeport/contract/problems/facts';
import type { Problem } from '@homeport/contract/problems/schema';
import type { FastifyReply } from 'fastify';

export function sendProblem(
  reply: FastifyReply,
  code: ErrorCode,
  message: string,
  more: Pick<Problem, 'retryAfterSeconds' | 'fields'> = {},
): FastifyReply {
  const { status, recovery } = errorCatalogue[code];
  if (more.retryAfterSeconds) reply.header('retry-after', more.retryAfterSeconds);
  return reply.code(status).send({ code, message, recovery, ...more } satisfies Problem);
}
