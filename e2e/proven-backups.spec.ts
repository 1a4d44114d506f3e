import { readFileSync } from 'node:fs';
import type { App } from '@homeport/contract/apps/schema';
import type { Database } from '@homeport/contract/databases/schema';
import { lacksRealDatabases } from '@homeport/sandbox/testing';
import { makeKey } from '@homeport/ssh/testing';
import type { Page, TestInfo } from '@playwright/test';
import { askFront, createApp, pushApp } from './fixtures/app.ts';
import { expectAccessible } from './fixtures/axe.ts';
import { askedWhileItGoes, createDatabase } from './fixtures/database.ts';
import { type LinkedHost, startHost } from './fixtures/host.ts';
import { openSteps } from './fixtures/operation.ts';
import { newPerson, signUp } from './fixtures/person.ts';
import { expectFitsPhone } from './fixtures/phone.ts';
import { importKey, installServer } from './fixtures/server.ts';
import { test as base, expect } from './fixtures/test.ts';

/** What an app wrote into PostgreSQL comes back from a downloaded dump. The servers of the databases are real ones. */

const test = base.extend<{ host: LinkedHost }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures from this pattern
  host: async ({}, use) => {
    const host = await startHost({ pace: 0, plugins: ['acl', 'letsencrypt'], databases: 'real' });
    await use(host);
    await host.stop();
  },
  context: async ({ host: _host, context }, use) => use(context),
});

const done = { timeout: 90_000 };

/** Writes a row with a name of its own when it starts, and tells all rows. It reaches the database by DATABASE_URL alone. */
const program = `
const { spawnSync } = require('node:child_process');
const { randomUUID } = require('node:crypto');
const mine = randomUUID();
function ask(sql) {
  if (!process.env.DATABASE_URL) return 'no database';
  const url = new URL(process.env.DATABASE_URL);
  const words = ['-h', url.hostname, '-p', url.port, '-U', url.username, '-d', url.pathname.slice(1), '-v', 'ON_ERROR_STOP=1', '-qtA', '-c', sql];
  const ran = spawnSync('psql', words, { encoding: 'utf8', env: { ...process.env, PGPASSWORD: url.password } });
  return ran.status === 0 ? ran.stdout : 'failed: ' + ran.stderr;
}
ask("create table if not exists lamps (lit_by text); insert into lamps values ('" + mine + "')");
require('node:http')
  .createServer((_request, answer) => answer.end(mine + '\\n' + ask('select lit_by from lamps')))
  .listen(process.env.PORT);
`;

/** Waits for the end of the shown work with its message, and closes its window. */
async function finish(page: Page, toast: string): Promise<void> {
  const window = page.getByRole('dialog').last();
  await expect(window.getByText('Done', { exact: true }).last()).toBeVisible(done);
  await expect(page.getByRole('status').getByText(toast).first()).toBeVisible(done);
  await window.getByRole('button', { name: 'Close' }).last().click();
  await expect(window).toBeHidden();
}

const backupsOf = (page: Page) => page.getByRole('region', { name: 'Backups' });
const dumpsOf = (page: Page) => backupsOf(page).getByRole('row').filter({ hasText: 'Download' });

test('rows of an app outlive its database, through a dump that was downloaded', async ({
  page,
  host,
  failures,
}, info) => {
  info.skip(lacksRealDatabases, 'This machine has no PostgreSQL to run.');
  test.setTimeout(300_000);
  const login = makeKey();
  const push = makeKey();
  await host.authorize(login.publicKeyLine);
  await signUp(page, newPerson());
  await importKey(page, 'desk', login.privateKeyPem);
  await importKey(page, 'laptop', push.privateKeyPem);
  await installServer(page, host, { name: 'lighthouse', credential: 'desk' });
  const remote = await createApp(page, 'Signal', { laptop: true, desk: false });
  await pushApp(remote, push.privateKeyPem, { Procfile: 'web: node web.js\n', 'web.js': program });
  const [app]: App[] = await (await page.request.get('/api/apps')).json();
  const domain = app?.domains[0] ?? '';
  const answer = async () => (await askFront(host.sandbox.frontPort, domain)).body.split('\n');
  await expect.poll(answer, done).toContain('no database');

  let written = '';
  await test.step('the app writes a row through its variable', async () => {
    await createDatabase(page, { name: 'Ledger', type: 'PostgreSQL' });
    await link(page, 'Ledger');
    await expect.poll(async () => (await answer()).length, done).toBeGreaterThan(2);
    [written = ''] = await answer();
    expect((await answer()).slice(1)).toContain(written);
  });

  await test.step('a dump is made, proven and downloaded', async () => {
    await backupsOf(page).scrollIntoViewIfNeeded();
    await expect(backupsOf(page).getByText('No restore was proven yet.')).toBeVisible(done);
    await backupsOf(page).getByRole('button', { name: 'Make a dump' }).click();
    await finish(page, 'Dump made');
    await prove(page);
    await look(page, info);
  });
  const dump = await download(page);
  expect(dump.subarray(0, 5).toString()).toBe('PGDMP');

  const [ledger]: Database[] = await (await page.request.get('/api/databases')).json();
  if (!ledger) throw new Error('The database was created and is not listed.');
  failures.mayCome(askedWhileItGoes(ledger));
  await test.step('the database is deleted', () => remove(page));
  await test.step('another gets the dump by upload, and the app reads the row', async () => {
    await createDatabase(page, { name: 'Archive', type: 'PostgreSQL' });
    await upload(page, dump);
    await restore(page);
    await link(page, 'Archive');
    await expect.poll(answer, done).toContain(written);
    expect((await answer())[0]).not.toBe(written);
  });
  expect(await leftTests(page)).toEqual([]);
  await test.step('the work is listed, and the app’s end would leave the database', () => seeWork(page));
});

/** On the page of the database. */
async function link(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Link an app' }).click();
  const dialog = page.getByRole('dialog', { name: `Link ${name} to an app` });
  await expect(dialog.getByLabel('App on lighthouse')).toContainText('Signal');
  await dialog.getByRole('checkbox', { name: /Restart/ }).check();
  await dialog.getByRole('button', { name: 'Link', exact: true }).click();
  await finish(page, 'Database linked');
}

async function prove(page: Page): Promise<void> {
  await expect(dumpsOf(page)).toHaveCount(1, done);
  await dumpsOf(page).getByRole('button', { name: /Test/ }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Test this dump?' });
  await expect(dialog).toContainText('Ledger is not touched.');
  await dialog.getByRole('button', { name: 'Test dump' }).click();
  const work = page.getByRole('dialog').last();
  await openSteps(work);
  await expect(work).toContainText('1 table, 1 row, as the database did');
  await finish(page, 'Restore proven');
  await expect(backupsOf(page).getByText(/^Last proven restore: .*, 1 table, 1 row$/)).toBeVisible(done);
}

async function look(page: Page, info: TestInfo): Promise<void> {
  await expectAccessible(page);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await backupsOf(page).screenshot({ path: info.outputPath(`${colorScheme}.png`) });
  }
  await expectFitsPhone(page);
  await backupsOf(page).scrollIntoViewIfNeeded();
  await backupsOf(page).screenshot({ path: info.outputPath('phone.png') });
  await page.setViewportSize({ width: 1280, height: 800 });
}

async function download(page: Page): Promise<Buffer> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    dumpsOf(page)
      .getByRole('link', { name: /Download/ })
      .click(),
  ]);
  return readFileSync(await file.path());
}

async function remove(page: Page): Promise<void> {
  await page.locator('#settings').getByRole('button', { name: 'Delete database' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Delete Ledger?' });
  await dialog.getByLabel(/^Type delete/).fill('delete');
  await dialog.getByRole('button', { name: 'Delete database' }).click();
  await dialog.getByRole('checkbox', { name: 'Unlink this app first' }).check();
  await dialog.getByRole('button', { name: 'Unlink apps and delete database' }).click();
  const window = page.getByRole('dialog', { name: /^ledger-\w{6} is deleted$/ });
  await expect(window).toBeVisible(done);
  await window.getByRole('button', { name: 'OK' }).click();
}

async function upload(page: Page, buffer: Buffer): Promise<void> {
  await backupsOf(page).scrollIntoViewIfNeeded();
  await backupsOf(page)
    .getByLabel('File of the dump')
    .setInputFiles({ name: 'ledger.pgdump', mimeType: 'application/octet-stream', buffer });
  await expect(dumpsOf(page).filter({ hasText: 'Uploaded' })).toHaveCount(1, done);
}

async function restore(page: Page): Promise<void> {
  await dumpsOf(page)
    .getByRole('button', { name: /Restore/ })
    .click();
  const dialog = page.getByRole('alertdialog', { name: 'Restore Archive?' });
  await dialog.getByRole('textbox').fill('restore');
  await dialog.getByRole('button', { name: 'Restore dump' }).click();
  await finish(page, 'Database restored');
}

async function seeWork(page: Page): Promise<void> {
  const work = page.getByRole('region', { name: 'Recent work' });
  await work.scrollIntoViewIfNeeded();
  await work.getByRole('button', { name: /^Show/ }).click();
  await expect(work.getByRole('listitem').filter({ hasText: 'Restore' }).first()).toBeVisible();
  await page.getByRole('region', { name: 'Linked apps' }).getByRole('link', { name: 'Signal' }).click();
  await page.getByRole('button', { name: 'Destroy app' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Destroy Signal?' });
  await expect(dialog).toContainText('This database stays with its data');
  await expect(dialog.getByText('Archive, PostgreSQL')).toBeVisible();
  await page.keyboard.press('Escape');
}

/** Databases of tests that an import would offer. */
async function leftTests(page: Page): Promise<string[]> {
  const [database]: Database[] = await (await page.request.get('/api/databases')).json();
  const found = await page.request.get(`/api/servers/${database?.serverId}/found-databases`);
  return ((await found.json()) as { longname: string }[]).map(({ longname }) => longname);
}
