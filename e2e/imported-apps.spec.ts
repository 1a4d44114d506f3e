import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeKey } from '@homeport/ssh/testing';
import type { Page } from '@playwright/test';
import { readWhileItGoes } from './fixtures/app.ts';
import { expectAccessible } from './fixtures/axe.ts';
import { type LinkedHost, startHost } from './fixtures/host.ts';
import { openSteps } from './fixtures/operation.ts';
import { newPerson, signUp } from './fixtures/person.ts';
import { importKey, installServer } from './fixtures/server.ts';
import { test as base, expect } from './fixtures/test.ts';

/** A server with apps of its own: some of the person's, one of somebody else. */

const done = { timeout: 90_000 };

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
  execFileSync('dokku', ['ssh-keys:add', 'alice'], {
    env: host.sandbox.env,
    input: `${makeKey().publicKeyLine}\n`,
  });
  for (const name of ['ledger', 'theirs']) await dokku('ports:set', name, 'http:5000:5000');
  await dokku('storage:create', 'ledger-data');
  await dokku('storage:mount', 'ledger', 'ledger-data', '--container-dir', '/data');
  const login = makeKey();
  await host.authorize(login.publicKeyLine);
  await signUp(page, newPerson());
  await importKey(page, 'desk', login.privateKeyPem);
  await installServer(page, host, { name: 'lighthouse', credential: 'desk' });
}

test('a person chooses which apps of a server to import, puts one on port 80 and destroys it with its storage', async ({
  page,
  host,
  failures,
}) => {
  failures.mayCome(readWhileItGoes);
  await linkWithApps(page, host);
  await page.getByRole('row').getByRole('link', { name: 'lighthouse' }).click();
  await test.step('the global domain', () => answerAboutGlobalDomain(page, host));
  await test.step('the import', () => importLedger(page));
  await page.locator('#apps').getByRole('link', { name: 'ledger' }).click();
  await test.step('the move to port 80', () => serveOnPort80(page, host));
  await test.step('the destruction', () => destroyWithStorage(page));
  expect(existsSync(join(host.sandbox.root, 'lib/data/storage/ledger-data'))).toBe(false);
});

async function answerAboutGlobalDomain(page: Page, host: LinkedHost): Promise<void> {
  const question = page.getByText('This server has the global domain harbour.test.');
  await expect(question).toBeVisible(done);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Keep harbour.test' }).press('Enter');
  await expect(question).toBeHidden(done);
  await expect(page.getByRole('heading', { level: 1, name: 'lighthouse' })).toBeFocused();
  const row = page.locator('#settings').getByRole('listitem').filter({ hasText: 'Global domain' });
  await expect(row).toContainText('harbour.test, as you chose.');
  await row.getByRole('button', { name: 'Replace the global domain' }).click();
  await expect(page.getByText(/^New apps on lighthouse get a domain under \w+\.localhost\.$/)).toBeVisible(
    done,
  );
  await closeWork(page);
  await expect(row).toBeHidden();
  const { stdout } = await dokkuOn(host)('domains:report', '--global', '--domains-global-vhosts');
  expect(stdout).toMatch(/^\w+\.localhost\s*$/);
}

async function importLedger(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Import apps' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import apps of lighthouse' });
  const ledger = dialog.getByRole('checkbox', {
    name: /^ledger Not deployed yet · No plan: 300 MB and no CPU limit/,
  });
  await expect(ledger).toBeVisible(done);
  await expect(
    dialog.getByRole('checkbox', { name: /^theirs .*No limits.* alice may push to it\.$/ }),
  ).toBeVisible(done);
  await expect(dialog.getByText('A key that is not yours may push to this server: alice.')).toBeVisible();
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
  await openSteps(work);
  await expect(work.getByRole('listitem').filter({ hasText: 'Read the apps' })).toBeVisible();
  await closeWork(page);
  const rows = page.locator('#apps').getByRole('row');
  await expect(rows.filter({ hasText: 'ledger' })).toContainText('No plan', done);
  await expect(rows.filter({ hasText: 'theirs' })).toContainText('Not imported', done);
}

async function serveOnPort80(page: Page, host: LinkedHost): Promise<void> {
  const manage = page.locator('#manage-app');
  await expect(manage.getByText('The server answers on http:5000:5000')).toBeVisible(done);
  await manage.getByRole('button', { name: 'Serve on port 80' }).click();
  const dialog = page.getByRole('dialog', { name: 'Serve ledger on port 80' });
  const warning = dialog.getByText('The app theirs is the first on port 5000');
  await expect(warning).toBeVisible(done);
  await expectAccessible(page);
  await dialog.getByRole('checkbox', { name: 'Keep port 5000 too' }).check();
  await expect(warning).toBeHidden();
  await dialog.getByRole('checkbox', { name: 'Keep port 5000 too' }).uncheck();
  await dialog.getByRole('button', { name: 'Serve on port 80' }).click();
  await expect(page.getByText('App Updated Successfully')).toBeVisible(done);
  await closeWork(page);
  const { stdout: set } = await dokkuOn(host)('ports:report', 'ledger', '--ports-map');
  expect(set.trim()).toBe('http:80:5000');
  // The sandbox's front stands for port 80, so the plugin's answer names the front's port.
  const { frontPort } = host.sandbox;
  await expect(manage.getByText(`The server answers on http:${frontPort}:5000:`)).toBeVisible(done);
}

async function destroyWithStorage(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Destroy app' }).click();
  const question = page.getByRole('alertdialog', { name: 'Destroy ledger?' });
  const word = question.getByRole('textbox');
  await expect(word).toHaveAccessibleName('Type destroy to confirm');
  await question.getByRole('checkbox', { name: /^Also delete .*ledger-data, / }).check();
  await expectAccessible(page);
  await word.fill('destroy');
  const act = question.getByRole('button', { name: 'Destroy app and storage' });
  await expect(act).toBeDisabled();
  const name = await question.getByText(/^Type destroy and delete/).textContent();
  await word.fill(/^Type (.*) to confirm$/.exec(name ?? '')?.[1] ?? '');
  await act.click();
  await expect(page.getByRole('dialog', { name: 'ledger is destroyed' })).toBeVisible(done);
}

/** Closes the window of the operation that has just ended. */
async function closeWork(page: Page): Promise<void> {
  const work = page.getByRole('dialog');
  await work.getByRole('button', { name: 'Close' }).last().click();
  await expect(work).toBeHidden();
}
