import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeKey } from '@homeport/ssh/testing';
import type { Locator, Page } from '@playwright/test';
import { createApp, pushApp } from './fixtures/app.ts';
import { expectAccessible } from './fixtures/axe.ts';
import { type LinkedHost, startHost } from './fixtures/host.ts';
import { newPerson, signUp } from './fixtures/person.ts';
import { importKey, installServer } from './fixtures/server.ts';
import { test as base, expect } from './fixtures/test.ts';

/** The log of an app that writes all the time. SSH and git are real; the sandbox stands in for Dokku. */

const test = base.extend<{ host: LinkedHost }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the first parameter's properties.
  host: async ({}, use) => {
    const host = await startHost({ installed: false, pace: 0 });
    await use(host);
    await host.stop();
  },
  // The context is made after the host and so closes before it. Otherwise an open page would lose its server.
  context: async ({ host: _host, context }, use) => use(context),
});

/** Numbers its lines, so that missing and repeated lines show. */
const program = (name: string) => `
require('node:http').createServer((request, response) => response.end('ok')).listen(process.env.PORT);
let number = 0;
console.log('${name} begins');
setInterval(() => console.log('${name} beat ' + ++number + (number % 10 ? '' : '\\u001b[31m loud\\u001b[0m')), 20);
`;

/** The page of an app called beacon: its panel of logs, and the lines in it. */
type Beacon = { page: Page; host: LinkedHost; logs: Locator; log: Locator };

test('lines flow on through a lost connection, are held, filtered, searched and saved', async ({
  page,
  host,
  failures,
}) => {
  // The browser logs a line for other requests about the app when its connection ended. The page repeats them.
  failures.mayCome(/status of (?:409|502) .*\/api\/apps\/[\w-]+\/\w+(?:\?noticed=true)?\)$/);
  const logs = page.locator('#logs');
  const log = page.getByRole('log', { name: /^log of beacon/ });
  const beacon: Beacon = { page, host, logs, log };

  await test.step('an app that writes from two processes', () => startBeacon(beacon));
  await test.step('a connection that ends is opened again, and no line is lost or shown twice', () =>
    loseConnections(beacon));
  await test.step('held, it stands still while lines come, and goes on', () => holdLog(beacon));
  await test.step('one kind of process alone, from further back', () => chooseProcess(beacon));
  await test.step('it is searched, and read with the keyboard', () => searchLog(beacon));
  await test.step('the readme is read without root, and as root on a server without the plugin', () =>
    readReadme(beacon));
  await test.step('after a restart it follows the new process at once', () => restartApp(beacon));
  await test.step('it reads well on a phone, and by a screen reader', () => readOnPhone(beacon));
});

async function startBeacon({ page, host, log }: Beacon): Promise<void> {
  const key = makeKey();
  const push = makeKey();
  await host.authorize(key.publicKeyLine);
  await signUp(page, newPerson());
  await importKey(page, 'desk', key.privateKeyPem);
  await importKey(page, 'git', push.privateKeyPem);
  await installServer(page, host, { name: 'lantern', credential: 'desk' });
  const remote = await createApp(page, 'beacon', { git: true, desk: false });
  await pushApp(remote, push.privateKeyPem, {
    Procfile: 'web: node web.js\nworker: node worker.js\n',
    'web.js': program('web'),
    'worker.js': program('worker'),
    'README.md': '# The beacon\n',
  });
  const [longname = ''] = /beacon-\w{6}/.exec(remote) ?? [];
  const scale = ['ps:scale', longname, 'worker=1'];
  await promisify(execFile)(join(host.sandbox.root, 'bin/dokku'), scale, { timeout: 60_000 });
  await seesLine(page, log, 'web beat');
  // Only a page that is loaded now begins with both processes.
  await page.reload();
  await seesLine(page, log, 'worker beat');
}

/** The page reads only what is on the screen. On a busy machine its parts come one by one, and move the log while they do. */
async function seesLine(page: Page, log: Locator, text: string): Promise<void> {
  await expect(async () => {
    await page.locator('#logs').evaluate((section) => section.scrollIntoView({ block: 'center' }));
    await expect(log).toContainText(text, { timeout: 2_000 });
  }).toPass({ timeout: 90_000 });
}

async function loseConnections({ page }: Beacon): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    const lines = await lineCount(page);
    await closeConnection(page);
    await expect.poll(() => lineCount(page), { timeout: 90_000 }).toBeGreaterThan(lines + 60);
  }
  const { name, text } = await download(page);
  expect(name).toMatch(/^beacon-\w{6}-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.log$/);
  expect(text).toContain('The connection to the server was lost.');
  expect(text).not.toContain('may be missing');
  expect(text).not.toContain('\u001b');
  for (const process of ['web', 'worker']) {
    const numbers = [...text.matchAll(new RegExp(`${process} beat (\\d+)`, 'g'))].map((found) =>
      Number(found[1]),
    );
    expect(numbers.length).toBeGreaterThan(100);
    expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index));
  }
}

async function holdLog({ page, log }: Beacon): Promise<void> {
  await chooseMore(page, 'Pause');
  await expect(log.getByText(/^Paused, \d{2,} more lines$/)).toBeAttached();
  const held = await lineCount(page);
  await expect(log.getByText(/^Paused, [1-9]\d{2,} more lines$/)).toBeAttached();
  expect(await lineCount(page)).toBe(held);
  await chooseMore(page, 'Resume');
  await expect.poll(() => lineCount(page)).toBeGreaterThan(held + 100);
}

async function chooseProcess({ page, logs, log }: Beacon): Promise<void> {
  await logs.getByRole('combobox', { name: 'Process' }).selectOption('worker');
  await expect(log).toContainText('worker beat');
  await logs.getByRole('combobox', { name: 'Lines to begin with' }).selectOption('10000');
  await expect(log).toContainText('worker beat');
  const { name, text } = await download(page);
  expect(name).toMatch(/^beacon-\w{6}-worker-/);
  expect(text).toMatch(/worker beat 1\n/);
  expect(text).not.toContain('web beat');
}

async function searchLog({ page, logs, log }: Beacon): Promise<void> {
  await page.getByRole('searchbox', { name: 'Search log of beacon' }).fill('WORKER BEAT 1');
  await expect(logs.getByRole('status')).toHaveText(/^1 of \d+/);
  await expect(log.locator('.log_current')).toContainText('worker beat 1');
  await page.keyboard.press('Enter');
  await expect(logs.getByRole('status')).toHaveText(/^2 of \d+/);
  await expect(log.locator('.log_current')).toContainText('worker beat 10');
  await page.getByRole('searchbox', { name: 'Search log of beacon' }).fill('');
  const top = () => log.evaluate((element) => element.scrollTop);
  await log.focus();
  await page.keyboard.press('End');
  await expect.poll(top).toBeGreaterThan(1_000);
  await page.keyboard.press('Home');
  await expect.poll(top).toBe(0);
  await expect(log.getByText('worker beat 1', { exact: false }).first()).toBeInViewport();
  await page.keyboard.press('PageDown');
  await expect.poll(top).toBeGreaterThan(100);
  await expect(logs.getByRole('button', { name: 'Follow' })).toHaveAttribute('aria-pressed', 'false');
}

/** Homeport's plugin reads the readme as the user dokku. The answers of a server without the plugin are given in place of its own. */
async function readReadme({ page, host }: Beacon): Promise<void> {
  const readme = page.locator('#readme');
  await readme.scrollIntoViewIfNeeded();
  await expect(readme.getByRole('heading', { name: 'The beacon' })).toBeVisible();
  await expect(readme.getByTitle('Read as dokku')).toBeVisible();

  const route = /\/api\/apps\/[^/]+\/readme$/;
  const forget = () =>
    page.route(/\/api\/apps\/[^/]+\/known$/, async (asked) => {
      const reply = await asked.fetch();
      await asked.fulfill({ json: { ...(await reply.json()), readme: null } });
    });
  await forget();
  const answer = { json: { kind: 'needs_root', user: host.user } };
  await page.route(route, (asked) => asked.fulfill(answer), { times: 1 });
  await page.reload();
  await readme.scrollIntoViewIfNeeded();
  const connect = readme.getByRole('button', { name: `Connect as ${host.user} to see the readme` });
  await expect(connect).toBeVisible();
  await expectAccessible(page, '#readme');
  await connect.click();
  await expect(readme.getByRole('heading', { name: 'The beacon' })).toBeVisible();
  await expect(connect).toBeHidden();
  await page.route(route, (asked) => asked.fulfill({ json: { kind: 'too_long', account: 'root' } }), {
    times: 1,
  });
  await page.reload();
  await readme.scrollIntoViewIfNeeded();
  await expect(readme).toContainText('Readme is long and cannot be displayed');
  // A request that this handler still answers at the end of the test would find its page gone.
  await page.unrouteAll({ behavior: 'wait' });
}

/**
 * The sandbox follows the files of the containers that it had when the log was opened, and never ends by itself. The old container
 * wrote later than the first lines of the new one, and no line may be lost for that.
 */
async function restartApp({ page, logs }: Beacon): Promise<void> {
  await logs.scrollIntoViewIfNeeded();
  await logs.getByRole('combobox', { name: 'Process' }).selectOption('web');
  await logs.getByRole('combobox', { name: 'Lines to begin with' }).selectOption('10000');
  const begins = page.getByRole('searchbox', { name: 'Search log of beacon' });
  await begins.fill('web begins');
  await expect(logs.getByRole('status')).toHaveText('1 of 1');
  await page.getByRole('button', { name: 'Restart', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'Restart' })).toContainText('2 of 2 steps', {
    timeout: 90_000,
  });
  await page.keyboard.press('Escape');
  await expect(logs.getByRole('status')).toHaveText(/ of 2$/);
  await begins.fill('');
}

async function readOnPhone({ page, logs }: Beacon): Promise<void> {
  await page.setViewportSize({ width: 320, height: 800 });
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth))
    .toBeLessThanOrEqual(0);
  await logs.scrollIntoViewIfNeeded();
  await expectOneLine(logs);
  await logs.getByRole('button', { name: 'More for log of beacon' }).click();
  await expect(page.getByRole('menuitem', { name: 'Download' })).toBeInViewport();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
}

/** The search, the buttons and the menu of the log stand side by side. */
async function expectOneLine(logs: Locator): Promise<void> {
  const controls = [
    logs.getByRole('searchbox', { name: 'Search log of beacon' }),
    logs.getByRole('button', { name: 'Follow' }),
    logs.getByRole('button', { name: 'More for log of beacon' }),
  ];
  const tops = await Promise.all(
    controls.map(async (control) => {
      const box = await control.boundingBox();
      return Math.round((box?.y ?? 0) + (box?.height ?? 0) / 2);
    }),
  );
  expect(Math.max(...tops) - Math.min(...tops)).toBeLessThanOrEqual(1);
}

async function chooseMore(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'More for log of beacon' }).click();
  const item = page.getByRole('menuitem', { name });
  // A log that is read anew has no lines to save for a moment.
  await expect(item).not.toHaveAttribute('aria-disabled', 'true');
  await item.click();
}

async function lineCount(page: Page): Promise<number> {
  const text = (await page.locator('#logs').getByRole('status').textContent()) ?? '';
  return Number(/^([\d,]+) lines$/.exec(text)?.[1]?.replaceAll(',', '') ?? 0);
}

async function download(page: Page): Promise<{ name: string; text: string }> {
  const [file] = await Promise.all([
    page.waitForEvent('download', { timeout: 90_000 }),
    chooseMore(page, 'Download'),
  ]);
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
}

/** Closes the connection as if the console had lost it. The page holds the key and opens another. */
async function closeConnection(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const [server] = (await (await fetch('/api/servers')).json()) as { id: string }[];
    await fetch(`/api/servers/${server?.id}/connection`, { method: 'DELETE' });
  });
}
