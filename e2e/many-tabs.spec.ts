import { makeKey } from '@homeport/ssh/testing';
import type { BrowserContext, Page } from '@playwright/test';
import { createApp, pushApp } from './fixtures/app.ts';
import { type Console, startConsole } from './fixtures/console.ts';
import { type LinkedHost, startHost } from './fixtures/host.ts';
import { newPerson, signUp } from './fixtures/person.ts';
import { importKey, installServer } from './fixtures/server.ts';
import { test as base, expect } from './fixtures/test.ts';

/**
 * One person with a dozen tabs. All tabs of a browser share six HTTP/1.1 connections to a host, so a tab that kept a connection
 * would take it from the others. Each tab holds one WebSocket. The console allows one socket more than there are tabs, so a socket
 * that is left behind makes a tab lose its live updates.
 */
const tabs = 12;

const test = base.extend<{ host: LinkedHost }, { homeport: Console }>({
  homeport: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the first parameter's properties.
    async ({}, use) => {
      const homeport = await startConsole({ HOMEPORT_MAX_PAGES_PER_SESSION: String(tabs + 1) });
      await use(homeport);
      await homeport.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the first parameter's properties.
  host: async ({}, use) => {
    const host = await startHost({ installed: false, pace: 0 });
    await use(host);
    await host.stop();
  },
  // The context is made after the host and so closes before it. Otherwise an open page would lose its server.
  context: async ({ host: _host, context }, use) => use(context),
});

// A dozen tabs, a server and a console share the machine, so steps have patience. bench/tabs measures how fast the tabs are.
test.use({ actionTimeout: 30_000, navigationTimeout: 30_000 });

const patient = { timeout: 90_000 };
/** How many HTTP/1.1 connections a browser opens to one host. */
const connections = 6;
/** The most requests that one page may send when an app has changed. */
const readsPerChange = 8;

const program = `
require('node:http').createServer((request, response) => response.end('ok')).listen(process.env.PORT);
let number = 0;
setInterval(() => console.log('beat ' + ++number), 100);
`;

test('twelve tabs are all usable, all show a change, and hold one socket each', async ({
  page,
  context,
  host,
}) => {
  const key = makeKey();
  const push = makeKey();
  const wire = watchWire(context);

  await test.step('deploys an app that writes a log', async () => {
    await host.authorize(key.publicKeyLine);
    await signUp(page, newPerson());
    await importKey(page, 'desk', key.privateKeyPem);
    await importKey(page, 'git', push.privateKeyPem);
    await installServer(page, host, { name: 'lantern', credential: 'desk' });
    const remote = await createApp(page, 'beacon', { git: true, desk: false });
    await pushApp(remote, push.privateKeyPem, { Procfile: 'web: node web.js\n', 'web.js': program });
    await seeLog(page);
  });

  const appAddress = page.url();
  const places = [
    appAddress,
    appAddress,
    ...Array.from({ length: tabs - 2 }, (_, at) => (at % 2 ? '/home' : '/apps')),
  ];
  const pages: Page[] = [page];
  const live = (tab: Page) => expect(tab.getByText('Live', { exact: true })).toBeVisible(patient);
  /** How many requests each tab sent for the change. */
  const readsOfRename = async (name: string) => {
    await expect.poll(wire.openRequests, patient).toEqual([]);
    const before = pages.map(wire.tally);
    await renameApp(pages[tabs - 1] ?? page, name);
    for (const tab of pages) await expect(tab.locator('#main')).toContainText(name, patient);
    await expect.poll(wire.openRequests, patient).toEqual([]);
    return pages.map((tab, index) => {
      const { documents, changes, reads } = wire.tally(tab);
      const earlier = before[index] ?? { documents: 0, changes: 0, reads: 0 };
      expect(documents, 'no page is loaded anew').toBe(earlier.documents);
      expect(changes, 'the change came over the socket').toBeGreaterThan(earlier.changes);
      return reads - earlier.reads;
    });
  };
  // A page also reads everything again once a minute. On a busy machine a change takes long enough to meet that in one of the tabs, so
  // such a change is repeated. Reads that a change multiplies come with each repetition.
  const rename = async (name: string) => {
    let fewest: number[] = [];
    for (let time = 1; time <= 4; time += 1) {
      const reads = await readsOfRename(`${name} ${time}`);
      fewest = reads.map((count, index) => Math.min(count, fewest[index] ?? count));
      if (fewest.every((count) => count <= readsPerChange)) break;
    }
    expect(Math.max(...fewest), 'requests of one tab').toBeLessThanOrEqual(readsPerChange);
  };

  await test.step('every tab is usable, two of them with logs', async () => {
    await page.goto(appAddress);
    for (const place of places.slice(1)) {
      const tab = await context.newPage();
      pages.push(tab);
      await tab.goto(place);
      await expect(tab.locator('#main').getByText('beacon').first()).toBeVisible(patient);
    }
    await Promise.all(pages.map(live));
    for (const tab of pages.slice(0, 2)) await seeLog(tab);
  });

  await test.step('every tab shows a change that came over its socket', () => rename('foghorn'));

  await test.step('all six connections are free for the last tab', async () => {
    const answered = await (pages[tabs - 1] ?? page).evaluate(async (held) => {
      const signal = AbortSignal.timeout(30_000);
      // Each stream holds a connection, as a program's stream does. The query gives each stream its own address.
      const streams = await Promise.all(
        Array.from({ length: held }, (_, at) => fetch(`/api/events?stream=${at}`, { signal })),
      );
      const answer = await fetch('/api/servers?asked=last', { signal });
      // A request stays open until its answer is read.
      await answer.text();
      await Promise.all(streams.map(({ body }) => body?.cancel()));
      return [...streams, answer].map(({ status }) => status);
    }, connections - 1);
    expect(answered).toEqual(Array.from({ length: connections }, () => 200));
  });

  await test.step('each tab holds one socket and no open HTTP request', async () => {
    await expect.poll(wire.openRequests, patient).toEqual([]);
    expect(pages.map(wire.openSockets)).toEqual(pages.map(() => 1));
  });

  // Each step loads its page again, because the test library cannot follow a page that the browser kept. live-socket.test.ts covers
  // kept pages.
  await test.step('going back and forth leaves no socket behind', async () => {
    const [, , tab = page] = pages;
    await tab.goto('/servers');
    for (let round = 0; round < 4; round += 1) {
      await tab.goBack();
      await expect(tab.getByRole('heading', { level: 1, name: 'Applications' })).toBeVisible();
      await tab.goForward();
      await expect(tab.getByRole('heading', { level: 1, name: 'Servers' })).toBeVisible();
    }
    await tab.goBack();
    await live(tab);
    // A socket left behind at each step would exceed the console's limit.
    await Promise.all(pages.map(live));
    await rename('lamp');
  });
});

/** The tabs' requests, changes and sockets, by the browser's own network events. */
function watchWire(context: BrowserContext) {
  const requests = new Map<object, string>();
  const sockets = new Map<Page, number>();
  const tallies = new Map<Page, { documents: number; changes: number; reads: number }>();
  const tally = (page: Page) => tallies.get(page) ?? { documents: 0, changes: 0, reads: 0 };
  const add = (page: Page, kind: 'documents' | 'changes' | 'reads') =>
    tallies.set(page, { ...tally(page), [kind]: tally(page)[kind] + 1 });
  context.on('request', (request) => {
    requests.set(request, request.url());
    const page = request.frame().page();
    if (!request.isNavigationRequest()) return add(page, 'reads');
    add(page, 'documents');
    // After a navigation the browser reports nothing more of the old document and its sockets.
    sockets.delete(page);
  });
  context.on('requestfinished', (request) => requests.delete(request));
  context.on('requestfailed', (request) => requests.delete(request));
  const count = (page: Page, change: number) => sockets.set(page, (sockets.get(page) ?? 0) + change);
  const watch = (page: Page) =>
    page.on('websocket', (socket) => {
      if (!socket.url().endsWith('/api/live')) return;
      count(page, 1);
      socket.on('close', () => count(page, -1));
      socket.on('framereceived', ({ payload }) => {
        if (String(payload).includes('"topic":"apps"')) add(page, 'changes');
      });
    });
  for (const page of context.pages()) watch(page);
  context.on('page', watch);
  return {
    tally,
    openRequests: () => [...requests.values()],
    openSockets: (page: Page) => sockets.get(page) ?? 0,
  };
}

/** Renames the app like another program of the same person. */
async function renameApp(page: Page, name: string): Promise<void> {
  await page.evaluate(async (wanted) => {
    const [app] = (await (await fetch('/api/apps')).json()) as { id: string; version: number }[];
    const answer = await fetch(`/api/apps/${app?.id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ version: app?.version, name: wanted }),
    });
    // A request stays open until its answer is read.
    await answer.text();
  }, name);
}

/** The page reads only what is on the screen. */
async function seeLog(tab: Page): Promise<void> {
  await tab.locator('#logs').scrollIntoViewIfNeeded();
  await expect(tab.getByRole('log', { name: /^log of/ })).toContainText('beat', patient);
}
