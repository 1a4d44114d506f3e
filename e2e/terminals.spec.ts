import { makeKey } from '@homeport/ssh/testing';
import type { Locator, Page } from '@playwright/test';
import { createApp, pushApp } from './fixtures/app.ts';
import { expectAccessible } from './fixtures/axe.ts';
import { type LinkedHost, startHost } from './fixtures/host.ts';
import { newPerson, signUp } from './fixtures/person.ts';
import { expectFitsPhone } from './fixtures/phone.ts';
import { importKey, installServer } from './fixtures/server.ts';
import { test as base, expect } from './fixtures/test.ts';

/** Terminals in an app's containers and on a server. SSH and git are real; the sandbox stands in for Dokku. */

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
test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

const done = { timeout: 90_000 };

/** What pages said of output that they had drawn. */
function drawnTold(page: Page): string[] {
  const told: string[] = [];
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => {
      if (String(payload).includes('"taken"')) told.push(String(payload));
    }),
  );
  return told;
}

test('a terminal takes keys, holds hostile output and 5 MB, and lets the keyboard leave', async ({
  page,
  host,
}) => {
  const panel = page.getByRole('region', { name: 'Commands' });
  const dock = page.getByRole('region', { name: 'Terminal of beacon' });
  const told = drawnTold(page);
  await test.step('an app that runs', () => deployApp(page, host, panel));
  await test.step('a shell in the running container', () => openShell(page, panel, dock));
  await test.step('what a program prints types nothing, and renames nothing', () => holdHostile(page, dock));
  await test.step('5 MB leave the page usable', () => printMuch(page, dock, told));
  await test.step('copy, paste and search', () => copyAndFind(page, dock));
  await test.step('the keyboard leaves the terminal', () => leaveByKeyboard(page, dock));
  await test.step('keys that a phone lacks, and the end of the shell', () => onPhone(page, dock));
  await test.step('a shell in a new container', () => inNewContainer(page, panel, dock));
  await test.step('the server’s own shell, once it is allowed', () => onServer(page));
  await test.step('the security events say where and how long, and no key', () => readEvents(page));
});

async function deployApp(page: Page, host: LinkedHost, panel: Locator): Promise<void> {
  const [key, pushKey] = [makeKey(), makeKey()];
  await host.authorize(key.publicKeyLine);
  await signUp(page, newPerson());
  await importKey(page, 'desk', key.privateKeyPem);
  await importKey(page, 'git', pushKey.privateKeyPem);
  await installServer(page, host, { name: 'lantern', credential: 'desk' });
  const remote = await createApp(page, 'beacon', { git: true, desk: false });
  await pushApp(remote, pushKey.privateKeyPem);
  await expect(panel).toContainText('Not allowed on lantern.', done);
  await expect(panel.getByRole('button', { name: 'Open a terminal' })).toBeHidden();
  await panel.getByRole('link', { name: 'Server settings' }).click();
  const settings = page.getByRole('region', { name: 'Settings' });
  await settings.getByRole('button', { name: 'Allow commands in apps' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Allow commands' }).click();
  await expect(settings.getByRole('button', { name: 'Forbid commands in apps' })).toBeVisible();
  await page.goBack();
}

async function openShell(page: Page, panel: Locator, dock: Locator): Promise<void> {
  await panel.getByRole('button', { name: 'Open a terminal' }).click();
  await page.getByRole('menuitem', { name: 'In web.1' }).click();
  await expect(dock).toContainText(/\d+ min left/, done);
  await expect(dock.getByRole('textbox', { name: 'Terminal input' })).toBeFocused();
  await page.keyboard.type('printf "\\033[38;2;1;2;3ma""hoy\\033[0m $DYNO\\n"\n');
  await expect(dock).toContainText('ahoy web.1', done);
  await expect(dock.locator('span', { hasText: /^ahoy$/ })).toHaveCSS('color', 'rgb(1, 2, 3)');
}

/** All questions come before one whose answer the shell waits for, so what was typed before it is seen. */
async function holdHostile(page: Page, dock: Locator): Promise<void> {
  const title = await page.title();
  await page.evaluate(() => navigator.clipboard.writeText('mine'));
  const questions = [
    ...['\\033]0;stolen\\007', '\\033]52;c;c3RvbGVu\\007', '\\033]52;c;?\\007', '\\033[21t'],
    ...['\\033P$qm\\033\\\\', '\\033]4;1;?\\007', '\\033]10;?\\007', '\\033]11;?\\007', '\\033[?1$p'],
    '\\033[5n',
  ].join('');
  await page.keyboard.type(
    `clear; printf '${questions}'; IFS= read -r -s -d n typed; printf 'typed%s%q.\\n' = "$typed"\n`,
  );
  await expect(dock).toContainText("typed=$'\\E[0'.", done);
  expect(await page.title()).toBe(title);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('mine');
}

async function printMuch(page: Page, dock: Locator, told: string[]): Promise<void> {
  await page.evaluate(() => {
    const spans: number[] = [];
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) spans.push(duration);
    }).observe({ type: 'longtask' });
    Object.assign(window, { spans });
  });
  await page.keyboard.type('head -c 5000000 /dev/zero | tr \'\\0\' x | fold -w 60; echo "fi""n"\n');
  // While it prints, the page answers.
  await dock.getByRole('button', { name: 'Search in the terminal' }).click();
  await expect(dock.getByLabel('Find in the terminal')).toBeFocused();
  await dock.getByRole('button', { name: 'Search in the terminal' }).click();
  await expect(dock).toContainText('fin', done);
  // 64 kB or more in each message: so fast a page stays within what it may say.
  expect(told.length).toBeGreaterThan(0);
  expect(told.length).toBeLessThan(5_100_000 / (64 * 1024));
  await expect(dock).toContainText(/\d+ min left/);
  const spans = await page.evaluate(() => (window as unknown as { spans: number[] }).spans);
  test.info().annotations.push({ type: 'longest task, ms', description: String(Math.max(0, ...spans)) });
}

async function copyAndFind(page: Page, dock: Locator): Promise<void> {
  const input = dock.getByRole('textbox', { name: 'Terminal input' });
  await input.focus();
  await page.keyboard.type('clear; echo "lamp""light"\n');
  const line = dock.getByText('lamplight', { exact: true });
  await expect(line).toBeVisible(done);
  await line.dblclick({ force: true });
  await page.keyboard.press('Control+Shift+C');
  await expect(page.getByText('Copied', { exact: true })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('lamplight');
  await page.keyboard.type('echo pasted-');
  await page.keyboard.press('Control+Shift+V');
  await expect(dock).toContainText('echo pasted-lamplight');
  await page.keyboard.press('Enter');
  await dock.getByRole('button', { name: 'Search in the terminal' }).click();
  await dock.getByLabel('Find in the terminal').fill('pasted-lamp');
  await expect(dock).toContainText(/\d of \d/);
  await dock.getByRole('button', { name: 'Search in the terminal' }).click();
}

async function leaveByKeyboard(page: Page, dock: Locator): Promise<void> {
  const input = dock.getByRole('textbox', { name: 'Terminal input' });
  await input.focus();
  await page.keyboard.press('Tab');
  await expect(input).toBeFocused();
  await page.keyboard.press('Control+M');
  await page.keyboard.press('Shift+Tab');
  await expect(dock.getByRole('button', { name: 'End session' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(input).toBeFocused();
  await page.keyboard.press('Control+M');
  await page.keyboard.press('Shift+Tab');
  await expect(input).toBeFocused();
}

async function onPhone(page: Page, dock: Locator): Promise<void> {
  const desk = page.viewportSize();
  await expectFitsPhone(page);
  const keys = dock.getByRole('group', { name: 'Keys' });
  await dock.getByRole('textbox', { name: 'Terminal input' }).focus();
  await page.keyboard.type('echo "aga""in"');
  await page.keyboard.press('Enter');
  await expect(dock).toContainText('again', done);
  await page.keyboard.type('clear; cat\n');
  // Messages about what was pressed before may still stand there, and cover no key.
  await keys.getByRole('button', { name: 'Esc' }).click();
  await expect(dock).toContainText('^[', done);
  await keys.getByRole('button', { name: 'Ctrl', exact: true }).click();
  await page.keyboard.press('c');
  await expect(dock).toContainText('^C', done);
  await keys.getByRole('button', { name: 'Ctrl', exact: true }).click();
  await page.keyboard.press('d');
  await expect(dock).toContainText('The session ended: the shell ended', done);
  await page.keyboard.press('Tab');
  await expect(dock.getByRole('textbox', { name: 'Terminal input' })).not.toBeFocused();
  await expectAccessible(page, 'section[aria-label="Terminal of beacon"]');
  if (desk) await page.setViewportSize(desk);
  await dock.getByRole('button', { name: 'New session' }).click();
  await expect(dock).toContainText(/\d+ min left/, done);
  await dock.getByRole('button', { name: 'End session' }).click();
  await expect(dock).toBeHidden();
}

async function inNewContainer(page: Page, panel: Locator, dock: Locator): Promise<void> {
  await panel.getByRole('button', { name: 'Open a terminal' }).click();
  await page.getByRole('menuitem', { name: 'In a new container' }).click();
  await expect(dock).toContainText(/\d+ min left/, done);
  await page.keyboard.type('echo "in $DYNO"\n');
  await expect(dock).toContainText(/in run\.\d+/, done);
  await dock.getByRole('button', { name: 'End session' }).click();
  await expect(dock).toBeHidden();
  await expect(panel.getByRole('button', { name: 'Open a terminal' })).toBeFocused();
}

async function onServer(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'lantern' }).first().click();
  const settings = page.getByRole('region', { name: 'Settings' });
  await settings.getByRole('button', { name: 'Allow terminals on the server' }).click();
  const dialog = page.getByRole('dialog', { name: 'Allow terminals on lantern?' });
  await expect(page.getByRole('button', { name: 'Open a terminal' })).toBeHidden();
  await expectAccessible(page, '[role=dialog]');
  await dialog.getByRole('button', { name: 'Allow terminals' }).click();
  await page.getByRole('button', { name: 'Open a terminal' }).click();
  const dock = page.getByRole('region', { name: 'Terminal of lantern' });
  await expect(dock).toContainText(/\d+ min left/, done);
  await page.keyboard.type('echo "he""re: $(basename "$SHELL")"\n');
  await expect(dock).toContainText(/here: \w+/, done);
  await dock.getByRole('button', { name: 'End session' }).click();
  await settings.getByRole('button', { name: 'Forbid terminals on the server' }).click();
  await expect(page.getByRole('button', { name: 'Open a terminal' })).toBeHidden();
}

async function readEvents(page: Page): Promise<void> {
  await page.goto('/profile');
  const events = page.getByRole('region', { name: 'Security events' });
  await events.getByRole('button', { name: /^Show all/ }).click();
  await expect(events).toContainText(
    /Terminal opened: web\.1 of beacon on lantern: \d+ (s|min), \d+ k?B typed, 5\.\d MB shown/,
  );
  await expect(events).toContainText(/Terminal opened: a new container of beacon on lantern: /);
  await expect(events).toContainText(/Terminal opened: \w+ on lantern: \d+ (s|min)/);
  await expect(events).toContainText('Terminals on a server itself no longer allowed: lantern');
  await expect(events).not.toContainText('fold');
}
