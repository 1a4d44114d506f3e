import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { hardPatterns } from '../shares/hostile-patterns.ts';
import type { HeldProxy, PlaneMeans } from './plane-means.ts';
import { type Attack, anyOf } from './run-attacks.ts';

/** A pattern of 245 letters that compiles to 22,000 states, and patterns that just fit. */
const patterns = [`^/${'(?:.?){999}'.repeat(22)}$`, '^/(?:.?){999}$', '^/\\pL{200}$', ...hardPatterns];
const html = '<b>'.repeat(21_000);
const longUrls = ['a', 'ab', 'a/'].flatMap((letters) =>
  [1, 2].map((index) => `http://patterns.localhost/${index}${letters.repeat(7_800 / letters.length)}`),
);

/** What somebody with an account tries on the console: everything here costs the console, its threads or the rules of the service. */
export const attacksByRules: readonly Attack<PlaneMeans>[] = [
  {
    name: 'patterns with many states',
    ...{ everyMs: 100, width: 2 },
    once: (means) =>
      change(means, means.patterns, 'POST', '/rules', {
        ...{ path: `/p-${randomUUID()}`, type: 'simple', target: means.website.origin },
        ...{ pathRewriteSrc: anyOf(patterns), pathRewriteDest: '/' },
      }),
  },
  {
    name: 'long URLs tested against patterns',
    ...{ everyMs: 200, width: 2 },
    once: (means) => change(means, means.patterns, 'PUT', '/tests', { urls: longUrls }),
  },
  {
    name: 'rules with 63 KiB of HTML each',
    ...{ everyMs: 50, width: 2 },
    once: (means) =>
      change(means, anyOf(means.withHtml), 'POST', '/rules', {
        ...{ path: `/h-${randomUUID()}`, type: 'simple', target: means.website.origin, injection: html },
      }),
  },
  {
    name: 'the list of proxies, and the largest one',
    ...{ everyMs: 100, width: 2 },
    once: async ({ clients, withHtml }) => {
      const key = anyOf(['GET /api/proxies', `GET /api/proxies/${anyOf(withHtml).id}`]);
      return (await anyOf(clients).call(key)).status;
    },
  },
  {
    name: 'examinations of pages of 1 MiB',
    ...{ everyMs: 200, width: 4 },
    once: async ({ clients, mounting }) =>
      outcomeOf(
        await anyOf(clients).call(`POST /api/proxies/${mounting.id}/examine`, { ruleId: mounting.book }),
      ),
  },
  {
    name: 'tries of a page with 30,000 links',
    ...{ everyMs: 200, width: 4 },
    once: async ({ clients, mounting }) =>
      outcomeOf(
        await anyOf(clients).call(`POST /api/proxies/${mounting.id}/dry-run`, {
          url: `http://${mounting.domain}/mounted/links`,
        }),
      ),
  },
  {
    name: 'purges of somebody else’s domain',
    ...{ everyMs: 50, width: 2 },
    once: async ({ clients, claim }) =>
      (await anyOf(clients).call(`POST /api/proxies/${claim.id}/purge`, {})).status,
  },
  {
    name: 'purges of the own domain',
    ...{ everyMs: 100, width: 1 },
    once: async ({ clients, patterns: own }) =>
      (await anyOf(clients).call(`POST /api/proxies/${own.id}/purge`, {})).status,
  },
  {
    name: 'more and more proxies',
    ...{ everyMs: 250, width: 1 },
    once: async ({ clients, website }) =>
      (
        await anyOf(clients).call('POST /api/proxies', {
          domain: `more-${randomUUID()}.localhost`,
          source: website.origin,
        })
      ).status,
  },
];

const changedSchema = z.object({ version: z.number() });

/** Changes a proxy. Other tries change it too, so a try that comes too late looks the version up. */
async function change(
  { clients }: PlaneMeans,
  proxy: HeldProxy,
  method: 'POST' | 'PUT',
  route: string,
  fields: Record<string, unknown>,
): Promise<number> {
  const client = anyOf(clients);
  const path = `/api/proxies/${proxy.id}`;
  const asked = { ...fields, version: proxy.version };
  const { status, body } = await client.call(`${method} ${path}${route}`, asked);
  const current = status === 409 ? (await client.call(`GET ${path}`)).body : body;
  const changed = changedSchema.safeParse(JSON.parse(current));
  if (changed.success) proxy.version = changed.data.version;
  return status;
}

const outcomeSchema = z.object({ kind: z.string() });

/** What a request through the service led to: an answer of 200 may say that the attempt failed. */
function outcomeOf({ status, body }: { status: number; body: string }): string {
  return status === 200 ? outcomeSchema.parse(JSON.parse(body)).kind : String(status);
}
