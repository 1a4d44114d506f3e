import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { z } from 'zod';
import { type Console, startConsole } from '../../e2e/fixtures/console.ts';
import config from '../../e2e/playwright.config.ts';
import { root } from '../../scripts/install.mjs';
import { figureAtMost, median } from '../figure.ts';

const rounds = 5;
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
    for (const { path, scriptKbAtMost, signedIn } of pages) {
      const visits = [];
      for (let round = 0; round < rounds; round += 1)
        visits.push(await visit(browser, homeport, path, signedIn));
      const [first] = visits;
      figureAtMost(`${path}: JavaScript of the first visit`, first?.scriptKb ?? NaN, scriptKbAtMost, 'kB');
      figureAtMost(
        `${path}: largest contentful paint, median`,
        median(visits.map(({ lcpMs }) => lcpMs)),
        lcpMsAtMost,
        'ms',
      );
      figureAtMost(
        `${path}: layout shift, worst`,
        Math.max(...visits.map(({ layoutShift }) => layoutShift)),
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
  // Not by role: a dialog that opens by itself hides the page's heading from assistive technology.
  await page.locator('h1').first().waitFor();
  const { lcpMs, layoutShift } = await readPaint(page);
  return {
    scriptKb: [...scripts].reduce((sum, name) => sum + gzipBytes(name), 0) / 1000,
    lcpMs,
    layoutShift,
  };
}

const paintSchema = z.object({ lcpMs: z.number().positive(), layoutShift: z.number() });

/**
 * Both as they stand once nothing was painted anew for a second: what loads late counts too.
 * https://www.w3.org/TR/largest-contentful-paint/, https://wicg.github.io/layout-instability/
 */
async function readPaint(page: Page) {
  return paintSchema.parse(
    await page.evaluate(`new Promise((resolve) => {
      let lcpMs = 0;
      let layoutShift = 0;
      let rest;
      const watch = (type, take) =>
        new PerformanceObserver((list) => {
          list.getEntries().forEach(take);
          clearTimeout(rest);
          if (lcpMs > 0) rest = setTimeout(() => resolve({ lcpMs, layoutShift }), 1000);
        }).observe({ type, buffered: true });
      watch('layout-shift', (entry) => { layoutShift += entry.value; });
      watch('largest-contentful-paint', (entry) => { lcpMs = entry.startTime; });
    })`),
  );
}

/** The build lays a compressed copy beside each file. */
function gzipBytes(path: string): number {
  const file = join(root, 'web/dist', `${path}.gz`);
  return existsSync(file) ? statSync(file).size : 0;
}

await main();
