import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { type ErrorCode, errorCatalogue } from '@homeport/contract/problems/facts';
import type { Problem } from '@homeport/contract/problems/schema';
import { reportLimits } from '@homeport/contract/stats/facts';
import type { ReportAnswer } from '@homeport/contract/stats/schema';
import type { FastifyBaseLogger } from 'fastify';
import { type Body, readBody } from './body.ts';
import type { Ingest } from './ingest.ts';
import type { Outcome } from './keep-posts.ts';
import { type PostCeiling, tooManyPosts } from './post-ceiling.ts';
import { clockShift, fromReport } from './protocol-2.ts';
import { readReports } from './read-reports.ts';

export type PostDeps = {
  ingest: Ingest;
  ceiling: PostCeiling;
  clock: () => number;
  log: Pick<FastifyBaseLogger, 'error'>;
};
/** Reads and answers one post of reports from the server with this token hash. */
export type TakePost = (request: IncomingMessage, response: ServerResponse, tokenHash: string) => void;

/** Works on Node's own request and response. At thousands of posts a second a framework's share of the time would set the limit. */
export function createTakePost({ ingest, ceiling, clock, log }: PostDeps): TakePost {
  async function take(request: IncomingMessage, response: ServerResponse, tokenHash: string, raw: Buffer) {
    const unpacked = readBody(raw, request.headers['content-encoding']);
    const body = unpacked instanceof Promise ? await unpacked : unpacked;
    if (body.kind !== 'text') return answerProblem(response, ...refusalOf(body));
    const receivedAt = clock();
    const read = readReports(body.text);
    if ('refusal' in read) return answerProblem(response, 'invalid_input', read.refusal);
    const { reports, reportJson } = read;
    const shift = clockShift(reports, agentTime(request.headers), receivedAt);
    const measurements = reports.map((report) => fromReport(report, shift, reportJson));
    answer(response, await ingest.submit(tokenHash, measurements, receivedAt));
  }

  return (request, response, tokenHash) => {
    const wait = ceiling.take(tokenHash);
    const chunks: Buffer[] = [];
    let received = 0;
    request.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (received <= reportLimits.bodyBytes) {
        if (wait === 0) chunks.push(chunk);
      } else if (!response.headersSent) {
        // The connection ends with the answer, because nobody reads the rest of the body.
        response.shouldKeepAlive = false;
        answerProblem(response, ...refusalOf({ kind: 'too_large' }));
      }
    });
    request.on('end', () => {
      if (response.headersSent) return;
      // Answer only after the whole body: an agent that still sends could miss the answer, and with it the time to wait.
      if (wait > 0) return answerProblem(response, ...tooManyPosts, wait);
      const [first = Buffer.alloc(0)] = chunks;
      take(request, response, tokenHash, chunks.length > 1 ? Buffer.concat(chunks) : first).catch(
        (error: unknown) => {
          log.error({ err: error }, 'reports were not stored');
          answerProblem(response, 'internal', 'The reports could not be stored.');
        },
      );
    });
  };
}

function agentTime(headers: IncomingHttpHeaders): number | null {
  const header = headers['homeport-agent-time'];
  return typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : null;
}

function answer(response: ServerResponse, outcome: Outcome): void {
  const told = answerTo(outcome);
  if ('status' in told) write(response, 200, JSON.stringify(told));
  else answerProblem(response, told.code, told.message, told.retryAfterSeconds);
}

type Refusal = { code: ErrorCode; message: string; retryAfterSeconds?: number };

/** What the sender of reports is told, whichever protocol it speaks. */
export function answerTo(outcome: Outcome): ReportAnswer | Refusal {
  switch (outcome.kind) {
    case 'unknown_token':
      return { code: 'not_signed_in', message: 'This token is not known here.' };
    case 'busy':
      return { code: 'unavailable', message: 'Too many reports are waiting.', retryAfterSeconds: 30 };
    case 'answered': {
      const { accepted, repeated, refused } = outcome;
      return { status: 'ok', accepted, repeated, refused };
    }
  }
}

export function refusalOf({ kind }: Exclude<Body, { kind: 'text' }>): [ErrorCode, string] {
  return kind === 'too_large'
    ? ['too_large', 'The report is too large.']
    : ['invalid_input', 'The body is not gzip, or its encoding is not known.'];
}

function answerProblem(
  response: ServerResponse,
  code: ErrorCode,
  message: string,
  retryAfterSeconds?: number,
): void {
  const { status, recovery } = errorCatalogue[code];
  const problem = { code, message, recovery, ...(retryAfterSeconds && { retryAfterSeconds }) };
  if (retryAfterSeconds) response.setHeader('retry-after', retryAfterSeconds);
  write(response, status, JSON.stringify(problem satisfies Problem));
}

function write(response: ServerResponse, status: number, json: string): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(json),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(json);
}
