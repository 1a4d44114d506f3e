import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { makeKey } from '@homeport/ssh/testing';
import type { Page } from '@playwright/test';
import { expectAccessible } from './fixtures/axe.ts';
import { type LinkedHost, startHost } from './fixtures/host.ts';
import { newPerson, signUp } from './fixtures/person.ts';
import { importKey, installServer } from './fixtures/server.ts';
import { test as base, expect } from './fixtures/test.ts';

/** A server with apps of its own: some of the person's, one of somebody else. */

const done = { timeout: 30_000 };

const test = base.extend<{ host: LinkedHost }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the first parameter's properties.
  host: async ({}, use) => {
    const host = await startHost({ pace: 0 });
    await use(host);
    await host.stop();
  },
  // The context is made after the host and so closes before it. Otherwise an open page would lose its server.
  context: async ({ host: _host, context }, use) => use(context),
});
test.use({ actionTimeout: 15_000 });

/** Runs dokku like a person who uses the server without the console. */
const dokkuOn =
  (host: LinkedHost) =>
  (...words: readonly string[]) =>
    promisify(execFile)('dokku', [...words], { env: host.sandbox.env, timeout: 30_000 });

async function linkWithApps(page: Page, host: LinkedHost): Promise<void> {
  const dokku = dokkuOn(host);
  await dokku('domains:set-global', 'harbour.test');
  for (const name of ['ledger', 'theirs']) await dokku('apps:create', name);
  await dokku('resource:limit', '--memory', '300', 'ledger');
  await dokku('acl:add', 'theirs', 'alice');
  const login = makeKey();
  await host.authorize(login.publicKeyLine);
  await signUp(page, newPerson());
  await importKey(page, 'desk', login.privateKeyPem);
  await installServer(page, host, { name: 'lighthouse', credential: 'desk' });
}

test('a person chooses which apps of a server to import, and sees whose they are and what they have', async ({
  page,
  host,
}) => {
  test.setTimeout(120_000);
  await linkWithApps(page, host);
  await page.getByRole('row').getByRole('link', { name: 'lighthouse' }).click();
  await page.getByRole('button', { name: 'Import apps' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import apps of lighthouse' });
  const ledger = dialog.getByRole('checkbox', {
    name: /^ledger Not deployed yet · No plan: 300 MB and no CPU limit/,
  });
  await expect(ledger).toBeVisible(done);
  await expect(
    dialog.getByRole('checkbox', { name: /^theirs .*No limits.* alice may push to it\.$/ }),
  ).toBeVisible(done);
  await expect(dialog.getByRole('checkbox', { checked: true })).toHaveCount(0);
  await expectAccessible(page);

  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(dialog.getByRole('alert')).toHaveText('Choose at least one app.');
  await ledger.check();
  await dialog.getByRole('button', { name: 'Import 1 app' }).click();
  await expect(page.getByText('1 Apps imported')).toBeVisible(done);
  // The window of the work is there again after a reload.
  await page.reload();
  const work = page.getByRole('dialog', { name: 'Import of ledger' });
  await expect(work.getByRole('listitem').filter({ hasText: 'Read the apps' })).toBeVisible(done);
  await work.getByRole('button', { name: 'Close' }).last().click();
  const rows = page.locator('#apps').getByRole('row');
  await expect(rows.filter({ hasText: 'ledger' })).toContainText('No plan', done);
  await expect(rows.filter({ hasText: 'theirs' })).toContainText('Not imported', done);
});
