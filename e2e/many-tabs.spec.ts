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

// A dozen tabs, a server and a console share the machine, so steps have patience unless they say otherwise.
test.use({ actionTimeout: 15_000, navigationTimeout: 20_000 });

const soonMs = 2_000;
const patient = { timeout: 20_000 };

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
  test.setTimeout(240_000);
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
    await expect(page.getByRole('log', { name: /^log of/ })).toContainText('beat', patient);
  });

  const appAddress = page.url();
  const places = [
    appAddress,
    appAddress,
    ...Array.from({ length: tabs - 2 }, (_, at) => (at % 2 ? '/home' : '/apps')),
  ];
  const pages: Page[] = [page];
  const live = (tab: Page) => expect(tab.getByText('Live', { exact: true })).toBeVisible(patient);
  /** Each tab records when it shows the name, because the test library looks again only every second. */
  const rename = async (name: string) => {
    await Promise.all(pages.map((tab) => noteWhenShown(tab, name)));
    const from = Date.now();
    await renameApp(pages[tabs - 1] ?? page, name);
    const shown = await Promise.all(pages.map((tab) => tab.evaluate(() => window.shown)));
    expect(Math.max(...shown) - from, 'milliseconds until the last tab shows it').toBeLessThan(soonMs);
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
    for (const tab of pages.slice(0, 2))
      await expect(tab.getByRole('log', { name: /^log of/ })).toContainText('beat', patient);
  });

  await test.step('every tab shows a change within two seconds', () => rename('foghorn'));

  await test.step('a request of the last tab is not queued', async () => {
    const waitedMs = await (pages[tabs - 1] ?? page).evaluate(async () => {
      const { href } = new URL('/api/servers?asked=last', location.href);
      await (await fetch(href)).text();
      const [timing] = performance.getEntriesByName(href) as PerformanceResourceTiming[];
      return timing ? timing.requestStart - timing.startTime : Number.NaN;
    });
    expect(waitedMs).toBeLessThan(500);
  });

  await test.step('each tab holds one socket and no open HTTP request', async () => {
    await expect.poll(wire.requestsOlderThan(2_000), patient).toEqual([]);
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

/** The tabs' open requests and sockets, by the browser's own network events. */
function watchWire(context: BrowserContext) {
  const requests = new Map<object, { url: string; since: number }>();
  const sockets = new Map<Page, number>();
  context.on('request', (request) => {
    requests.set(request, { url: request.url(), since: Date.now() });
    // After a navigation the browser reports nothing more of the old document and its sockets.
    if (request.isNavigationRequest()) sockets.delete(request.frame().page());
  });
  context.on('requestfinished', (request) => requests.delete(request));
  context.on('requestfailed', (request) => requests.delete(request));
  const count = (page: Page, change: number) => sockets.set(page, (sockets.get(page) ?? 0) + change);
  const watch = (page: Page) =>
    page.on('websocket', (socket) => {
      if (!socket.url().endsWith('/api/live')) return;
      count(page, 1);
      socket.on('close', () => count(page, -1));
    });
  for (const page of context.pages()) watch(page);
  context.on('page', watch);
  return {
    requestsOlderThan: (ms: number) => () =>
      [...requests.values()].filter(({ since }) => Date.now() - since > ms).map(({ url }) => url),
    openSockets: (page: Page) => sockets.get(page) ?? 0,
  };
}

declare global {
  interface Window {
    /** When the awaited text appeared. */
    shown: Promise<number>;
  }
}

async function noteWhenShown(page: Page, text: string): Promise<void> {
  await page.evaluate((wanted) => {
    window.shown = new Promise((resolve) => {
      const look = () => {
        if (document.querySelector('#main')?.textContent?.includes(wanted)) resolve(Date.now());
      };
      new MutationObserver(look).observe(document.body, {
        subtree: true,
        childList: true,
        characterData: true,
      });
      setTimeout(resolve, 15_000, Number.POSITIVE_INFINITY);
    });
  }, text);
}

/** Renames the app like another program of the same person. */
async function renameApp(page: Page, name: string): Promise<void> {
  await page.evaluate(async (wanted) => {
    const [app] = (await (await fetch('/api/apps')).json()) as { id: string; version: number }[];
    await fetch(`/api/apps/${app?.id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ version: app?.version, name: wanted }),
    });
  }, name);
}
