import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeKey } from '@homeport/ssh/testing';
import type { Locator } from '@playwright/test';
import { createApp, pushApp } from './fixtures/app.ts';
import { expectAccessible } from './fixtures/axe.ts';
import { type LinkedHost, startHost } from './fixtures/host.ts';
import { newPerson, signUp } from './fixtures/person.ts';
import { expectFitsPhone } from './fixtures/phone.ts';
import { importKey, installServer } from './fixtures/server.ts';
import { test as base, expect } from './fixtures/test.ts';

/** The scheduled tasks of an app. SSH and git are real; the sandbox stands in for Dokku. */

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
const hostile = `echo '<img src=x onerror="document.title=1">' ${'word '.repeat(60)}`.trim();
const files = {
  Procfile: 'web: node web.js\n',
  'web.js':
    "require('node:http').createServer((_, answer) => answer.end('ok')).listen(process.env.PORT);console.log(1)",
  'app.json': JSON.stringify({
    cron: [
      { command: "sh -c 'echo counted $((6 * 7))'", schedule: '0 3 * * *' },
      { command: 'false', schedule: '*/5 * * * *', concurrency_policy: 'forbid' },
      { command: hostile, schedule: '@every 5m' },
    ],
  }),
};

test('scheduled tasks are listed with their next run, run now, suspended and resumed', async ({
  page,
  host,
}) => {
  const panel = page.getByRole('region', { name: 'Schedules' });
  const [key, pushKey] = [makeKey(), makeKey()];
  await host.authorize(key.publicKeyLine);
  await signUp(page, newPerson());
  await importKey(page, 'desk', key.privateKeyPem);
  await importKey(page, 'git', pushKey.privateKeyPem);
  await installServer(page, host, { name: 'lantern', credential: 'desk' });
  const remote = await createApp(page, 'ledger', { git: true, desk: false });

  await test.step('an app without tasks has one line', async () => {
    // Until the section's code is there, another element has its place.
    await expect(panel).not.toHaveAttribute('aria-busy');
    await panel.scrollIntoViewIfNeeded();
    await expect(panel).toContainText('None. A deploy brings the tasks under cron', done);
    const { height = 0 } = (await panel.boundingBox()) ?? {};
    expect(height).toBeLessThan(80);
  });
  await pushApp(remote, pushKey.privateKeyPem, files);
  await test.step('a deploy brings them, behind a line that says their state', async () => {
    await expect(panel).toContainText(/3 tasks, next in (?:less than a minute|\d min)/, done);
    await expect(panel).toContainText('1 with a warning');
    await expect(panel.getByRole('listitem')).toHaveCount(0);
    await panel.getByRole('button', { name: 'Show tasks' }).press('Enter');
    await expect(panel.getByRole('button', { name: 'Hide tasks' })).toBeFocused();
  });
  await test.step('each is listed with its rhythm and its next run', async () => {
    const counted = row(panel, 'counted');
    await expect(counted).toContainText('Every day at 03:00', done);
    await expect(counted).toContainText(/Next (?:\d\d:\d\d|tomorrow at \d\d:\d\d)/);
    await expect(row(panel, 'false')).toContainText('Every 5 minutes');
    await expect(row(panel, 'false')).toContainText('one at a time');
    await expect(panel.getByText('cron knows no @every.')).toBeVisible();
    await expect(panel.locator('img')).toHaveCount(0);
  });
  await test.step('one runs now, and its output is shown', async () => {
    await row(panel, 'counted')
      .getByRole('button', { name: /^Run .* now$/ })
      .click();
    const work = page.getByRole('dialog', { name: 'Run sh' });
    await expect(work.getByText(/^1 of 1 step.* Show log$/)).toBeVisible(done);
    await work.getByText(/Show log$/).click();
    await expect(work.getByText('counted 42')).toBeVisible();
    await close(work);
  });
  await test.step('one that fails says so', async () => {
    await row(panel, 'false').getByRole('button', { name: 'Run false now' }).click();
    const work = page.getByRole('dialog', { name: 'Run false' });
    await expect(work.getByText('The task failed.').first()).toBeVisible(done);
    await work.getByRole('button', { name: 'Close' }).last().click();
    await expect(work).toBeHidden();
  });
  await test.step('one is suspended and resumed by the keyboard', async () => {
    await row(panel, 'counted')
      .getByRole('button', { name: /^Suspend / })
      .press('Enter');
    await close(page.getByRole('dialog', { name: 'Suspend sh' }));
    await expect(row(panel, 'counted')).toContainText('Suspended', done);
    await expectAccessible(page, '#schedules');
    await row(panel, 'counted')
      .getByRole('button', { name: /^Resume / })
      .press('Enter');
    await close(page.getByRole('dialog', { name: 'Resume sh' }));
    await expect(row(panel, 'counted')).toContainText('Next', done);
  });
  await test.step('of a stopped app the page says that its tasks run on, also on a phone', async () => {
    const [longname = ''] = /ledger-\w{6}/.exec(remote) ?? [];
    await promisify(execFile)(join(host.sandbox.root, 'bin/dokku'), ['ps:stop', longname], {
      timeout: 60_000,
    });
    await page.getByRole('button', { name: 'Read ledger from its server again' }).click();
    const runOn = panel.getByText('The app is stopped, and its tasks run on.');
    await expect(panel.getByText('Suspend those that should not.')).toBeVisible(done);
    await expect(runOn).toBeVisible();
    await expectFitsPhone(page);
    await expectAccessible(page, '#schedules');
    await panel.getByRole('button', { name: 'Hide tasks' }).click();
    await expect(panel.getByText('Suspend those that should not.')).toBeHidden();
    await expect(runOn).toBeVisible();
    await expectFitsPhone(page);
    await expectAccessible(page, '#schedules');
  });
  await test.step('on a phone, work that is over takes no more of the screen than its result', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await panel.getByRole('button', { name: 'Show tasks' }).click();
    await row(panel, 'counted')
      .getByRole('button', { name: /^Suspend / })
      .click();
    const work = page.getByRole('dialog', { name: 'Suspend sh' });
    await expect(work.getByText(/Show log$/)).toBeVisible(done);
    await expect.poll(async () => (await work.boundingBox())?.height).toBeLessThan(500);
    await close(work);
  });
});

const row = (panel: Locator, text: string) => panel.getByRole('listitem').filter({ hasText: text });

/** Waits for the end of the work in its window, and closes it. */
async function close(work: Locator): Promise<void> {
  await expect(work.getByText(/^\d+ of \d+ steps?.*(?:Show|Hide) log$/)).toBeVisible(done);
  await work.getByRole('button', { name: 'Close' }).last().click();
  await expect(work).toBeHidden();
}
