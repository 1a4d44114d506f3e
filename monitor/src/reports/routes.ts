import { monitorRoutes, type ReportAnswer, reportLimits } from '@homeport/contract/monitor';
import { agentTokenHash } from '@homeport/store';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendProblem } from '../problem.ts';
import { type Body, readBody } from './body.ts';
import type { Ingest, Outcome } from './ingest.ts';
import { fromForm, readForm } from './protocol-1.ts';
import { clockShift, fromReport } from './protocol-2.ts';
import type { createUnknownTokens } from './unknown-tokens.ts';

type Deps = { ingest: Ingest; unknownTokens: ReturnType<typeof createUnknownTokens>; clock: () => number };

const reportsSchema = monitorRoutes['POST /api/v2/report'].body;
const tokenPattern = /^[A-Za-z0-9_-]{16,128}$/;

/** The two doors for agents. Neither reads a session, and an answer means that the reports are kept. */
export async function reportRoutes(app: FastifyInstance, deps: Deps): Promise<void> {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: reportLimits.bodyBytes },
    (_request, body, done) => done(null, body),
  );

  app.post('/api/v2/report', async (request, reply) => {
    const token = /^Bearer ([^ ]+)$/.exec(request.headers.authorization ?? '')?.[1];
    const tokenHash = await knownToken(deps, token, request, reply);
    if (tokenHash === null) return reply;
    const body = await readBody(bufferOf(request), request.headers['content-encoding']);
    if (body.kind !== 'text') return refuse(reply, body);
    const reports = reportsSchema.safeParse(parseJson(body.text));
    if (!reports.success) return sendProblem(reply, 'invalid_input', firstIssue(reports.error.issues));
    const receivedAt = deps.clock();
    const shift = clockShift(reports.data, agentTime(request), receivedAt);
    const measurements = reports.data.map((report) => fromReport(report, shift));
    return answer(reply, await deps.ingest.submit(tokenHash, measurements, receivedAt));
  });

  app.post('/api/agent.json', async (request, reply) => {
    const body = await readBody(bufferOf(request), request.headers['content-encoding']);
    if (body.kind !== 'text') return refuse(reply, body);
    const form = readForm(body.text);
    const tokenHash = await knownToken(deps, form?.token, request, reply);
    if (tokenHash === null || form === null) return reply;
    const receivedAt = deps.clock();
    const measurement = fromForm(form.data, receivedAt);
    if (!measurement) return sendProblem(reply, 'invalid_input', 'A report has 34 fields.');
    return answer(reply, await deps.ingest.submit(tokenHash, [measurement], receivedAt));
  });
}

/** The token's hash, or null after the refusal has been sent. */
async function knownToken(
  { ingest, unknownTokens }: Deps,
  token: string | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string | null> {
  if (token !== undefined && tokenPattern.test(token)) {
    const hash = agentTokenHash(token).toString('hex');
    if (ingest.isCached(hash)) return hash;
    const wait = unknownTokens.waitSeconds(request.ip);
    if (wait > 0) {
      sendProblem(reply, 'too_many', 'Too many unknown tokens came from here.', { retryAfterSeconds: wait });
      return null;
    }
    if (await ingest.isKnown(hash)) return hash;
  }
  unknownTokens.note(request.ip);
  sendProblem(reply, 'not_signed_in', 'This token is not known here.');
  return null;
}

function answer(reply: FastifyReply, outcome: Outcome): FastifyReply {
  switch (outcome.kind) {
    case 'unknown_token':
      return sendProblem(reply, 'not_signed_in', 'This token is not known here.');
    case 'busy':
      return sendProblem(reply, 'unavailable', 'Too many reports are waiting.', { retryAfterSeconds: 30 });
    case 'answered': {
      const { accepted, repeated, refused } = outcome;
      return reply.send({ status: 'ok', accepted, repeated, refused } satisfies ReportAnswer);
    }
  }
}

function refuse(reply: FastifyReply, body: Exclude<Body, { kind: 'text' }>): FastifyReply {
  return body.kind === 'too_large'
    ? sendProblem(reply, 'too_large', 'The report is too large.')
    : sendProblem(reply, 'invalid_input', 'The body is not gzip, or its encoding is not known.');
}

function bufferOf(request: FastifyRequest): Buffer {
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}

function agentTime(request: FastifyRequest): number | null {
  const header = request.headers['homeport-agent-time'];
  return typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : null;
}

/** Undefined is what no schema takes. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function firstIssue(issues: readonly { path: PropertyKey[]; message: string }[]): string {
  const [issue] = issues;
  return issue ? `${issue.path.map(String).join('.') || 'body'}: ${issue.message}` : 'This is no report.';
}
