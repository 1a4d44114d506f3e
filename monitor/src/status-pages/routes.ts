import { gzipSync } from 'node:zlib';
import { isSlug } from '@homeport/contract/status-pages/facts';
import type { StatusFile } from '@homeport/store';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { HeldPage } from './held-pages.ts';
import type { PageMemory } from './page-memory.ts';
import { tagOf } from './render-files.ts';
import { statusStyle } from './style.ts';

/** No script runs in a page that a stranger wrote, and nothing of another origin is loaded. */
export const statusPolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";
const picturePolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

const cached = 'public, max-age=30, stale-while-revalidate=60, stale-if-error=600';
const kinds: Record<StatusFile, { type: string; policy: string; cache: string }> = {
  page: { type: 'text/html; charset=utf-8', policy: statusPolicy, cache: cached },
  'feed.atom': { type: 'application/atom+xml; charset=utf-8', policy: statusPolicy, cache: cached },
  'status.json': { type: 'application/json; charset=utf-8', policy: statusPolicy, cache: cached },
  'badge.svg': { type: 'image/svg+xml; charset=utf-8', policy: picturePolicy, cache: 'public, max-age=60' },
};

/** Finished bytes for anybody who knows the address. A request costs no query while memory holds the page. */
export async function statusPageRoutes(app: FastifyInstance, memory: PageMemory): Promise<void> {
  const style = Buffer.from(statusStyle);
  const styleRender = {
    ...{ body: style, gzip: gzipSync(style) },
    etag: tagOf(statusStyle),
  };
  app.get('/status/style.css', (request, reply) =>
    send(request, reply, styleRender, {
      ...{ type: 'text/css; charset=utf-8', policy: statusPolicy, cache: 'public, max-age=300' },
    }),
  );
  const serve =
    (file: StatusFile) => (request: FastifyRequest<{ Params: { slug: string } }>, reply: FastifyReply) => {
      const { slug } = request.params;
      const found = isSlug(slug) ? memory.find(slug) : null;
      if (found instanceof Promise)
        return found.then(
          (page) => sendFile(request, reply, page, file),
          () => sendBusy(reply),
        );
      return found === 'busy' ? sendBusy(reply) : sendFile(request, reply, found, file);
    };
  app.get('/status/:slug', serve('page'));
  app.get('/status/:slug/feed.atom', serve('feed.atom'));
  app.get('/status/:slug/status.json', serve('status.json'));
  app.get('/status/:slug/badge.svg', serve('badge.svg'));
}

function sendFile(request: FastifyRequest, reply: FastifyReply, page: HeldPage | null, file: StatusFile) {
  const render = page?.files.get(file);
  const kind = kinds[file];
  if (render) return send(request, reply, render, page?.isStale ? { ...kind, cache: 'no-cache' } : kind);
  return reply
    .code(404)
    .headers({ 'content-security-policy': statusPolicy, 'cache-control': 'no-store' })
    .type('text/plain; charset=utf-8')
    .send('There is no status page at this address.\n');
}

const sendBusy = (reply: FastifyReply) =>
  reply
    .code(503)
    .headers({ 'content-security-policy': statusPolicy, 'cache-control': 'no-store', 'retry-after': '1' })
    .type('text/plain; charset=utf-8')
    .send('The page cannot be read at this moment. Try again in a second.\n');

function send(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { body, gzip, etag }: { body: Buffer; gzip: Buffer; etag: string },
  { type, policy, cache }: { type: string; policy: string; cache: string },
) {
  reply.headers({
    ...{ 'content-security-policy': policy, 'cache-control': cache, vary: 'accept-encoding' },
    // Whoever embeds the badge, or reads the JSON, does so from another origin.
    ...{ 'cross-origin-resource-policy': 'cross-origin', etag },
  });
  if (isKnown(headers['if-none-match'], etag)) return reply.code(304).send();
  reply.type(type);
  if (!takesGzip(headers['accept-encoding'])) return reply.send(body);
  return reply.header('content-encoding', 'gzip').send(gzip);
}

/** RFC 9110, 13.1.2: a list of tags, or `*`. Weak and strong tags count alike. */
function isKnown(asked: string | undefined, etag: string): boolean {
  if (asked === undefined || asked.length > 1_000) return false;
  const known = [etag, etag.replace('W/', ''), '*'];
  return asked.split(',').some((tag) => known.includes(tag.trim()));
}

function takesGzip(asked: string | string[] | undefined): boolean {
  const coding = String(asked ?? '')
    .split(',')
    .map((each) => each.trim())
    .find((each) => each === 'gzip' || each.startsWith('gzip;'));
  return coding !== undefined && !/;\s?q=0(?:\.0*)?$/.test(coding);
}
