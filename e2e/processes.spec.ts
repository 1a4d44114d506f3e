import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeKey } from '@homeport/ssh/testing';
import type { Locator, Page } from '@playwright/test';
import { createApp, pushApp } from './fixtures/app.ts';
import { expectAccessible } from './fixtures/axe.ts';
import { type LinkedHost, startHost } from './fixtures/host.ts';
import { newPerson, signUp } from './fixtures/person.ts';
import { expectFitsPhone } from './fixtures/phone.ts';
import { importKey, installServer } from './fixtures/server.ts';
import { test as base, expect } from './fixtures/test.ts';

/** The types of process of an app. SSH and git are real; the sandbox stands in for Dokku. */

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

const files = {
  Procfile: 'web: node web.js\nworker: node worker.js\n',
  'web.js':
    "require('node:http').createServer((_, answer) => answer.end('ok')).listen(process.env.PORT);console.log(1)",
  'worker.js': 'console.log(1);setInterval(() => {}, 1000);',
  'app.json': JSON.stringify({
    healthchecks: {
      worker: [
        { type: 'startup', name: 'stays', uptime: 5 },
        { type: 'liveness', command: ['true'] },
      ],
    },
  }),
};

const done = { timeout: 90_000 };

type Fleet = {
  page: Page;
  panel: Locator;
  push: (changed: Record<string, string>) => Promise<unknown>;
  dokku: (command: string, ...words: string[]) => Promise<unknown>;
};

test('processes are scaled by steps and by number, restarted, and told apart after a half-failed deploy', async ({
  page,
  host,
}) => {
  test.setTimeout(300_000);
  const panel = page.getByRole('region', { name: 'Processes' });
  const fleet = await test.step('an app with two types of process', () => deployFleet(page, host, panel));
  await test.step('a step more says what it costs, and scales', () => scaleBySteps(fleet));
  await test.step('a number is typed with the keyboard, and a wrong one is refused', () =>
    scaleByKeys(fleet));
  await test.step('one type restarts', () => restartWorker(fleet));
  await test.step('what a deploy checks is changed', () => changeChecks(fleet));
  await test.step('a deploy that fails half-way says which version of which type serves', () =>
    failHalfWay(fleet));
  await test.step('the app goes back to an earlier commit', () => goBack(fleet));
  await test.step('the app goes back to a version that the server keeps, and one is deleted', () =>
    goBackToKept(fleet));
  await test.step('a new variable says that it arrives with the next deploy', () => addVariable(fleet));
  await test.step('of a stopped app the number is only kept', () => scaleStopped(fleet));
});

async function deployFleet(page: Page, host: LinkedHost, panel: Locator): Promise<Fleet> {
  const key = makeKey();
  const pushKey = makeKey();
  await host.authorize(key.publicKeyLine);
  await signUp(page, newPerson());
  await importKey(page, 'desk', key.privateKeyPem);
  await importKey(page, 'git', pushKey.privateKeyPem);
  await installServer(page, host, { name: 'lantern', credential: 'desk' });
  const remote = await createApp(page, 'fleet', { git: true, desk: false });
  await expect(panel).toContainText('The Procfile of the first deploy names them');
  const push = (changed: Record<string, string>) =>
    pushApp(remote, pushKey.privateKeyPem, { ...files, ...changed });
  await push({});
  await expect(row(panel, 'web')).toContainText('web.1', done);
  await expect(row(panel, 'web')).toContainText('node web.js');
  await expect(row(panel, 'worker')).toContainText('none wanted');
  const [longname = ''] = /fleet-\w{6}/.exec(remote) ?? [];
  const dokku = (command: string, ...words: string[]) =>
    promisify(execFile)(join(host.sandbox.root, 'bin/dokku'), [command, ...words, longname], {
      timeout: 60_000,
    });
  return { page, panel, push, dokku };
}

const row = (panel: Locator, type: string) =>
  panel.getByRole('listitem').filter({ has: panel.page().getByText(type, { exact: true }) });

/** Waits for the end of the work in its window, and closes it. */
async function finish(page: Page, title: string): Promise<void> {
  const work = page.getByRole('dialog', { name: title });
  await expect(work.getByText(/^\d+ of \d+ steps.* Show log$/)).toBeVisible(done);
  await work.getByRole('button', { name: 'Close' }).last().click();
  await expect(work).toBeHidden();
}

async function scaleBySteps({ page, panel }: Fleet): Promise<void> {
  await panel.getByRole('button', { name: 'One worker more' }).click();
  await expect(panel.getByRole('status')).toContainText('worker from 0 to 1.');
  await expect(panel.getByRole('status')).toContainText(
    'One process starts anew, one after the other: about 10 s.',
  );
  await expect(panel.getByRole('status')).toContainText('The postdeploy task of app.json runs again.');
  await expectAccessible(page, '#processes');
  await panel.getByRole('button', { name: 'Scale', exact: true }).click();
  await finish(page, 'Scale worker to 1');
  await expect(row(panel, 'worker')).toContainText('worker.1', done);
}

async function scaleByKeys({ page, panel }: Fleet): Promise<void> {
  const field = panel.getByRole('textbox', { name: 'Number of web processes' });
  await field.focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('99');
  await expect(panel.getByRole('alert')).toHaveText('Enter a whole number from 0 to 20.');
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('0');
  await expect(panel.getByRole('status')).toContainText('visitors get an error (502)');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('2');
  // One more, Restart and then the buttons of the bar.
  for (const name of ['One web more', 'Restart web']) {
    await page.keyboard.press('Tab');
    await expect(panel.getByRole('button', { name })).toBeFocused();
  }
  await panel.getByRole('button', { name: 'Scale', exact: true }).press('Enter');
  await finish(page, 'Scale web to 2');
  await expect(row(panel, 'web')).toContainText('web.2', done);
}

async function restartWorker({ page, panel }: Fleet): Promise<void> {
  await panel.getByRole('button', { name: 'Restart worker' }).click();
  await finish(page, 'Restart worker');
}

async function changeChecks({ page, panel }: Fleet): Promise<void> {
  const open = panel.getByRole('button', { name: 'Checks', exact: true });
  const dialog = page.getByRole('dialog', { name: 'Checks of fleet' });
  const worker = dialog.getByRole('combobox', { name: 'worker' });
  const retire = dialog.getByRole('textbox', { name: 'Old containers have at most' });
  await open.press('Enter');
  await expect(worker).toHaveValue('checked', done);
  const own = dialog.getByRole('list', { name: 'Checks of worker in app.json' }).getByRole('listitem');
  await expect(own).toHaveText([
    'stays: The container has to stay up for 5 s, without a restart.',
    /^Not run: a deploy runs the type startup alone\. Runs “true” in the container/,
  ]);
  await expect(dialog).toContainText('app.json has no check for it');
  await worker.selectOption('skipped');
  await expect(own).toHaveCount(0);
  await expect(dialog).toContainText('A version that crashes goes live.');
  await retire.fill('3601');
  await expect(retire).toHaveAttribute('aria-invalid', 'true');
  await expect(dialog.getByRole('button', { name: 'Change checks' })).toBeDisabled();
  await retire.fill('30');
  await expectAccessible(page, '[role=dialog]');
  const desktop = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  const overflow = () => dialog.evaluate((element) => element.scrollWidth - element.clientWidth);
  await expect.poll(overflow, 'as wide as the phone').toBeLessThanOrEqual(0);
  if (desktop) await page.setViewportSize(desktop);
  await dialog.getByRole('button', { name: 'Change checks' }).click();
  await finish(page, 'Change of checks');
  await open.click();
  await expect(worker).toHaveValue('skipped', done);
  await expect(retire).toHaveValue('30');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
}

async function failHalfWay({ page, panel, push, dokku }: Fleet): Promise<void> {
  // Docker refuses more processors than the server has, of the worker alone.
  await dokku('resource:limit', '--process-type', 'worker', '--cpu', '9999');
  await expect(push({ 'more.js': '' })).rejects.toThrow();
  await dokku('resource:limit-clear', '--process-type', 'worker');
  await expect(
    panel.getByText(/^The last deploy failed half-way: web runs \w{7} “Light the lamp”/),
  ).toBeVisible(done);
  await expect(panel.getByText(/worker still runs/)).toBeVisible();
  await expectAccessible(page, '#processes');
  await push({});
  await expect(panel.getByText(/failed half-way/)).toBeHidden(done);
}

async function goBack({ page }: Fleet): Promise<void> {
  const history = page.locator('#deploys');
  await expect(history.getByRole('listitem').first()).toContainText('Succeeded', done);
  // The first of three deploys: one failed, and one runs.
  const open = history.getByRole('button', { name: /^Go back… to \w{7}$/ });
  await expect(open).toHaveCount(1, done);
  const short = shortOf(await open.textContent());
  await open.press('Enter');
  const dialog = page.getByRole('dialog', { name: `Go back to ${short}?` });
  await expect(dialog).toContainText('The present version serves meanwhile.');
  await expect(dialog.getByRole('radio', { name: /^Start the kept image/ })).toBeChecked();
  await expectAccessible(page, '[role=dialog]');
  await dialog.getByRole('radio', { name: /^Build the commit anew/ }).check();
  await expect(dialog.getByRole('definition')).toHaveCount(2);
  await expect(dialog.getByRole('definition').last()).toContainText(`${short} Light the lamp`);
  await expect(dialog).toContainText('database migrations');
  await expectAccessible(page, '[role=dialog]');
  const desktop = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  const overflow = () => dialog.evaluate((element) => element.scrollWidth - element.clientWidth);
  await expect.poll(overflow, 'as wide as the phone').toBeLessThanOrEqual(0);
  await page.keyboard.press('Escape');
  await expect(open).toBeFocused();
  await expectFitsPhone(page);
  await expectAccessible(page, '#deploys');
  if (desktop) await page.setViewportSize(desktop);
  await open.press('Enter');
  await dialog.getByRole('radio', { name: /^Build the commit anew/ }).check();
  await dialog.getByRole('button', { name: `Build ${short}` }).click();
  await finish(page, `Go back to ${short}`);
  await expect(history.getByRole('listitem').first()).toContainText(short, done);
}

const shortOf = (text: string | null) => text?.slice(-7) ?? '';

async function goBackToKept({ page }: Fleet): Promise<void> {
  const history = page.locator('#deploys');
  const kept = history.getByRole('group').filter({ hasText: /^Kept on the server: 2 versions/ });
  await kept.locator('summary').press('Enter');
  await expect(kept.getByRole('listitem')).toHaveCount(2);
  await expect(kept.getByRole('listitem').filter({ hasText: 'Serves' })).toHaveCount(1);
  await expect(kept).toContainText('with shared layers');
  await expectAccessible(page, '#deploys');
  const desktop = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  await expectFitsPhone(page);
  if (desktop) await page.setViewportSize(desktop);
  const open = kept.getByRole('button', { name: /^Go back… to \w{7}$/ });
  const short = shortOf(await open.textContent());
  await open.press('Enter');
  const dialog = page.getByRole('dialog', { name: `Go back to ${short}?` });
  await expect(dialog).toContainText('database migrations');
  await page.keyboard.press('Escape');
  await expect(open).toBeFocused();
  await open.press('Enter');
  await dialog.getByRole('button', { name: `Start ${short}` }).click();
  await finish(page, 'Go back to a kept version');
  await expect(history.getByRole('listitem').first()).toContainText(short, done);
  await expect(history.getByRole('listitem').first()).toContainText('went back');
  const serving = kept.getByRole('listitem').filter({ hasText: 'Serves' });
  await expect(serving).toContainText(short, done);
  await deleteKept(page, kept, short);
}

async function deleteKept(page: Page, kept: Locator, serving: string): Promise<void> {
  const other = kept.getByRole('listitem').filter({ hasNotText: serving });
  await other.getByRole('button', { name: /^Delete… the kept image/ }).press('Enter');
  const dialog = page.getByRole('alertdialog', { name: /^Delete the kept image of \w{7}\?$/ });
  await expect(dialog).toContainText('The image holds the values that the app’s variables had');
  await expect(dialog.getByRole('button', { name: 'Delete image' })).toBeDisabled();
  await expectAccessible(page, '[role=alertdialog]');
  await dialog.getByRole('textbox').fill('delete');
  await dialog.getByRole('button', { name: 'Delete image' }).click();
  await finish(page, 'Delete a kept version');
  await expect(page.locator('#deploys')).toContainText('Kept on the server: 1 version', done);
}

async function addVariable({ page }: Fleet): Promise<void> {
  const environment = page.getByRole('region', { name: 'Environment Variables' });
  await environment.scrollIntoViewIfNeeded();
  await environment.getByRole('button', { name: 'Add variable' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add variable' });
  await dialog.getByLabel('Name').fill('CREW');
  await dialog.getByLabel('Value').fill('3');
  await dialog.getByRole('button', { name: 'Add variable' }).click();
  await expect(environment.getByText('New ones arrive with the next deploy or Rebuild.')).toBeVisible();
  await environment.getByRole('button', { name: 'Discard' }).click();
}

async function scaleStopped({ page, panel }: Fleet): Promise<void> {
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await finish(page, 'Stop');
  await expect(row(panel, 'web')).toContainText('stopped', done);
  await panel.getByRole('button', { name: 'One web less' }).click();
  await expect(panel.getByRole('status')).toContainText('The app is stopped: nothing starts now.');
  await expectFitsPhone(page);
  await expectAccessible(page, '#processes');
  await panel.getByRole('button', { name: 'Keep for the next start' }).click();
  await finish(page, 'Scale web to 1');
  await expect(panel.getByRole('textbox', { name: 'Number of web processes' })).toHaveValue('1', done);
}
