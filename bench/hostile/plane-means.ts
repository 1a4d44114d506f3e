import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { signUp } from '@homeport/api/testing';
import { z } from 'zod';
import { hardPatterns } from '../shares/hostile-patterns.ts';
import { createHttpClient, type HttpClient } from './http-client.ts';
import { mounts, type Website } from './website.ts';
import { keepOpenVisits, type OpenVisits, visit } from './website-visitor.ts';

/** A proxy of a hostile account, with the version that the account saw last. */
export type HeldProxy = { id: string; version: number; domain: string };

/** The means of an attack on the proxy service: accounts with proxies, and visitors. */
export type PlaneMeans = {
  signal: AbortSignal;
  port: number;
  /** The same session from several addresses. */
  clients: readonly HttpClient[];
  website: Website;
  victim: Victim;
  /** Domains that lead to the hostile website, and to the website of another account. */
  own: readonly string[];
  mirrors: readonly string[];
  /** A domain of a second hostile account: the first one's share is full of WebSockets that stay. */
  ofSecond: string;
  patterns: HeldProxy;
  /** Mounts the hostile website again and again. */
  mounting: HeldProxy & { book: string };
  withHtml: readonly HeldProxy[];
  /** Leads to the console itself. */
  inward: string;
  /** A proxy of the other account's domain. */
  claim: HeldProxy;
  agent: Agent;
  open: OpenVisits;
  /** All visitors and clients leave. */
  close(): void;
};

export type Victim = { domain: string; origin: string };
export type PlaneTargets = { url: string; port: number; victim: Victim };

const servedWithinMs = 40_000;
const proxySchema = z.object({
  ...{ id: z.string(), version: z.number(), domain: z.string() },
  rules: z.array(z.object({ id: z.string(), path: z.string() })),
});

/** Adds what hostile accounts may have, each through the api, and waits until it is served. */
export async function addHostileProxies(
  { url, port, victim }: PlaneTargets,
  website: Website,
): Promise<(signal: AbortSignal) => PlaneMeans> {
  const eve = await signUp(url, 'eve');
  const mallory = await signUp(url, 'mallory');
  const add = async (of: typeof eve, domain: string, source: string) => {
    const answer = await of.call('POST /api/proxies', { domain, source });
    if (answer.status !== 201) throw new Error(`${domain} was answered with ${answer.status}.`);
    return proxySchema.parse(answer.body);
  };
  const addAll = async (count: number, name: string, source: string) => {
    const added: HeldProxy[] = [];
    for (let index = 0; index < count; index += 1)
      added.push(await add(eve, `${name}-${index}.localhost`, source));
    return added;
  };
  const addRule = async (proxy: HeldProxy, fields: Record<string, string>) => {
    const body = { type: 'subdirectory', target: website.origin, ...fields, version: proxy.version };
    const answer = await eve.call(`POST /api/proxies/${proxy.id}/rules`, body);
    if (answer.status !== 201)
      throw new Error(`A rule was answered with ${answer.status}: ${JSON.stringify(answer.body)}`);
    return proxySchema.parse(answer.body);
  };

  const ofSecond = await add(mallory, 'left.localhost', website.origin);
  const own = await addAll(5, 'own', website.origin);
  const mirrors = await addAll(2, 'mirror', victim.origin);
  let patterns = await add(eve, 'patterns.localhost', website.origin);
  let mounting = await add(eve, 'mounting.localhost', website.origin);
  const inward = await add(eve, 'inward.localhost', url);
  const claim = await add(eve, victim.domain, website.origin);
  const withHtml = await addAll(4, 'html', website.origin);
  patterns = await addRule(patterns, {
    ...{ path: '/', type: 'simple', pathRewriteSrc: hardPatterns[0] ?? '', pathRewriteDest: '/' },
  });
  mounting = await addRule(mounting, { path: '/book', target: `${website.origin}/book` });
  const book = mounting.rules[0]?.id ?? '';
  for (let index = 0; index < mounts; index += 1)
    mounting = await addRule(mounting, { path: `/part-${index}`, target: `${website.origin}/part-${index}` });
  mounting = await addRule(mounting, { path: '/mounted' });

  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  for (const { domain } of [ofSecond, ...own, ...mirrors, patterns, mounting])
    await untilServed({ port, domain, path: '/', from: '198.51.100.250' }, agent);
  const clients = ['127.0.0.6', '127.0.0.7', '127.0.0.8'].map((from) =>
    createHttpClient(url, from, eve.cookie()),
  );
  return (signal) => {
    const open = keepOpenVisits();
    return {
      ...{ signal, port, clients, website, victim, patterns, withHtml, claim, agent, open },
      ...{ own: own.map(domainOf), mirrors: mirrors.map(domainOf) },
      ...{ ofSecond: ofSecond.domain, inward: inward.domain, mounting: { ...mounting, book } },
      close() {
        open.leave();
        agent.destroy();
        for (const client of clients) client.close();
      },
    };
  };
}

const domainOf = ({ domain }: HeldProxy) => domain;

/** 421 is the answer for a domain that is not served. */
async function untilServed(asked: Parameters<typeof visit>[0], agent: Agent): Promise<void> {
  const deadline = performance.now() + servedWithinMs;
  for (;;) {
    const { status } = await visit(asked, agent).catch(() => ({ status: 421 }));
    if (status !== 421) return;
    if (performance.now() > deadline) throw new Error(`${asked.domain} is not served.`);
    await pause(50);
  }
}
