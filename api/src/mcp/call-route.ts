import { type ErrorCode, errorCatalogue } from '@homeport/contract/problems/facts';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { ProblemError } from '../http/problem.ts';
import type { Caller } from './caller.ts';

/** The request whose token reads. */
type Asked = { authorization: string; address: string; signal: AbortSignal };

/**
 * Calls routes of this process as the holder of a token calls them over HTTP. So the scope, the owner, the pace and the checks of a tool
 * are those of the route, and no second rule can differ from them.
 */
export function routeCaller(
  fastify: FastifyInstance,
  { authorization, address, signal }: Asked,
): Pick<Caller, 'read' | 'send'> {
  const ask = async (key: string, { path = {}, query = {}, body }: Input) => {
    const answer = await fastify.inject({
      method: key.startsWith('GET ') ? 'GET' : 'POST',
      url: pathOf(key, path),
      query,
      headers: { authorization },
      ...(body !== undefined && { payload: body }),
      remoteAddress: address,
      signal,
    });
    if (answer.statusCode >= 300) throw problemOf(answer.statusCode, answer.body);
    // The serializer of the route has just written it by the contract's schema.
    return JSON.parse(answer.body);
  };
  return {
    read: (key, input = {}) => ask(key, input),
    send(key, input) {
      const { params, body } = input as object as { params?: Record<string, string>; body?: object };
      return ask(key, { ...(params && { path: params }), ...(body && { body }) });
    },
  };
}

type Input = { path?: Record<string, string>; query?: Record<string, string>; body?: object };

const pathOf = (key: string, path: Record<string, string>): string =>
  key
    .slice(key.indexOf(' ') + 1)
    .split('/')
    .map((part) => (part.startsWith(':') ? encodeURIComponent(path[part.slice(1)] ?? '') : part))
    .join('/');

const problemShape = z.object({
  code: z.enum(Object.keys(errorCatalogue) as [ErrorCode, ...ErrorCode[]]),
  message: z.string(),
  recovery: z.string(),
  fields: z.record(z.string(), z.string()).optional(),
  retryAfterSeconds: z.number().optional(),
});

/** A problem that a route answered. Its message may quote a service or a server. */
export class RouteProblem extends ProblemError {}

/** The problem that the route answered, without what only a page could use. */
function problemOf(status: number, body: string): ProblemError {
  const problem = problemShape.safeParse(parsed(body));
  // A replica may run without the monitor, whose routes then do not exist.
  if (!problem.success && status === 404)
    return new ProblemError('not_found', 'This process of the console does not serve this.');
  if (!problem.success) throw new Error(`a route answered ${status} without a problem`);
  const { code, message, ...details } = problem.data;
  return new RouteProblem(code, message, details);
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
