import { makeKey } from '@homeport/ssh/testing';
import { createApp, pushApp } from './fixtures/app.ts';
import { type LinkedHost, startHost } from './fixtures/host.ts';
import { newPerson, signUp } from './fixtures/person.ts';
import { importKey, installServer } from './fixtures/server.ts';
import { test as base, expect } from './fixtures/test.ts';

/** What a view of an app's page costs its server. The sandbox counts the starts of Dokku. */

const test = base.extend<{ host: LinkedHost }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the first parameter's properties.
  host: async ({}, use) => {
    const host = await startHost({ pace: 0, counted: true });
    await use(host);
    await host.stop();
  },
  // The context is made after the host and so closes before it. Otherwise an open page would lose its server.
  context: async ({ host: _host, context }, use) => use(context),
});

/** Several of the page's looks at its server, which begin no Dokku. */
const watchedMs = 12_000;

test('a view of an app starts Dokku twice at most, and a panel that nobody looks at costs nothing', async ({
  page,
  host,
}) => {
  const [desk, push] = [makeKey(), makeKey()];
  await host.authorize(desk.publicKeyLine);
  await signUp(page, newPerson());
  await importKey(page, 'desk', desk.privateKeyPem);
  await importKey(page, 'git', push.privateKeyPem);
  await installServer(page, host, { name: 'lantern', credential: 'desk' });
  const remote = await createApp(page, 'beacon', { git: true, desk: false });
  await page.waitForURL(/\/app\//);
  const address = page.url();
  await pushApp(remote, push.privateKeyPem, { 'index.html': 'ahoy', 'README.md': '# The beacon\n' });
  const starts = host.sandbox.starts;
  const since = (before: number) =>
    starts()
      .slice(before)
      .map(({ command }) => command);

  await page.goto('/apps');
  const view = starts().length;
  await page.goto(address);
  await expect(page.getByRole('heading', { level: 1 }).getByText('Running')).toBeVisible();
  await expect.poll(() => since(view)).toContain('homeport:state');
  await expect(page.getByText(/^Connected, (?:just now|\d+ s ago)$/)).toBeVisible();
  // Nothing that the page does could be awaited in place of this time: the page has to do nothing in it.
  await page.waitForTimeout(watchedMs);
  expect(since(view).length, since(view).join()).toBeLessThanOrEqual(2);
  expect(since(view)).not.toContain('cron:list');
  await expect(page.locator('#system')).toContainText('web.1');

  const panel = starts().length;
  await page.locator('#environment').scrollIntoViewIfNeeded();
  await expect.poll(() => since(panel)).toContain('config:export');
  expect(since(panel)).not.toContain('homeport:state');
  await page.locator('#schedules').scrollIntoViewIfNeeded();
  await expect(page.locator('#schedules')).toContainText('under cron of app.json');
  expect(since(panel).filter((command) => command === 'cron:list')).toHaveLength(1);

  const again = starts().length;
  await page.getByRole('button', { name: 'Read beacon from its server again' }).click();
  await expect.poll(() => since(again).filter((command) => command === 'homeport:state')).toHaveLength(1);
});
