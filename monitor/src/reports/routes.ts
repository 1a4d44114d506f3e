import { reportLimits } from '@homeport/contract/stats/facts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendProblem } from '../problem.ts';
import { readBody } from './body.ts';
import { addFastLane } from './fast-lane.ts';
import type { Outcome } from './keep-posts.ts';
import { createPostCeiling, type PostCeiling, tooManyPosts } from './post-ceiling.ts';
import { fromForm, readForm } from './protocol-1.ts';
import { answerTo, createTakePost, type PostDeps, refusalOf } from './take-post.ts';
import { hashOf, tokenHashOf } from './token.ts';
import type { createUnknownTokens } from './unknown-tokens.ts';

type Deps = Omit<PostDeps, 'ceiling'> & { unknownTokens: ReturnType<typeof createUnknownTokens> };

/** A line for each report would drown the log. */
const quiet = { logLevel: 'warn' } as const;

/** The two routes for agents. Neither reads a session. An answer means that the reports are stored. */
export async function reportRoutes(app: FastifyInstance, deps: Deps): Promise<void> {
  const ceiling = createPostCeiling(deps.clock);
  await app.register((door) => newDoor(door, deps, ceiling));
  await app.register((door) => oldDoor(door, deps, ceiling));
}

async function newDoor(app: FastifyInstance, deps: Deps, ceiling: PostCeiling): Promise<void> {
  const take = createTakePost({ ...deps, ceiling });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _body, done) => done(null));
  app.post('/api/v2/report', quiet, async (request, reply) => {
    const tokenHash = await knownToken(deps, tokenHashOf(request.headers.authorization), request, reply);
    if (tokenHash === null) return reply;
    reply.hijack();
    take(request.raw, reply.raw, tokenHash);
    return reply;
  });
  addFastLane(app.server, '/api/v2/report', deps.ingest, take);
}

async function oldDoor(app: FastifyInstance, deps: Deps, ceiling: PostCeiling): Promise<void> {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: reportLimits.bodyBytes },
    (_request, body, done) => done(null, body),
  );
  app.post('/api/agent.json', quiet, async (request, reply) => {
    const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const body = await readBody(raw, request.headers['content-encoding']);
    if (body.kind !== 'text') return sendProblem(reply, ...refusalOf(body));
    const form = readForm(body.text);
    const tokenHash = await knownToken(deps, hashOf(form?.token), request, reply);
    if (tokenHash === null || form === null) return reply;
    const retryAfterSeconds = ceiling.take(tokenHash);
    if (retryAfterSeconds > 0) return sendProblem(reply, ...tooManyPosts, { retryAfterSeconds });
    const receivedAt = deps.clock();
    const measurement = fromForm(form.data, receivedAt);
    if (!measurement) return sendProblem(reply, 'invalid_input', 'A report has 34 fields.');
    return answer(reply, await deps.ingest.submit(tokenHash, [measurement], receivedAt));
  });
}

/** The token's hash, or null after this function sent the refusal. */
async function knownToken(
  { ingest, unknownTokens }: Deps,
  hash: string | null,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string | null> {
  if (hash !== null) {
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
  const told = answerTo(outcome);
  if ('status' in told) return reply.send(told);
  const { code, message, ...more } = told;
  return sendProblem(reply, code, message, more);
}
