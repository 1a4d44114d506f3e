import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Database } from '@homeport/contract/databases/schema';
import type { PluginName } from '@homeport/sandbox';
import { makeKey } from '@homeport/ssh/testing';
import type { Page } from '@playwright/test';
import { createApp } from './fixtures/app.ts';
import { expectAccessible } from './fixtures/axe.ts';
import { askedWhileItGoes, createDatabase } from './fixtures/database.ts';
import { type LinkedHost, startHost } from './fixtures/host.ts';
import { newPerson, signUp } from './fixtures/person.ts';
import { expectFitsPhone } from './fixtures/phone.ts';
import { importKey, installServer } from './fixtures/server.ts';
import { test as base, expect } from './fixtures/test.ts';

/** A database from its creation to its deletion, on a server with a Dokku of the sandbox. */

type Options = {
  /** The plugins of the server from the start. */
  plugins: readonly PluginName[];
};

const test = base.extend<Options & { host: LinkedHost }>({
  plugins: [['acl', 'letsencrypt'], { option: true }],
  host: async ({ plugins }, use) => {
    const host = await startHost({ pace: 0, plugins });
    await use(host);
    await host.stop();
  },
  // The context is made after the host and so closes before it. Otherwise an open page would lose its server.
  context: async ({ host: _host, context }, use) => use(context),
});

const done = { timeout: 90_000 };

async function linkServer(page: Page, host: LinkedHost): Promise<void> {
  const login = makeKey();
  await host.authorize(login.publicKeyLine);
  await signUp(page, newPerson());
  await importKey(page, 'desk', login.privateKeyPem);
  await installServer(page, host, { name: 'lighthouse', credential: 'desk' });
}

const listed = async (page: Page): Promise<Database[]> => (await page.request.get('/api/databases')).json();

/** Waits for the end of the shown work with its message, and closes its window. */
async function finish(page: Page, toast: string | null): Promise<void> {
  const window = page.getByRole('dialog').last();
  await expect(window.getByText('Done', { exact: true }).last()).toBeVisible(done);
  if (toast !== null) await expect(page.getByRole('status').getByText(toast).first()).toBeVisible(done);
  await window.getByRole('button', { name: 'Close' }).last().click();
  await expect(window).toBeHidden();
}

test('a person creates a database, links it, reads its connection string, exposes, stops, starts and deletes it', async ({
  page,
  host,
  failures,
}) => {
  await linkServer(page, host);
  await createApp(page, 'Signal', {});
  await test.step('the creation, with the plugin that the server lacks', () => create(page));
  const [database] = await listed(page);
  if (!database) throw new Error('The database was created and is not listed.');
  failures.mayCome(askedWhileItGoes(database));
  await test.step('a link to one of its sections', () => openAtSection(page));
  await test.step('the link', () => link(page, database));
  await test.step('a second database of the same app, and its promotion', () => linkSecond(page));
  await test.step('the large chart', () => openChart(page, database));
  await test.step('the connection string', () => reveal(page, database));
  await test.step('the exposure', () => expose(page));
  await test.step('the pause', () => stopAndStart(page));
  await test.step('the deletion', () => deleteLinked(page));
  expect((await listed(page)).map(({ name }) => name)).toEqual(['Archive']);
});

async function create(page: Page): Promise<void> {
  await createDatabase(page, { name: 'Ledger', type: 'PostgreSQL' });
  await expect(page).toHaveURL(/\/databases\/ledger-\w{6}\?id=[0-9a-f-]+$/);
  await expect(page.getByRole('heading', { level: 1 }).getByText('Online', { exact: true })).toBeVisible(
    done,
  );
}

/** Another document, so that the browser looks for the section before the page has its data. */
async function openAtSection(page: Page): Promise<void> {
  const address = page.url();
  await page.goto('about:blank');
  await page.goto(`${address}#backups`);
  const tab = page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Backups' });
  await expect(page.locator('#backups')).toBeInViewport();
  await expect(tab).toHaveAttribute('aria-current', 'location');
}

async function link(page: Page, { longname }: Database): Promise<void> {
  await page.getByRole('button', { name: 'Link an app' }).click();
  const dialog = page.getByRole('dialog', { name: 'Link Ledger to an app' });
  await expect(dialog.getByLabel('App on lighthouse')).toContainText('Signal');
  await dialog.getByRole('button', { name: 'Link', exact: true }).click();
  await finish(page, 'Database linked');
  const row = page.getByRole('region', { name: 'Linked apps' }).getByRole('row', { name: /Signal/ });
  await expect(row.getByText('DATABASE_URL')).toBeVisible(done);

  await row.getByRole('link', { name: 'Signal' }).click();
  const onApp = page.locator('#databases').getByRole('row', { name: /Ledger/ });
  await expect(onApp.getByText('DATABASE_URL')).toBeVisible();
  await page.locator('#environment').scrollIntoViewIfNeeded();
  const variable = page.locator('#environment').getByRole('row', { name: /DATABASE_URL/ });
  await variable.getByRole('button', { name: 'Show DATABASE_URL' }).click();
  await expect(variable.getByText(`@dokku-postgres-${longname}:5432/`)).toBeVisible();
}

/** Leads to the chart of the database, compares it with the other one, and comes back. */
async function openChart(page: Page, { longname, id }: Database): Promise<void> {
  await page.getByRole('link', { name: 'Resource Usage over any range' }).click();
  await expect(page).toHaveURL(`/databases/${longname}/chart/memory-share?id=${id}`);
  await page.reload();
  await expect(
    page.getByRole('heading', { level: 1, name: 'Memory, share of its limit, Ledger' }),
  ).toBeVisible();
  await page.getByLabel('Compare with').selectOption({ label: 'Archive on lighthouse' });
  await page.getByLabel('Measure').selectOption('Received');
  await expect(page).toHaveURL(/\/chart\/received\?last=24h&with=[0-9a-f-]+&id=/);
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Ledger' }).click();
  await expect(page.getByRole('heading', { level: 1 }).getByText('Ledger')).toBeVisible();
}

/** Begins on the app's page and ends on the page of the first database. */
async function linkSecond(page: Page): Promise<void> {
  const app = page.url();
  await createDatabase(page, { name: 'Archive', type: 'PostgreSQL' });
  await page.goto(app);
  const databases = page.locator('#databases');
  await databases.getByRole('button', { name: 'Link a database' }).click();
  const dialog = page.getByRole('dialog', { name: 'Link a database to Signal' });
  await expect(dialog.getByLabel('Database on lighthouse')).toContainText('Archive, PostgreSQL');
  await expect(dialog).toContainText('The app reads DATABASE_URL from Ledger already');
  await dialog.getByRole('button', { name: 'Link', exact: true }).click();
  await finish(page, 'Database linked');
  const archive = databases.getByRole('row', { name: /Archive/ });
  await expect(archive.getByText('DOKKU_POSTGRES_AQUA_URL')).toBeVisible(done);
  await archive.getByRole('button', { name: 'Promote Archive' }).click();
  await page
    .getByRole('alertdialog', { name: 'Promote Archive in Signal?' })
    .getByRole('button', { name: 'Promote' })
    .click();
  await finish(page, null);
  await expect(archive.getByText('DATABASE_URL', { exact: true })).toBeVisible(done);
  await archive.getByRole('button', { name: 'Unlink Archive' }).click();
  await page
    .getByRole('alertdialog', { name: 'Unlink Archive from Signal?' })
    .getByRole('button', { name: 'Unlink' })
    .click();
  await finish(page, null);
  await expect(archive).toBeHidden(done);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search apps and commands' }).fill('ledg');
  await page.getByRole('option', { name: /Ledger/ }).click();
  await expect(page).toHaveURL(/\/databases\/ledger-/);
}

async function reveal(page: Page, { longname }: Database): Promise<void> {
  const connect = page.locator('#overview');
  const string = new RegExp(`^postgres://postgres:[0-9a-f]+@dokku-postgres-${longname}:5432/`);
  const masked = new RegExp(`^postgres://postgres:•+@dokku-postgres-${longname}:5432/`);
  await expect(connect.getByText(string)).toBeHidden();
  await test.step('is copied whole while it is hidden', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await connect.getByRole('button', { name: 'Copy connection string from apps on lighthouse' }).click();
    await expect(connect.getByText('Copied', { exact: true })).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(string);
    await expect(connect.getByText(masked)).toBeVisible();
  });
  const show = connect.getByRole('button', { name: 'Show connection string from apps on lighthouse' });
  await show.click();
  await expect(connect.getByText(string)).toBeVisible();
  await connect.getByRole('button', { name: 'Hide connection string from apps on lighthouse' }).click();
  await expect(connect.getByText(masked)).toBeVisible();
  // What a secret leaves behind: neither an address nor a stored value names it.
  expect(page.url()).not.toContain('postgres://');
  expect(
    await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }])),
  ).not.toContain('postgres://');
}

async function expose(page: Page): Promise<void> {
  const overview = page.locator('#overview');
  await overview.getByText('From your machine, through SSH').click();
  await expect(overview.getByText(/^ssh -N -L 15432:\$\(ssh /)).toBeVisible();
  await overview.getByRole('button', { name: 'Expose' }).click();
  const dialog = page.getByRole('dialog', { name: 'Expose Ledger' });
  await expect(dialog.getByRole('radio', { name: /Programs on the server/ })).toBeChecked();
  const port = dialog.getByLabel('Port of lighthouse for 5432');
  await expect(port).toHaveValue(/^[23]\d{4}$/);
  const free = await port.inputValue();

  await test.step('a port out of bounds gets its message beside the field', async () => {
    await port.fill('80');
    await dialog.getByRole('button', { name: 'Expose', exact: true }).click();
    await expect(port).toHaveAccessibleDescription(/between 20000 and 32000/);
    await expect(port).toBeFocused();
    await port.fill(free);
  });

  await test.step('every address is asked about again', async () => {
    await dialog.getByText('Everybody', { exact: true }).click();
    await dialog.getByRole('button', { name: 'Expose', exact: true }).click();
    const again = page.getByRole('alertdialog', { name: 'Open Ledger to everybody?' });
    await expect(again).toContainText('past ufw');
    await expect(again).toContainText('The password of the connection string');
    await expect(again.getByRole('button', { name: 'Back' })).toBeFocused();
    await again.getByRole('button', { name: 'Back' }).click();
    await dialog.getByText('Programs on the server', { exact: true }).click();
  });

  await dialog.getByRole('button', { name: 'Expose', exact: true }).click();
  await finish(page, 'Database exposed');
  await expect(overview.getByText(`5432 → 127.0.0.1:${free}`)).toBeVisible(done);
  await overview.getByRole('button', { name: 'Show connection string from programs on lighthouse' }).click();
  await expect(overview.getByText(new RegExp(`^postgres://.*@127\\.0\\.0\\.1:${free}/`))).toBeVisible();

  await page.locator('#settings').getByRole('button', { name: 'Close the port' }).click();
  const close = page.getByRole('alertdialog', { name: 'Close the port of Ledger?' });
  await close.getByRole('button', { name: 'Close the port' }).click();
  await finish(page, null);
  await expect(overview.getByText('Not exposed', { exact: true })).toBeVisible(done);
}

async function stopAndStart(page: Page): Promise<void> {
  const title = page.getByRole('heading', { level: 1 });
  await page.getByRole('main').getByRole('button', { name: 'Stop', exact: true }).click();
  const question = page.getByRole('alertdialog', { name: 'Stop Ledger?' });
  await expect(question).toContainText('Signal');
  await question.getByRole('button', { name: 'Stop', exact: true }).click();
  await finish(page, null);
  await expect(title.getByText('Paused', { exact: true })).toBeVisible(done);
  await page.goto('/databases');
  await expect(page.getByRole('row', { name: /Ledger/ }).getByText('Paused', { exact: true })).toBeVisible();
  await page.goto('/home');
  await expect(page.getByRole('link', { name: /Ledger: Paused/ })).toBeVisible();
  await page.getByRole('link', { name: /Ledger: Paused/ }).click();
  await page.getByRole('main').getByRole('button', { name: 'Start', exact: true }).first().click();
  await finish(page, null);
  await expect(title.getByText('Online', { exact: true })).toBeVisible(done);
}

async function deleteLinked(page: Page): Promise<void> {
  await page.locator('#settings').getByRole('button', { name: 'Delete database' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Delete Ledger?' });
  await expect(dialog).toContainText('Signal');
  await dialog.getByLabel(/^Type delete/).fill('delete');
  await dialog.getByRole('button', { name: 'Delete database' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Apps are linked to it');
  await dialog.getByRole('checkbox', { name: 'Unlink this app first' }).check();
  await dialog.getByRole('button', { name: 'Unlink apps and delete database' }).click();
  const window = page.getByRole('dialog', { name: /^ledger-\w{6} is deleted$/ });
  await expect(window).toBeVisible(done);
  await expect(page.getByRole('status').getByText('Database Deleted').first()).toBeVisible();
  await window.getByRole('button', { name: 'OK' }).click();
  await expect(page).toHaveURL('/databases');
  await expect(page.getByRole('row', { name: /Archive/ })).toBeVisible();
  await expect(page.getByRole('row', { name: /Ledger/ })).toBeHidden();
}

test('a database is created, linked and deleted with the keyboard alone', async ({
  page,
  host,
  failures,
}) => {
  await linkServer(page, host);
  await page.goto('/databases');
  await expect(page.getByRole('heading', { name: 'No databases yet' })).toBeVisible();
  await expectAccessible(page);
  const { width, height } = page.viewportSize() ?? { width: 1440, height: 900 };
  await expectFitsPhone(page);
  await page.setViewportSize({ width, height });
  await page.goto('/home');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  // The second key counts for a second, so both are sent together.
  await page.keyboard.type('nd');
  await expect(page).toHaveURL('/databases/new');
  await page.getByLabel('Database name').focus();
  await page.keyboard.type('Cache');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await expect(page.getByRole('radio', { name: /PostgreSQL/ })).toBeChecked();
  for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('radio', { name: /Redis/ })).toBeChecked();
  const consent = page.getByRole('checkbox', { name: /Install it as root/ });
  await expect(consent).toBeVisible(done);
  await tabTo(page, consent);
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  const created = page.getByRole('dialog', { name: 'Cache is created', exact: true });
  await expect(created).toBeVisible({ timeout: 60_000 });
  await expect(created.getByRole('button', { name: 'OK' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/databases\/cache-\w{6}\?id=[0-9a-f-]+$/);

  await expectAccessible(page);
  const [cache] = await listed(page);
  if (!cache) throw new Error('The database was created and is not listed.');
  failures.mayCome(askedWhileItGoes(cache));
  await tabTo(page, page.locator('#settings').getByRole('button', { name: 'Delete database' }));
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('alertdialog', { name: 'Delete Cache?' });
  await expect(dialog.getByLabel(/^Type delete/)).toBeFocused();
  await page.keyboard.type('delete');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: /^cache-\w{6} is deleted$/ })).toBeVisible(done);
  expect(await listed(page)).toEqual([]);
});

test.describe('a creation that fails on its server', () => {
  test.use({ plugins: ['acl', 'letsencrypt', 'postgres'] });

  test('leaves remains, which a person removes from the list of databases', async ({ page, host }, info) => {
    await linkServer(page, host);
    // The container of the service never gets ready, and the name stays taken.
    host.sandbox.setFault('service', true);
    await page.goto('/databases/new');
    await page.getByLabel('Database name').fill('Ledger');
    await page.getByRole('radio', { name: /PostgreSQL/ }).check();
    await expect(page.getByText(/has Dokku’s plugin/)).toBeVisible(done);
    await page.getByRole('button', { name: 'Create database' }).click();
    const window = page.getByRole('dialog', { name: /^The creation of ledger-\w{6} failed$/ });
    await expect(window.getByText(/What this creation left takes the name ledger-\w{6}/)).toBeVisible(done);
    await expect(window.getByRole('button', { name: 'Remove the remains' })).toBeVisible();
    await expectAccessible(page);
    host.sandbox.setFault('service', false);
    await window.getByRole('button', { name: 'Close' }).last().click();

    await page.goto('/databases');
    const left = page.getByRole('main').getByText(/^The creation of ledger-\w{6} ended early/);
    await expect(left).toBeVisible();
    await expectAccessible(page);
    await page.screenshot({ path: info.outputPath('remains.png') });
    const { width, height } = page.viewportSize() ?? { width: 1440, height: 900 };
    await expectFitsPhone(page);
    await page.setViewportSize({ width, height });
    expect(await services(host)).toContain('ledger-');
    await page.getByRole('button', { name: 'Remove the remains' }).click();
    await finish(page, 'Remains removed');
    await expect(left).toBeHidden(done);
    expect(await services(host)).not.toContain('ledger-');
    expect(await listed(page)).toEqual([]);
  });
});

/** What the server says of its services of PostgreSQL. */
async function services({ sandbox }: LinkedHost): Promise<string> {
  const { stdout } = await promisify(execFile)('dokku', ['--quiet', 'postgres:list'], { env: sandbox.env });
  return stdout;
}

const mostTabs = 120;

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, target: ReturnType<Page['locator']>): Promise<void> {
  for (let presses = 0; presses < mostTabs; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  await expect(target).toBeFocused();
}

test.describe('on a server with databases of its own', () => {
  test.use({ plugins: ['acl', 'letsencrypt', 'redis'] });

  test('a person imports a database with its link, and is not offered it again', async ({ page, host }) => {
    const dokku = (...words: string[]) =>
      promisify(execFile)('dokku', words, { env: host.sandbox.env, timeout: 30_000 });
    await dokku('apps:create', 'shop');
    for (const name of ['sessions', 'theirs']) await dokku('redis:create', name);
    await dokku('redis:link', 'sessions', 'shop', '--no-restart');
    await linkServer(page, host);
    await page.getByRole('row').getByRole('link', { name: 'lighthouse' }).click();
    await page.getByRole('button', { name: 'Import databases' }).click();
    const dialog = page.getByRole('dialog', { name: 'Import databases of lighthouse' });
    await expect(dialog.getByRole('checkbox')).toHaveCount(2, done);
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await expect(dialog.getByRole('alert')).toContainText('Choose at least one database.');
    await dialog.getByRole('checkbox', { name: /^sessions Redis · Online · read by shop/ }).check();
    await dialog.getByRole('button', { name: 'Import 1 database' }).click();
    await finish(page, null);
    await page.locator('#databases').getByRole('link', { name: 'sessions' }).click();
    const linked = page.getByRole('region', { name: 'Linked apps' });
    await expect(linked.getByRole('row', { name: /shop/ }).getByText('REDIS_URL')).toBeVisible(done);
    await page.goBack();
    await page.getByRole('button', { name: 'Import databases' }).click();
    await expect(dialog.getByRole('checkbox')).toHaveCount(1, done);
  });
});
