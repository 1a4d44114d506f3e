import { bodyOf, signUp, type TestVisitor } from '@homeport/api/testing';
import type { Session } from '@homeport/contract/identity/schema';
import { freePort } from '@homeport/contract/testing';
import { openStore } from '@homeport/store';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import {
  buildServer,
  type ConsoleProcess,
  postmasterPid,
  query,
  startConsoleProcess,
  temporaryFolder,
} from '../testing/console-process.ts';
import { askDomain, plantProxy, startWebsite } from '../testing/proxied-domain.ts';

vi.setConfig({ testTimeout: 120_000 });

const doesNotAnswer = {
  status: 503,
  body: {
    code: 'unavailable',
    message: 'The console’s database does not answer. What was saved before is kept.',
  },
};

let website: Awaited<ReturnType<typeof startWebsite>>;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let started: ConsoleProcess | undefined;

beforeAll(async () => {
  buildServer();
  website = await startWebsite((req, res) => res.end(`website ${req.url}`));
}, 120_000);
afterAll(() => website[Symbol.asyncDispose]());
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(async () => {
  started?.child.kill('SIGTERM');
  await started?.ended;
  started = undefined;
  await folder[Symbol.asyncDispose]();
});

async function start(only: string, env: Record<string, string> = {}) {
  const [port, proxy, control] = [await freePort(), await freePort(), await freePort()];
  const console = startConsoleProcess(['--data', folder.path, '--port', String(port), '--only', only], {
    HOMEPORT_PROXY_PORT: String(proxy),
    HOMEPORT_PROXY_CONTROL_PORT: String(control),
    ...env,
  });
  started = console;
  await console.ready();
  return { console, proxy, url: `http://127.0.0.1:${port}` };
}

type Answer = { status: number; body: unknown };

/** Asks one request after the other until it is answered well again after it was not. Resolves with what was answered in between. */
async function untilBack(ask: () => Promise<Answer>, timeout: number): Promise<Answer[]> {
  const refused: Answer[] = [];
  await expect
    .poll(
      async () => {
        const answer = await ask();
        if (answer.status !== 200) refused.push(answer);
        return answer.status === 200 && refused.length > 0;
      },
      { timeout, interval: 5 },
    )
    .toBe(true);
  return refused;
}

/** A visitor of a website who asks one request after the other. `end` resolves with what was seen, at least a dozen answers. */
function startVisiting(visit: () => Promise<string>) {
  let isOver = false;
  const seen: string[] = [];
  const visiting = (async () => {
    while (!isOver) seen.push(await visit().catch((error: Error) => error.message));
  })();
  return async () => {
    await expect.poll(() => seen.length, { timeout: 30_000 }).toBeGreaterThan(11);
    isOver = true;
    await visiting;
    return seen;
  };
}

/** A status page that visitors read. Resolves with its slug. */
async function publishPage(person: TestVisitor, url: string): Promise<string> {
  const slug = 'our-services';
  const { id } = bodyOf<{ id: string }>(
    await person.call('POST /api/status-pages', { slug, title: 'Services' }),
    201,
  );
  bodyOf(await person.call(`PATCH /api/status-pages/${id}`, { version: 1, published: true }), 200);
  await expect.poll(async () => (await fetch(`${url}/status/${slug}`)).status, { timeout: 20_000 }).toBe(200);
  return slug;
}

const emailOf = async (visitor: TestVisitor) =>
  bodyOf<Session>(await visitor.call('GET /api/session'), 200).user.email;

test('after kill -9 of PostgreSQL the api says so until it is back, websites go on, and nobody is signed out', async () => {
  const { console, proxy, url } = await start('api,monitor,proxy', { HOMEPORT_STATUS_PAGES: 'true' });
  await plantProxy(folder.path, 'kept.localhost', website.origin);
  const visit = (domain: string) => askDomain({ port: proxy, domain, path: '/x' });
  await expect.poll(() => visit('kept.localhost').catch(() => ''), { timeout: 30_000 }).toBe('website /x');
  // Signed up a moment before the kill: what was confirmed is there afterwards.
  const ines = await signUp(url, 'ines');
  const first = await postmasterPid(folder.path);
  const endVisits = startVisiting(() => visit('kept.localhost'));
  const page = await publishPage(ines, url);
  const endReads = startVisiting(async () => (await fetch(`${url}/status/${page}`)).text());
  const health = async () => (await (await fetch(`${url}/healthz`)).json()) as { status: string };

  process.kill(first, 'SIGKILL');
  // Both ask from the kill on: PostgreSQL may be back before either of them was seen to fail.
  const [refused] = await Promise.all([
    untilBack(() => ines.call('GET /api/session'), 30_000),
    expect.poll(health, { interval: 5 }).toMatchObject({ status: 'store_unavailable' }),
  ]);
  for (const answer of refused) expect(answer).toMatchObject(doesNotAnswer);
  expect(new Set(await endVisits())).toEqual(new Set(['website /x']));
  for (const text of await endReads()) expect(text).toContain('<h1>Services</h1>');

  expect(await health()).toMatchObject({ status: 'ok' });
  expect(await emailOf(ines)).toBe(ines.email);
  expect(await emailOf(await signUp(url, 'ada'))).toBe('ada@example.com');
  expect(await postmasterPid(folder.path)).not.toBe(first);
  expect(console.child.exitCode).toBeNull();
  expect(console.output()).toContain('PostgreSQL was ended by SIGKILL, and is started again.');

  // The proxy service hears of changes again, and a second kill is survived like the first.
  await plantProxy(folder.path, 'new.localhost', website.origin);
  await expect.poll(() => visit('new.localhost').catch(() => ''), { timeout: 20_000 }).toBe('website /x');
  process.kill(await postmasterPid(folder.path), 'SIGKILL');
  for (const answer of await untilBack(() => ines.call('GET /api/session'), 30_000))
    expect(answer).toMatchObject(doesNotAnswer);
});

test('background work goes on after kill -9 of PostgreSQL', async () => {
  const { url } = await start('api,monitor');
  const ines = await signUp(url, 'ines');
  process.kill(await postmasterPid(folder.path), 'SIGKILL');
  await untilBack(() => ines.call('GET /api/session'), 30_000);
  const seenAt = async () => {
    const [row] = await query(folder.path, 'select max(seen_at) as at from replicas').catch(() => []);
    return Number((row as { at?: string } | undefined)?.at ?? 0);
  };
  const backAt = Date.now();
  // The console reports every ten seconds that it lives.
  await expect.poll(seenAt, { timeout: 30_000, interval: 200 }).toBeGreaterThan(backAt);
});

test('a console goes on when the PostgreSQL of another machine was away for a while', async () => {
  await using data = await temporaryFolder();
  const open = () => openStore({ dataFolder: data.path });
  let store = await open();
  const { console, url } = await start('api,monitor', {
    DATABASE_URL: store.url,
    HOMEPORT_SECRET: 's'.repeat(32),
  });
  try {
    const ines = await signUp(url, 'ines');
    await store.close();
    const refused: Answer[] = [];
    const awaySince = performance.now();
    await expect
      .poll(
        async () => {
          refused.push(await ines.call('GET /api/session'));
          return performance.now() - awaySince;
        },
        { timeout: 30_000, interval: 50 },
      )
      .toBeGreaterThan(4_000);
    for (const answer of refused) expect(answer).toMatchObject(doesNotAnswer);
    store = await open();
    await expect
      .poll(async () => (await ines.call('GET /api/session')).status, { timeout: 10_000 })
      .toBe(200);
    expect(await emailOf(ines)).toBe(ines.email);
    expect(console.child.exitCode).toBeNull();
  } finally {
    console.child.kill('SIGTERM');
    await console.ended;
    await store.close();
  }
});
