import { execFileSync } from 'node:child_process';
import { makeKey } from '@homeport/ssh/testing';
import { createApp, pushApp } from './fixtures/app.ts';
import { expectAccessible } from './fixtures/axe.ts';
import { type LinkedHost, startHost } from './fixtures/host.ts';
import { newPerson, signUp } from './fixtures/person.ts';
import { importKey, installServer } from './fixtures/server.ts';
import { test as base, expect } from './fixtures/test.ts';

/** Which keys may push to an app. SSH and git are real; the sandbox stands in for Dokku and its acl plugin. */

const test = base.extend<{ host: LinkedHost }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the first parameter's properties.
  host: async ({}, use) => {
    const host = await startHost({ pace: 0, plugins: ['acl', 'letsencrypt'] });
    await use(host);
    await host.stop();
  },
  // The context is made after the host and so closes before it. Otherwise an open page would lose its server.
  context: async ({ host: _host, context }, use) => use(context),
});

const done = { timeout: 90_000 };

test('a person takes a key off an app’s list, and lets another one push', async ({ page, host }) => {
  const [login, git, tower] = [makeKey(), makeKey(), makeKey()];
  await host.authorize(login.publicKeyLine);
  await signUp(page, newPerson());
  await importKey(page, 'desk', login.privateKeyPem);
  await importKey(page, 'git', git.privateKeyPem);
  await importKey(page, 'tower', tower.privateKeyPem);
  await installServer(page, host, { name: 'lantern', credential: 'desk' });
  execFileSync('dokku', ['ssh-keys:add', 'alice'], {
    env: host.sandbox.env,
    input: `${makeKey().publicKeyLine}\n`,
  });
  const remote = await createApp(page, 'fleet', { git: true, desk: false, tower: false });
  const system = page.getByRole('region', { name: 'System Information' });
  const mayPush = system.locator('dt', { hasText: 'May push' }).locator('+ dd');
  await expect(mayPush).toHaveText('git', done);

  const edit = system.getByRole('button', { name: 'Edit who may push' });
  const dialog = page.getByRole('dialog', { name: 'Who may push to fleet' });
  const box = (name: string) => dialog.getByRole('checkbox', { name: new RegExp(`^${name} `) });
  const change = dialog.getByRole('button', { name: 'Change keys' });
  await edit.press('Enter');
  await expect(box('git')).toBeChecked(done);
  await expect(box('tower')).not.toBeChecked();
  await expect(box('tower')).toHaveAccessibleName(/The server gets it\. There it may run Dokku’s commands/);
  await expect(box('alice')).toHaveAccessibleName(/None of your keypairs here\.$/);
  await expect(change).toBeDisabled();

  await test.step('the last key does not come off', async () => {
    await box('git').press('Space');
    await expect(dialog.getByRole('alert')).toHaveText(/every key of the server may push/);
    await expect(change).toBeDisabled();
    await expectAccessible(page, '[role=dialog]');
  });
  await test.step('the dialog fits a phone', async () => {
    await box('tower').press('Space');
    await expect(dialog.getByRole('alert')).toBeHidden();
    const desktop = page.viewportSize();
    await page.setViewportSize({ width: 390, height: 844 });
    const overflow = () => dialog.evaluate((element) => element.scrollWidth - element.clientWidth);
    await expect.poll(overflow, 'as wide as the phone').toBeLessThanOrEqual(0);
    await expectAccessible(page, '[role=dialog]');
    if (desktop) await page.setViewportSize(desktop);
  });
  await change.press('Enter');
  const work = page.getByRole('dialog', { name: 'Change of who may push' });
  await expect(work.getByText(/^\d+ of \d+ steps.* Show log$/)).toBeVisible(done);
  await work.getByRole('button', { name: 'Close' }).last().click();
  await expect(mayPush).toHaveText(/^tower, read /, done);

  await test.step('the server does as the page says', async () => {
    await expect(pushApp(remote, git.privateKeyPem)).rejects.toThrow(/does not have permissions/);
    await pushApp(remote, tower.privateKeyPem);
  });
  await test.step('the list is read again, and Escape gives the focus back', async () => {
    await edit.click();
    await expect(box('tower')).toBeChecked(done);
    await expect(box('git')).not.toBeChecked();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(edit).toBeFocused();
  });
});
