import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type CDPSession, chromium } from '@playwright/test';
import { z } from 'zod';
import { type Console, startConsole } from '../../e2e/fixtures/console.ts';
import { demoSettings, furnishDemo, pathsOfDemo, verifyOwner } from '../../e2e/fixtures/demo.ts';
import config from '../../e2e/playwright.config.ts';
import { root } from '../../scripts/install.mjs';
import { scriptKbAtMost } from '../../web/page-budgets.ts';
import { figure, figureAtMost, median, tidy } from '../figure.ts';

const rounds = 9;
/** Long pages ask their server much, and take longer to come to rest. */
const roundsOfLong = 5;
const slowDown = 4;
const lcpMsAtMost = 1_500;
/** All shifts of one visit together: nothing that a person sees move. e2e/heights.spec.ts holds each of them under 0.001. */
const shiftAtMost = 0.005;
const welcomed = { 'homeport.welcomed': 'yes' };
const pages = [
  { path: '/login', signedIn: false },
  { path: '/home', signedIn: true },
] as const;

/** Measures the first visit to each page on a slow machine. */
async function main(): Promise<void> {
  const browser = await chromium.launch(config.use?.launchOptions);
  try {
    await measureEmptyConsole(browser);
    await measureFullPages(browser);
  } finally {
    await browser.close();
  }
}

async function measureEmptyConsole(browser: Browser): Promise<void> {
  const homeport = await startConsole();
  try {
    // The very first visit also makes the console read its files.
    for (const { path, signedIn } of pages) await visit(browser, homeport, path, signedIn);
    await measureFirstLoads(browser, homeport);
    await measureReturn(browser, homeport);
  } finally {
    await homeport.stop();
  }
}

/** The long pages with all their sections, in the demo: an app, its database, its server and a proxy. */
async function measureFullPages(browser: Browser): Promise<void> {
  const homeport = await startConsole(demoSettings);
  try {
    await verifyOwner(homeport);
    // This session stays connected to the server of the app, and the visits use it.
    const context = await browser.newContext({ baseURL: homeport.url });
    await context.addCookies(homeport.owner.cookies);
    await furnishDemo(await context.newPage(), homeport);
    const { app, sandbox, database, proxy } = await pathsOfDemo(homeport);
    const long = {
      'An app': app,
      'A server': sandbox,
      'A database': database,
      'A proxy': proxy,
      'The profile': '/profile',
    };
    for (const [name, path] of Object.entries(long)) {
      const visits = [];
      for (let round = 0; round < roundsOfLong; round += 1)
        visits.push(await visit(browser, homeport, path, true, welcomed));
      figure({
        what: `${name}: JavaScript of the first visit, with what its sections load`,
        value: `${tidy(Math.max(...visits.map(({ scriptKb }) => scriptKb)))} kB`,
      });
      // No budget: the largest text may be what the server was asked for, a log or a table.
      figure({
        what: `${name}: largest contentful paint, median of ${roundsOfLong}`,
        value: `${tidy(median(visits.map(({ lcpMs }) => lcpMs)))} ms`,
      });
      figureAtMost(
        `${name}: layout shift, worst`,
        Math.max(...visits.map(({ layoutShift }) => layoutShift)),
        shiftAtMost,
        '',
      );
    }
    await context.close();
  } finally {
    await homeport.stop();
  }
}

async function measureFirstLoads(browser: Browser, homeport: Console): Promise<void> {
  for (const { path, signedIn } of pages) {
    const visits = [];
    for (let round = 0; round < rounds; round += 1)
      visits.push(await visit(browser, homeport, path, signedIn));
    const worst = (values: number[]) => Math.max(...values);
    figureAtMost(
      `${path}: JavaScript that its document asks for, before the page can be used`,
      worst(visits.map(({ askedForKb }) => askedForKb)),
      scriptKbAtMost[path],
      'kB',
    );
    figure({
      what: `${path}: JavaScript of the first visit, with what loads after the paint`,
      value: `${tidy(worst(visits.map(({ scriptKb }) => scriptKb)))} kB`,
    });
    figureAtMost(
      `${path}: largest contentful paint, median of ${rounds}`,
      median(visits.map(({ lcpMs }) => lcpMs)),
      lcpMsAtMost,
      'ms',
    );
    figureAtMost(`${path}: layout shift, worst`, worst(visits.map(({ layoutShift }) => layoutShift)), 0, '');
  }
}

/** Measures a person who has seen the welcome, with an empty cache. The largest text is then the page's own. */
async function measureReturn(browser: Browser, homeport: Console): Promise<void> {
  const visits = [];
  for (let round = 0; round < rounds; round += 1)
    visits.push(await visit(browser, homeport, '/home', true, welcomed));
  const [fcpMs, lcpMs] = [median(visits.map((each) => each.fcpMs)), median(visits.map((each) => each.lcpMs))];
  figure({ what: '/home without the welcome: first contentful paint', value: `${tidy(fcpMs)} ms` });
  figureAtMost(
    `/home without the welcome: largest contentful paint, median of ${rounds}`,
    lcpMs,
    lcpMsAtMost,
    'ms',
  );
}

type Visit = {
  /** What the page cannot be used without: its document names each file of it. The build counts the same files. */
  askedForKb: number;
  /** With what the page loads by itself once it is painted, such as the work that the header shows. */
  scriptKb: number;
  fcpMs: number;
  lcpMs: number;
  layoutShift: number;
};

async function visit(
  browser: Browser,
  homeport: Console,
  path: string,
  signedIn: boolean,
  remembered: Record<string, string> = {},
): Promise<Visit> {
  const localStorage = Object.entries(remembered).map(([name, value]) => ({ name, value }));
  await using context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    storageState: { cookies: [], origins: [{ origin: homeport.url, localStorage }] },
  });
  if (signedIn) await context.addCookies(homeport.owner.cookies);
  const page = await context.newPage();
  const scripts = new Set<string>();
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.add(new URL(request.url()).pathname);
  });
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowDown });
  const document = await page.goto(homeport.url + path);
  const paint = await readPaint(session);
  const html = (await document?.text()) ?? '';
  return {
    askedForKb: gzipKb([...scripts].filter((name) => html.includes(`"${name}"`))),
    scriptKb: gzipKb([...scripts]),
    ...paint,
  };
}

const paintSchema = z.object({
  fcpMs: z.number().positive(),
  lcpMs: z.number().positive(),
  layoutShift: z.number(),
});

/** Longer than any script of the page takes, so nothing larger follows. */
const restMs = 2_000;

/**
 * Reads both figures once nothing was painted for a while, so that late parts count too. The test library's own queries run a large
 * script in the page, which would be measured, so this asks the browser itself.
 * https://www.w3.org/TR/largest-contentful-paint/, https://wicg.github.io/layout-instability/
 */
async function readPaint(session: CDPSession) {
  const { result } = await session.send('Runtime.evaluate', {
    awaitPromise: true,
    returnByValue: true,
    expression: `new Promise((resolve) => {
      const fcpMs = () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0;
      let lcpMs = 0;
      let layoutShift = 0;
      let rest;
      const watch = (type, take) =>
        new PerformanceObserver((list) => {
          list.getEntries().forEach(take);
          clearTimeout(rest);
          if (lcpMs > 0) rest = setTimeout(() => resolve({ fcpMs: fcpMs(), lcpMs, layoutShift }), ${restMs});
        }).observe({ type, buffered: true });
      watch('layout-shift', (entry) => { layoutShift += entry.value; });
      watch('largest-contentful-paint', (entry) => { lcpMs = entry.startTime; });
    })`,
  });
  return paintSchema.parse(result.value);
}

/** The size that the build's own budget counts: that of the compressed copy beside each file. */
function gzipKb(paths: readonly string[]): number {
  const files = paths.map((path) => join(root, 'web/dist', `${path}.gz`));
  return files.reduce((sum, file) => sum + (existsSync(file) ? statSync(file).size : 0), 0) / 1000;
}

await main();
