import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeKey } from '@homeport/ssh/testing';
import { createApp, pushApp } from './fixtures/app.ts';
import { expectAccessible } from './fixtures/axe.ts';
import { type LinkedHost, startHost } from './fixtures/host.ts';
import { newPerson, signUp } from './fixtures/person.ts';
import { importKey, installServer } from './fixtures/server.ts';
import { test as base, expect } from './fixtures/test.ts';

/** How nginx serves an app. SSH and git are real; the sandbox stands in for Dokku. */

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
test.use({ actionTimeout: 15_000 });

const done = { timeout: 90_000 };
const files = { 'index.html': 'ahoy' };

test('the largest upload, the wait for an answer and HSTS are changed, and put back where nginx refuses', async ({
  page,
  host,
}) => {
  const [key, pushKey] = [makeKey(), makeKey()];
  await host.authorize(key.publicKeyLine);
  await signUp(page, newPerson());
  await importKey(page, 'desk', key.privateKeyPem);
  await importKey(page, 'git', pushKey.privateKeyPem);
  await installServer(page, host, { name: 'lantern', credential: 'desk' });
  const remote = await createApp(page, 'ledger', { git: true, desk: false });
  const push = (changed: Record<string, string>) =>
    pushApp(remote, pushKey.privateKeyPem, { ...files, ...changed });
  await push({});
  const [longname = ''] = /ledger-\w{6}/.exec(remote) ?? [];
  const dokku = (...words: string[]) =>
    promisify(execFile)(join(host.sandbox.root, 'bin/dokku'), words, { timeout: 60_000 });

  const row = page
    .getByRole('region', { name: 'Manage App' })
    .getByRole('listitem')
    .filter({ hasText: 'Site' });
  const open = row.getByRole('button', { name: 'Change site' });
  const dialog = page.getByRole('dialog', { name: 'Site of ledger' });
  const upload = dialog.getByRole('textbox', { name: 'Largest upload' });
  const answer = dialog.getByRole('textbox', { name: 'Wait for an answer' });
  const submit = dialog.getByRole('button', { name: 'Change site' });
  const work = page.getByRole('dialog', { name: 'Change of the site' });

  await test.step('the line says what holds', async () => {
    await row.scrollIntoViewIfNeeded();
    await expect(row).toContainText('Uploads up to 1 MiB, answers within 60 s, no HSTS without HTTPS.', done);
  });

  await test.step('a wrong value is refused beside its field, by the keyboard', async () => {
    await open.press('Enter');
    await expect(dialog).toBeVisible();
    await upload.fill('50 MB');
    await expect(upload).toHaveAttribute('aria-invalid', 'true');
    await expect(dialog).toContainText('Enter a size such as 500k, 50m or 2g');
    await expect(submit).toBeDisabled();
    await upload.fill('50m');
    await answer.fill('5m');
    await expect(dialog).toContainText('Switching HSTS off makes no browser forget');
    await expect(dialog).toContainText('With subdomains that holds for every name below');
    await dialog.getByRole('combobox', { name: 'Subdomains' }).selectOption('false');
    await expect(dialog).not.toContainText('With subdomains that holds');
    await expectAccessible(page, '[role=dialog]');
    const desktop = page.viewportSize();
    await page.setViewportSize({ width: 390, height: 844 });
    const overflow = () => dialog.evaluate((element) => element.scrollWidth - element.clientWidth);
    await expect.poll(overflow, 'as wide as the phone').toBeLessThanOrEqual(0);
    if (desktop) await page.setViewportSize(desktop);
  });

  const finish = async () => {
    await expect(work.getByText(/^\d+ of \d+ steps.* Show log$/)).toBeVisible(done);
    await work.getByRole('button', { name: 'Close' }).last().click();
    await expect(work).toBeHidden();
  };

  await test.step('the values are set, and the line says them', async () => {
    await upload.press('Enter');
    await finish();
    await expect(row).toContainText('Uploads up to 50 MiB, answers within 5 min', done);
    await expectAccessible(page, '#manage-app');
  });

  await test.step('what somebody set on the server is built without a change', async () => {
    const builds = () => readFile(join(host.sandbox.root, 'apps', `${longname}.json`), 'utf8');
    await dokku('nginx:set', longname, 'send-timeout', '5s');
    await open.click();
    await dialog.getByRole('button', { name: 'Build again' }).click();
    await finish();
    expect(JSON.parse(await builds()).nginxBuilt).toMatchObject({ 'send-timeout': '5s' });
  });

  await test.step('what nginx refuses is put back, and its window says why', async () => {
    await dokku('apps:create', 'neighbour');
    await dokku('nginx:set', 'neighbour', 'client-max-body-size', 'lots');
    await expect(dokku('proxy:build-config', 'neighbour')).rejects.toThrow();
    await open.click();
    await expect(upload).toHaveValue('50m');
    await upload.fill('2g');
    await submit.click();
    await expect(work).toContainText('"client_max_body_size" directive invalid value', done);
    await expect(work).toContainText(
      'What stood there before holds again. The cause is another app, neighbour.',
    );
    await work.getByRole('button', { name: 'Close' }).last().click();
    await expect(row).toContainText('Uploads up to 50 MiB', done);
    await dokku('nginx:set', 'neighbour', 'client-max-body-size');
    await dokku('proxy:build-config', 'neighbour');
  });

  await test.step('an app with its own template says that most of it does nothing', async () => {
    await push({ 'nginx.conf.sigil': 'server {}\n' });
    await expect(row).toContainText('The app has its own nginx.conf.sigil', done);
    await open.click();
    await expect(dialog).toContainText('A value here does something only where that file uses it.');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toBeHidden();
  });

  expect((await dokku('nginx:report', longname)).stdout).toMatch(/Nginx hsts include subdomains: +false/);
});
