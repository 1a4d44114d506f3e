// `npm run screenshots`: takes the pictures in docs/screenshots/ from a demo console that this program starts and ends.
// `-- home proxy` takes some of them. `-- --into FOLDER --width 390 /servers /profile` takes whole pages for a look at them.
// `-- --heights` prints the height of each page as well.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Uptime } from '@homeport/contract/uptime/schema';
import { chromium, expect, type Page } from '@playwright/test';
import { ensureInstalled, root } from '../scripts/install.mjs';
import { ensureSystemPackages } from '../scripts/install-system.mjs';
import { type Console, startConsole } from './fixtures/console.ts';
import {
  demoSettings,
  furnishDemo,
  pathsOfDemo,
  read,
  until,
  verifyOwner,
  withinMs,
} from './fixtures/demo.ts';
import { buildStale } from './global-setup.ts';
import config from './playwright.config.ts';

const { values: given, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    into: { type: 'string' },
    width: { type: 'string', default: '1440' },
    heights: { type: 'boolean' },
  },
});
/** The pictures of the documentation show what a screen shows. Those for a look show the whole page. */
const folder = given.into ?? join(root, 'docs/screenshots');
const viewport = { width: Number(given.width), height: 900 };
/** Without names, all pictures are taken. */
const isWanted = (name: string) => names.length === 0 || names.includes(name);

/** `part`: the section that the picture shows alone. */
type Shot = { name: string; path: string; prepare?: (page: Page) => Promise<void>; part?: string };

ensureInstalled();
ensureSystemPackages();
buildStale();
mkdirSync(folder, { recursive: true });
const homeport = await startConsole(demoSettings);
const browser = await chromium.launch(config.use?.launchOptions);
try {
  await verifyOwner(homeport);
  const context = await browser.newContext({ baseURL: homeport.url, viewport, locale: 'en-GB' });
  await context.addCookies(homeport.owner.cookies);
  const page = await context.newPage();
  await furnishDemo(page, homeport);
  await takePictures(page, homeport);
} finally {
  await browser.close();
  await homeport.stop();
}

async function takePictures(page: Page, console: Console): Promise<void> {
  if (isWanted('home') || isWanted('app'))
    await until('the app was found up', async () => {
      const [uptime] = await read<Uptime[]>(console, '/monitor/uptime');
      return uptime?.online ? uptime : undefined;
    });
  const paths = await pathsOfDemo(console);
  const shots: readonly Shot[] = [
    { name: 'home', path: '/home' },
    { name: 'server', path: paths.server },
    { name: 'chart', path: `${paths.server}/chart/cpu?last=90d` },
    { name: 'app', path: paths.app },
    { name: 'processes', path: paths.app, part: '#processes' },
    { name: 'command', path: paths.app, prepare: typeCommand, part: '[role=dialog]' },
    { name: 'terminal', path: paths.app, prepare: useTerminal, part: '[aria-label^="Terminal of"]' },
    { name: 'schedules', path: paths.app, prepare: showTasks, part: '#schedules' },
    { name: 'database', path: paths.database },
    { name: 'credentials', path: '/ssh-keys' },
    { name: 'proxy', path: paths.proxy },
    { name: 'proxy-rules', path: paths.proxy, prepare: testUrl },
    { name: 'proxy-rule', path: paths.proxy, prepare: openRule },
    // The documentation has a picture of a simulated server, whose charts are full.
    ...(given.into === undefined ? [] : [{ name: 'sandbox', path: paths.sandbox }]),
  ];
  const others = names.filter((name) => name.startsWith('/'));
  const wanted = [
    ...shots.filter(({ name }) => isWanted(name)),
    ...others.map((path): Shot => ({ name: path.slice(1).replaceAll('/', '-'), path })),
  ];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const { name, path, prepare, part } of wanted) {
      await page.goto(path);
      await showsOnlyThePage(page);
      await settles(page, path);
      if (given.into !== undefined) await lookAtAll(page, path);
      await prepare?.(page);
      // A section asks its server once it is on the screen.
      if (part !== undefined) await page.locator(part).scrollIntoViewIfNeeded();
      // Waits for fonts, charts and the first items of streams. Toasts of earlier operations are gone by then.
      await pause(3_000);
      if (given.heights) process.stdout.write(`${name}: ${await heightPx(page)} px\n`);
      const file = { path: join(folder, `${name}-${colorScheme}.png`), animations: 'disabled' } as const;
      if (part !== undefined) await page.locator(part).screenshot(file);
      else await page.screenshot({ ...file, fullPage: given.into !== undefined && !prepare });
    }
  }
}

/** Waits for the page. A dialog that opens by itself hides the page from roles, so it is closed. */
async function showsOnlyThePage(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor({ state: 'attached', timeout: withinMs });
  const dialog = page.getByRole('dialog');
  if (await dialog.first().isVisible()) await page.keyboard.press('Escape');
  await page.getByRole('heading', { level: 1 }).first().waitFor({ timeout: withinMs });
}

function heightPx(page: Page): Promise<number> {
  return page.locator('html').evaluate(({ scrollHeight }) => scrollHeight);
}

/** Sections ask their server once they are on the screen, so each comes there. */
async function lookAtAll(page: Page, path: string): Promise<void> {
  // By height, because a section may leave the page when another one has its answer.
  const steps = Math.ceil((await heightPx(page)) / (viewport.height / 2));
  for (let step = 0; step < steps; step += 1) {
    await page.locator('html').evaluate(
      (html, top) => {
        html.scrollTop = top;
      },
      (step * viewport.height) / 2,
    );
    await pause(100);
  }
  await settles(page, path);
  await page.locator('main h1').first().scrollIntoViewIfNeeded();
}

/** Waits until nothing on the page loads any more. Throws with what still does. */
async function settles(page: Page, path: string): Promise<void> {
  const busy = page.locator('[aria-busy=true]');
  try {
    await expect(busy).toHaveCount(0, { timeout: withinMs });
  } catch {
    const parts = await busy.evaluateAll((all) => all.map((each) => each.outerHTML.slice(0, 200)));
    throw new Error(`${path} still loads after ${withinMs / 1000} s: ${parts.join('; ')}`);
  }
}

/** The rules with a URL that one of them takes. */
async function testUrl(page: Page): Promise<void> {
  await page.getByLabel('Test a URL').fill('/journal/fog');
  await page.getByText('takes this URL').waitFor();
  await page.locator('#proxy-rules').evaluate((section) => section.scrollIntoView());
}

/** The server allows commands and terminals from the first picture on. */
async function allowCommands(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const apps: { longname: string; serverId: string }[] = await (await fetch('/api/apps')).json();
    const app = apps.find(({ longname }) => location.pathname.endsWith(`/${longname}`));
    await fetch(`/api/servers/${app?.serverId}/commands/allow`, { method: 'POST' });
  });
}

/** A shell that has answered. */
async function useTerminal(page: Page): Promise<void> {
  await allowCommands(page);
  await page.getByRole('button', { name: 'Open a terminal' }).click();
  await page.getByRole('menuitem', { name: 'In web.1' }).click();
  const dock = page.getByRole('region', { name: /^Terminal of/ });
  await expect(dock).toContainText('min left', { timeout: withinMs });
  await page.keyboard.type('echo "in $DYNO"\n');
  await expect(dock).toContainText('in web.1', { timeout: withinMs });
}

async function showTasks(page: Page): Promise<void> {
  await page.locator('#schedules').scrollIntoViewIfNeeded();
  await page.getByRole('button', { name: 'Show tasks' }).click();
}

/** A command that is typed and not begun. */
async function typeCommand(page: Page): Promise<void> {
  await allowCommands(page);
  await page.getByRole('button', { name: 'Run a command' }).click();
  await page.getByLabel('Command', { exact: true }).fill(`rails runner 'puts User.count' -e production`);
}

async function openRule(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Edit rule 1' }).click();
  await page.getByRole('dialog').waitFor();
}
