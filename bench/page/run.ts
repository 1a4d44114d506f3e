import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type CDPSession, chromium } from '@playwright/test';
import { z } from 'zod';
import { type Console, startConsole } from '../../e2e/fixtures/console.ts';
import config from '../../e2e/playwright.config.ts';
import { root } from '../../scripts/install.mjs';
import { figureAtMost, median } from '../figure.ts';

const rounds = 9;
const slowDown = 4;
const lcpMsAtMost = 1_500;
const pages = [
  { path: '/login', scriptKbAtMost: 120, signedIn: false },
  { path: '/home', scriptKbAtMost: 200, signedIn: true },
] as const;

/** Each page as somebody with a slow machine meets it for the first time. */
async function main(): Promise<void> {
  const homeport = await startConsole();
  const browser = await chromium.launch(config.use?.launchOptions);
  try {
    // The first visit of all also makes the console read its files.
    for (const { path, signedIn } of pages) await visit(browser, homeport, path, signedIn);
    for (const { path, scriptKbAtMost, signedIn } of pages) {
      const visits = [];
      for (let round = 0; round < rounds; round += 1)
        visits.push(await visit(browser, homeport, path, signedIn));
      const worst = (values: number[]) => Math.max(...values);
      figureAtMost(
        `${path}: JavaScript of the first visit`,
        worst(visits.map(({ scriptKb }) => scriptKb)),
        scriptKbAtMost,
        'kB',
      );
      figureAtMost(
        `${path}: largest contentful paint, median of ${rounds}`,
        median(visits.map(({ lcpMs }) => lcpMs)),
        lcpMsAtMost,
        'ms',
      );
      figureAtMost(
        `${path}: layout shift, worst`,
        worst(visits.map(({ layoutShift }) => layoutShift)),
        0,
        '',
      );
    }
  } finally {
    await browser.close();
    await homeport.stop();
  }
}

type Visit = { scriptKb: number; lcpMs: number; layoutShift: number };

async function visit(browser: Browser, homeport: Console, path: string, signedIn: boolean): Promise<Visit> {
  await using context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  if (signedIn) await context.addCookies(homeport.owner.cookies);
  const page = await context.newPage();
  const scripts = new Set<string>();
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.add(new URL(request.url()).pathname);
  });
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowDown });
  await page.goto(homeport.url + path);
  const { lcpMs, layoutShift } = await readPaint(session);
  return {
    scriptKb: [...scripts].reduce((sum, name) => sum + gzipBytes(name), 0) / 1000,
    lcpMs,
    layoutShift,
  };
}

const paintSchema = z.object({ lcpMs: z.number().positive(), layoutShift: z.number() });

/** Longer than any script of the page takes: nothing larger is on its way. */
const restMs = 2_000;

/**
 * Both as they stand once nothing was painted anew for a while: what loads late counts too. Asked of the browser itself,
 * because the test library's own questions are a large script that runs in the page and would be measured.
 * https://www.w3.org/TR/largest-contentful-paint/, https://wicg.github.io/layout-instability/
 */
async function readPaint(session: CDPSession) {
  const { result } = await session.send('Runtime.evaluate', {
    awaitPromise: true,
    returnByValue: true,
    expression: `new Promise((resolve) => {
      let lcpMs = 0;
      let layoutShift = 0;
      let rest;
      const watch = (type, take) =>
        new PerformanceObserver((list) => {
          list.getEntries().forEach(take);
          clearTimeout(rest);
          if (lcpMs > 0) rest = setTimeout(() => resolve({ lcpMs, layoutShift }), ${restMs});
        }).observe({ type, buffered: true });
      watch('layout-shift', (entry) => { layoutShift += entry.value; });
      watch('largest-contentful-paint', (entry) => { lcpMs = entry.startTime; });
    })`,
  });
  return paintSchema.parse(result.value);
}

/** As the build's own budget counts it: the build lays a compressed copy beside each file. */
function gzipBytes(path: string): number {
  const file = join(root, 'web/dist', `${path}.gz`);
  return existsSync(file) ? statSync(file).size : 0;
}

await main();
