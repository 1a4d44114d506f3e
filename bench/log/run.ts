import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { build, preview } from 'vite';
import { z } from 'zod';
import config from '../../e2e/playwright.config.ts';
import { root } from '../../scripts/install.mjs';
import { figure } from '../figure.ts';

const lines = 200_000;
const linesPerSecond = 2_000;
const taskMsAtMost = 100;
/** The browser reports tasks from this length on: https://w3c.github.io/longtasks/ */
const toldFromMs = 50;
const source = join(root, 'web/src/gallery/long-log');

/** Measures the page's own log view with as many lines as it keeps, while a person goes through them. */
async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'homeport-log-'));
  await build({
    configFile: false,
    root: source,
    logLevel: 'error',
    build: { outDir: folder, emptyOutDir: true },
  });
  const server = await preview({
    configFile: false,
    root: source,
    logLevel: 'error',
    build: { outDir: folder },
    preview: { host: '127.0.0.1', port: 0 },
  });
  const browser = await chromium.launch(config.use?.launchOptions);
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(`${server.resolvedUrls?.local[0] ?? ''}?lines=${lines}`);
    await page.getByText(`${lines.toLocaleString('en')} lines`).waitFor();
    await rest(page);
    for (const [what, act] of steps) {
      await page.evaluate(watchTasks);
      await act(page);
      await rest(page);
      tell(what, z.array(z.number()).parse(await page.evaluate('window.tasks')));
    }
  } finally {
    await browser.close();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const steps: readonly (readonly [what: string, act: (page: Page) => Promise<void>])[] = [
  ['Scrolled with the wheel, up and down', (page) => wheel(page, 60)],
  ['Dragged to twenty places', drag],
  ['Page Up, Page Down, Home and End', keys],
  [
    `Following ${linesPerSecond.toLocaleString('en')} lines a second`,
    async (page) => {
      await page.getByRole('log').press('End');
      await arrive(page, 5);
    },
  ],
  [
    'Scrolled while lines arrive',
    async (page) => {
      await Promise.all([arrive(page, 5), wheel(page, 40)]);
    },
  ],
  [
    'Searched, and stepped from hit to hit',
    async (page) => {
      await page.getByRole('searchbox').pressSequentially('error 1', { delay: 80 });
      for (let step = 0; step < 20; step += 1) await page.getByRole('searchbox').press('Enter');
    },
  ],
  [
    'Searched for a text in every line, while lines arrive',
    async (page) => {
      await page.getByRole('searchbox').fill('');
      await Promise.all([
        arrive(page, 5),
        page.getByRole('searchbox').pressSequentially('page', { delay: 200 }),
        wheel(page, 30),
      ]);
    },
  ],
  [
    'Lines no longer wrapped, then again',
    async (page) => {
      for (const press of [1, 2]) {
        await page.getByRole('button', { name: 'Wrap' }).click();
        await wheel(page, 5 * press);
      }
    },
  ],
];

async function wheel(page: Page, times: number): Promise<void> {
  await page.getByRole('log').hover();
  for (let turn = 0; turn < times; turn += 1) {
    await page.mouse.wheel(0, turn % 3 === 2 ? 2_400 : -3_000);
    await frame(page);
  }
}

/** Jumps far away, like the scroll bar. */
async function drag(page: Page): Promise<void> {
  for (let place = 0; place < 20; place += 1) {
    const part = ((place * 7) % 20) / 20;
    await page.evaluate(`document.querySelector('[role=log]').scrollTop =
      document.querySelector('[role=log]').scrollHeight * ${part}`);
    await frame(page);
  }
}

async function keys(page: Page): Promise<void> {
  const log = page.getByRole('log');
  await log.focus();
  const pressed = ['Home', ...Array(15).fill('PageDown'), 'End', ...Array(15).fill('PageUp'), 'Home', 'End'];
  for (const key of pressed) {
    await log.press(key);
    await frame(page);
  }
}

async function arrive(page: Page, seconds: number): Promise<void> {
  await page.evaluate(`new Promise((resolve) => {
    let left = ${seconds * 20};
    const timer = setInterval(() => {
      addLines(${linesPerSecond / 20});
      left -= 1;
      if (left > 0) return;
      clearInterval(timer);
      resolve();
    }, 50);
  })`);
}

const frame = (page: Page) =>
  page.evaluate('new Promise((resolve) => requestAnimationFrame(() => resolve()))');

/** Waits until half a second passed without a long task. */
const rest = (page: Page) =>
  page.evaluate(`new Promise((resolve) => {
    let timer = setTimeout(resolve, 500);
    new PerformanceObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(resolve, 500);
    }).observe({ type: 'longtask' });
  })`);

const watchTasks = `window.taskWatcher?.disconnect();
window.tasks = [];
window.taskWatcher = new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map((task) => task.duration)));
window.taskWatcher.observe({ type: 'longtask' });`;

function tell(what: string, tasks: readonly number[]): void {
  const longest = Math.max(0, ...tasks);
  figure({
    what: `${what}: longest task`,
    value: longest === 0 ? `under ${toldFromMs} ms` : `${longest.toFixed(0)} ms`,
    budget: `≤ ${taskMsAtMost} ms`,
    kept: longest <= taskMsAtMost,
  });
}

await main();
