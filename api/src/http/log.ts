import { randomUUID } from 'node:crypto';
import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import { type DestinationStream, type Level, type Logger, pino } from 'pino';
import { legibleLine } from './legible-line.ts';

/**
 * The console's log: no cookie, no authorization, no body, no query, and of an error only the fields of
 * `describeError`.
 */
export function createLog(level: Level | 'silent' = 'info', destination?: DestinationStream): Logger {
  const options = {
    level,
    redact: {
      paths: [
        '*.cookie',
        '*.authorization',
        '*.headers.cookie',
        '*.headers.authorization',
        '*.headers["set-cookie"]',
      ],
      censor: '[hidden]',
    },
    serializers: { req: describeRequest, err: describeError },
  };
  const to = destination ?? pino.destination({ dest: 1, sync: true });
  return pino(options, { write: (line) => to.write(legibleLine(line)) });
}

/** The options of every Fastify instance of the console. */
export function serverOptions(log: FastifyBaseLogger) {
  return {
    loggerInstance: log,
    genReqId: () => randomUUID(),
    bodyLimit: bodyLimitBytes,
    http: { highWaterMark: unreadBytes },
  };
}

/**
 * What waits in this process for one caller, in each direction, before its sender pauses. With Node's 16 KiB a transfer pauses at
 * each packet of a server (32 KiB) and at each piece of a body (64 KiB), which takes an eighth of the processor time of a dump.
 */
const unreadBytes = 128 * 1024;

export const bodyLimitBytes = 64 * 1024;

function describeRequest(request: FastifyRequest) {
  const [path] = request.url.split('?', 1);
  return { id: request.id, method: request.method, path, address: request.ip };
}

/**
 * A database error names the offending values in `detail`. So only the fields that say where an error
 * happened are kept.
 */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: 'a value that is not an Error was thrown' };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return {
    type: error.name,
    message: error.message,
    code,
    stack: error.stack,
    cause: error.cause instanceof Error ? describeError(error.cause) : undefined,
  };
}
