import { createServer, type Server, type ServerResponse } from 'node:http';
import { ruleWorkLimits } from '@homeport/contract/proxies/facts';
import type { DryRun, Examination, ProxyRecord } from '@homeport/contract/proxies/schema';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bodyOf, startTestApi, type TestApi, type TestPerson } from '../http/testing.ts';
import { plantedRule, plantProxy } from '../testing/plant.ts';
import { buildRuleWorker } from '../testing/rule-worker.ts';

/** Stands in for the proxy service: answers by Host and path, as the service would after its changes. */
let plane: Server;
let api: TestApi;
let ada: TestPerson;
let proxy: { id: string };
const ruleId = crypto.randomUUID();
const simpleId = crypto.randomUUID();
const slowId = crypto.randomUUID();
const domain = 'plane.example.com';
/** Answers that wait for the test. */
const slow: ServerResponse[] = [];
/** On a page of one letter, a search for this takes half a minute. */
const hostileHtml = `${'a'.repeat(32 * 1024)}b${'a'.repeat(32 * 1024 - 1)}`;

beforeAll(async () => {
  plane = createServer((request, answer) => {
    if (request.headers.host !== domain) return void answer.writeHead(421).end();
    const html = { 'content-type': 'text/html' };
    if (request.url === '/hostile/') return void answer.writeHead(200, html).end('a'.repeat(1024 * 1024));
    if (request.url?.startsWith('/slow')) return void slow.push(answer);
    if (request.url === '/blog/') {
      answer.writeHead(200, { ...html, 'set-cookie': ['a=1; Path=/', 'b=2; Path=/blog'] });
      answer.end('<a href="/blog/two">2</a><script src="/assets/a.js"></script><i>ahoy</i>');
    } else if (request.url === '/blog/two') answer.writeHead(302, { location: '/login' }).end();
    else if (request.url === '/blog/strict') {
      answer.writeHead(200, { ...html, 'content-security-policy': "default-src 'self'" });
      answer.end('<i>ahoy</i>');
    } else answer.writeHead(200, { 'content-type': 'text/plain' }).end('plain');
  });
  await new Promise<void>((resolve) => plane.listen(0, '127.0.0.1', resolve));
  const address = plane.address();
  if (address === null || typeof address === 'string') throw new Error('The stand-in does not listen.');
  api = await startTestApi({
    proxy: {
      proxyHost: null,
      address: '203.0.113.7',
      urlOf: (name) => `https://${name}/`,
      asksPrivate: true,
      plane: { host: '127.0.0.1', port: address.port },
      dnsServers: [],
      ruleWorker: await buildRuleWorker(),
    },
  });
  ada = await api.signUp('ada');
  const simple = { ...plantedRule(simpleId), path: '/plain', type: 'simple' };
  proxy = await plantProxy(api.store.db, ada.userId, {
    ...{ domain, allowed: true, owned: 'txt', pointing: 'yes' },
    records: JSON.stringify([
      { ...plantedRule(ruleId), injection: '<i>ahoy</i>' },
      { ...plantedRule(crypto.randomUUID()), path: '/hostile', injection: hostileHtml },
      { ...plantedRule(slowId), path: '/slow' },
      simple,
    ]),
  });
});
afterAll(async () => {
  await api?.[Symbol.asyncDispose]();
  await new Promise((resolve) => plane.close(resolve));
});

const run = async (url: string) =>
  bodyOf<DryRun>(await ada.call(`POST /api/proxies/${proxy.id}/dry-run`, { url }), 200);
const examine = async (id: string) =>
  bodyOf<Examination>(await ada.call(`POST /api/proxies/${proxy.id}/examine`, { ruleId: id }), 200);

describe('a request through the proxy service', () => {
  it('shows status, headers and whether the HTML of the rule is in the page', async () => {
    expect(await run(`https://${domain}/blog/`)).toMatchObject({
      kind: 'answered',
      status: 200,
      headers: expect.arrayContaining([{ name: 'content-type', value: 'text/html' }]),
      snippet: { state: 'placed', why: null },
    });
    expect(await run('/blog/other')).toMatchObject({
      snippet: { state: 'missing', why: 'The answer is no HTML page but text/plain.' },
    });
    expect(await run('/about')).toMatchObject({ snippet: { state: 'none' } });
  });

  it('ends a search of the page that is written to take half a minute, and everybody else is answered meanwhile', async () => {
    let ended = false;
    const hostile = run('/hostile/').finally(() => {
      ended = true;
    });
    const eve = await api.signUp('eve');
    for (let count = 0; count < 20; count += 1) await eve.call('GET /api/proxies');
    expect(ended).toBe(false);
    expect(await hostile).toMatchObject({
      kind: 'failed',
      reason: expect.stringContaining('takes too long'),
    });
  });

  it('has no warning about a private address, because this service asks those', async () => {
    const { id } = await plantProxy(api.store.db, ada.userId, { source: 'http://127.0.0.1:8080' });
    const { warnings } = bodyOf<ProxyRecord>(await ada.call(`GET /api/proxies/${id}`), 200);
    expect(warnings).toEqual([]);
  });

  it('is not made for a domain that is not served, or for a URL that is refused', async () => {
    expect(await run('https://other.example/')).toMatchObject({ kind: 'failed' });
    const waiting = await plantProxy(api.store.db, ada.userId);
    const answer = await ada.call(`POST /api/proxies/${waiting.id}/dry-run`, { url: '/' });
    expect(answer.body).toMatchObject({ kind: 'failed', reason: expect.stringContaining('does not serve') });
  });
});

describe('the examination of a mounted site', () => {
  it('lists files, redirects and cookies that leave its path, over the pages that it links to', async () => {
    const found = await examine(ruleId);
    if (found.kind !== 'examined') throw new Error(found.reason);
    expect(found.pages).toEqual(['/blog/', '/blog/two']);
    expect(found.leaving.map(({ kind, page, value }) => `${kind} ${page} ${value}`)).toEqual([
      ...['cookie /blog/ a; Path=/', 'asset /blog/ /assets/a.js', 'redirect /blog/two /login'],
    ]);
  });

  it('is one at a time for a person; a second one is refused and a request of another kind is not', async () => {
    const first = examine(slowId);
    await expect.poll(() => slow.length).toBe(1);
    const second = await ada.call(`POST /api/proxies/${proxy.id}/examine`, { ruleId });
    expect(second).toMatchObject({
      status: 429,
      body: { code: 'too_many', message: expect.stringContaining('under way') },
    });
    const runs = Array.from({ length: ruleWorkLimits.dryRuns }, (_, n) => run(`/slow/${n}`));
    await expect.poll(() => slow.length).toBe(1 + runs.length);
    expect((await ada.call(`POST /api/proxies/${proxy.id}/dry-run`, { url: '/slow/5' })).status).toBe(429);
    for (const answer of slow) answer.end();
    expect(await first).toMatchObject({ kind: 'examined' });
    expect(await Promise.all(runs)).toEqual(runs.map(() => expect.objectContaining({ kind: 'answered' })));
    expect((await examine(ruleId)).kind).toBe('examined');
  });

  it('is for subdirectory rules of the person’s own proxies', async () => {
    expect(await examine(simpleId)).toMatchObject({ kind: 'failed' });
    const unknown = await ada.call(`POST /api/proxies/${proxy.id}/examine`, { ruleId: crypto.randomUUID() });
    expect(unknown.status).toBe(404);
  });
});
