import type { FastifyRequest } from 'fastify';
import { ProblemError } from './problem.ts';
import { bearerOf } from './token-access.ts';

const safeMethods = new Set(['GET', 'HEAD']);

/**
 * Refuses requests that another website makes a browser send. Browsers name the origin on every POST, PUT,
 * PATCH, DELETE and WebSocket opening (Fetch standard, "append a request Origin header"). A caller that sends
 * neither an origin nor `Sec-Fetch-Site` is no browser, so it sends nobody's cookie unknowingly. A WebSocket needs
 * the origin, unless an API token and no cookie says who asks: a browser's WebSocket cannot send a token.
 */
export function refuseOtherOrigins(publicOrigin: string): (request: FastifyRequest) => Promise<void> {
  return async (request) => {
    const opensSocket = request.headers.upgrade !== undefined;
    if (safeMethods.has(request.method) && !opensSocket) return;
    const origin = request.headers.origin;
    const site = request.headers['sec-fetch-site'];
    const same =
      origin === undefined
        ? (!opensSocket || isProgram(request)) &&
          (site === undefined || site === 'same-origin' || site === 'none')
        : origin === publicOrigin;
    if (!same) {
      throw new ProblemError(
        'wrong_origin',
        `This request came from a website other than ${publicOrigin}. Nothing was changed.`,
      );
    }
  };
}

const isProgram = (request: FastifyRequest) =>
  bearerOf(request) !== null && request.headers.cookie === undefined;
