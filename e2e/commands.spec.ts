import { makeKey } from '@homeport/ssh/testing';
import type { Locator, Page } from '@playwright/test';
import { createApp, pushApp } from './fixtures/app.ts';
import { expectAccessible } from './fixtures/axe.ts';
import { type LinkedHost, startHost } from './fixtures/host.ts';
import { newPerson, signUp } from './fixtures/person.ts';
import { expectFitsPhone } from './fixtures/phone.ts';
import { importKey, installServer } from './fixtures/server.ts';
import { test as base, expect } from './fixtures/test.ts';

/** One-off commands of an app. SSH and git are real; the sandbox stands in for Dokku. */

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

const done = { timeout: 90_000 };

test('a command runs once its server allows commands, fails by its exit code, and goes on in the background until it is stopped', async ({
  page,
  host,
  failures,
}) => {
  failures.mayCome(/status of 503/);
  failures.mayCome(/Loading failed/);
  const panel = page.getByRole('region', { name: 'Commands' });
  await test.step('an app that runs', () => deployApp(page, host, panel));
  await test.step('commands are allowed on the server’s page', () => allowCommands(page, panel));
  await test.step('words that Dokku takes for itself are refused', () => refuseWords(page, panel));
  await test.step('the output and the exit code stand in the window', () => runCommand(page, panel));
  await test.step('a command in the background is listed, read and stopped', () => inBackground(page, panel));
  await test.step('of many commands ten are listed first, and a failed read can be tried again', () =>
    listMany(page, panel));
  await test.step('the security events list the commands without their words', () => readEvents(page));
});

async function deployApp(page: Page, host: LinkedHost, panel: Locator): Promise<void> {
  const [key, pushKey] = [makeKey(), makeKey()];
  await host.authorize(key.publicKeyLine);
  await signUp(page, newPerson());
  await importKey(page, 'desk', key.privateKeyPem);
  await importKey(page, 'git', pushKey.privateKeyPem);
  await installServer(page, host, { name: 'lantern', credential: 'desk' });
  const remote = await createApp(page, 'beacon', { git: true, desk: false });
  await expect(panel).toContainText('which its first deploy makes');
  await pushApp(remote, pushKey.privateKeyPem);
  await expect(panel).toContainText('Not allowed on lantern.', done);
  await expect(panel.getByRole('button', { name: 'Run a command' })).toBeHidden();
}

async function allowCommands(page: Page, panel: Locator): Promise<void> {
  await panel.getByRole('link', { name: 'Server settings' }).click();
  const settings = page.getByRole('region', { name: 'Settings' });
  await settings.getByRole('button', { name: 'Allow commands in apps' }).click();
  const dialog = page.getByRole('dialog', { name: 'Allow commands in the apps of lantern?' });
  await expectAccessible(page, '[role=dialog]');
  await dialog.getByRole('button', { name: 'Allow commands' }).click();
  await expect(dialog).toBeHidden();
  await expect(settings.getByRole('button', { name: 'Forbid commands in apps' })).toBeVisible();
  await page.goBack();
}

async function refuseWords(page: Page, panel: Locator): Promise<void> {
  const dialog = await open(page, panel);
  const field = dialog.getByLabel('Command', { exact: true });
  await field.fill('ls --app other');
  await expect(dialog).toContainText('Dokku takes --app for itself.');
  await expect(dialog.getByRole('button', { name: 'Run', exact: true })).toBeDisabled();
  await field.fill('ls | wc');
  await expect(dialog).toContainText('No shell reads the words, so | stays as it is.');
  await field.fill(`sh -c 'echo "the lamp is $0"; exit 3' lit`);
  await expect(dialog.getByRole('list', { name: 'Words of the command' }).getByRole('listitem')).toHaveText([
    ...['sh', '-c', 'echo "the lamp is $0"; exit 3', 'lit'],
  ]);
  await expectAccessible(page, '[role=dialog]');
}

async function runCommand(page: Page, panel: Locator): Promise<void> {
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const work = page.getByRole('dialog', { name: 'Run sh' });
  await expect(work.getByRole('alert')).toContainText('The command ended with exit code 3.', done);
  await expect(work).toContainText('the lamp is lit');
  await work.getByRole('button', { name: 'Close' }).last().click();
  const dialog = await open(page, panel);
  await dialog.getByLabel('Command', { exact: true }).fill('echo ahoy');
  await dialog.getByRole('button', { name: 'Run', exact: true }).click();
  const good = page.getByRole('dialog', { name: 'Run echo' });
  await expect(good).toContainText('The command ended with exit code 0.', done);
  await expect(good).toContainText('ahoy');
  await good.getByRole('button', { name: 'Close' }).last().click();
}

async function inBackground(page: Page, panel: Locator): Promise<void> {
  const dialog = await open(page, panel);
  await dialog.getByLabel('Command', { exact: true }).fill("sh -c 'echo begun; exec sleep 600'");
  await dialog.getByRole('checkbox', { name: /^In the background/ }).check();
  await dialog.getByRole('button', { name: 'Run', exact: true }).click();
  const work = page.getByRole('dialog', { name: 'Run sh in the background' });
  await expect(work).toContainText('runs in the background', done);
  await work.getByRole('button', { name: 'Close' }).last().click();
  await panel.getByRole('button', { name: 'Show what runs' }).click();
  await expect(panel).toContainText('sleep 600', done);
  await panel.getByRole('button', { name: /^Output/ }).click();
  await expect(panel).toContainText('begun', done);
  await expectAccessible(page, '#commands');
  const desk = page.viewportSize();
  await expectFitsPhone(page);
  await expectAccessible(page, '#commands');
  if (desk) await page.setViewportSize(desk);
  await panel.getByRole('button', { name: /^Stop/ }).click();
  const stop = page.getByRole('dialog', { name: /^Stop beacon-/ });
  await expect(stop.getByText(/^\d+ of \d+ steps.* Show log$/)).toBeVisible(done);
  await stop.getByRole('button', { name: 'Close' }).last().click();
  await expect(panel).toContainText('No command runs.', done);
}

async function listMany(page: Page, panel: Locator): Promise<void> {
  const commands = Array.from({ length: 25 }, (_, at) => ({
    container: `beacon.run.${at + 1}`,
    state: at === 0 ? 'exited' : 'running',
    command: 'sleep 600',
    createdAt: null,
  }));
  const [list, output] = [/\/api\/apps\/[^/]+\/commands$/, /\/commands\/output/];
  await page.route(list, (route) =>
    route.request().method() === 'GET' ? route.fulfill({ json: { commands } }) : route.fallback(),
  );
  await page.route(output, (route) => route.fulfill({ status: 503 }));
  await panel.getByRole('button', { name: 'Hide what runs' }).click();
  await panel.getByRole('button', { name: 'Show what runs' }).click();
  await expect(panel.getByRole('listitem')).toHaveCount(10);
  await panel.getByRole('button', { name: 'Show all 25' }).click();
  await expect(panel.getByRole('listitem')).toHaveCount(25);
  await expect(panel.getByRole('button', { name: /^Output/ })).toHaveCount(25);
  await expect(panel.getByRole('button', { name: /^Stop/ }), 'one has ended').toHaveCount(24);
  await panel
    .getByRole('button', { name: /^Output/ })
    .first()
    .click();
  const alert = panel.getByRole('alert');
  await expect(alert).toContainText('The output could not be read');
  await page.unroute(output);
  await page.route(output, (route) => route.fulfill({ json: { lines: ['begun again'] } }));
  await alert.getByRole('button', { name: 'Try again' }).click();
  await expect(panel).toContainText('begun again');
  await page.unroute(output);
  await page.unroute(list);
}

async function readEvents(page: Page): Promise<void> {
  await page.goto('/profile');
  const events = page.getByRole('region', { name: 'Security events' });
  await expect(events).toContainText('Command run in an app: beacon on lantern: in the background');
  await expect(events).toContainText(/beacon on lantern: \d+ s, exit code 3/);
  await expect(events).toContainText('Commands and terminals in the apps of a server allowed: lantern');
  await expect(events).not.toContainText('sleep');
}

async function open(page: Page, panel: Locator): Promise<Locator> {
  await panel.getByRole('button', { name: 'Run a command' }).click();
  const dialog = page.getByRole('dialog', { name: 'Run a command in beacon' });
  await expect(dialog).toBeVisible();
  return dialog;
}
