import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Database } from '@homeport/contract/databases/schema';
import { simulatedTexts } from '@homeport/contract/servers/simulated';
import { startS3Server } from '@homeport/sandbox/testing';
import { makeKey } from '@homeport/ssh/testing';
import type { Page, TestInfo } from '@playwright/test';
import { expectAccessible } from './fixtures/axe.ts';
import { createDatabase } from './fixtures/database.ts';
import { type LinkedHost, startHost } from './fixtures/host.ts';
import { newPerson, type Person, signIn, signUp } from './fixtures/person.ts';
import { expectFitsPhone } from './fixtures/phone.ts';
import { importKey, installServer } from './fixtures/server.ts';
import { test as base, expect } from './fixtures/test.ts';

/** The dumps of a database, from the first to a restore, on a server with a Dokku of the sandbox. */

const test = base.extend<{ host: LinkedHost }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures from this pattern
  host: async ({}, use) => {
    const host = await startHost({ pace: 0, plugins: ['acl', 'letsencrypt'] });
    await use(host);
    await host.stop();
  },
  context: async ({ host: _host, context }, use) => use(context),
});

const done = { timeout: 90_000 };
const bytes = Buffer.concat([Buffer.from('PGDMP'), Buffer.alloc(3_000_000, 'lamps ')]);
const later = Buffer.from('PGDMP later');

const run = promisify(execFile);

const sum = (data: Uint8Array) => createHash('sha256').update(data).digest('hex');

/** Waits for the end of the shown work, and closes its window. */
async function finish(page: Page): Promise<void> {
  const window = page.getByRole('dialog').last();
  await expect(window.getByText('Done', { exact: true }).last()).toBeVisible(done);
  await window.getByRole('button', { name: 'Close' }).last().click();
  await expect(window).toBeHidden();
}

async function linkServer(page: Page, host: LinkedHost): Promise<Person> {
  const login = makeKey();
  await host.authorize(login.publicKeyLine);
  const person = newPerson();
  await signUp(page, person);
  await importKey(page, 'desk', login.privateKeyPem);
  await installServer(page, host, { name: 'lighthouse', credential: 'desk' });
  await createDatabase(page, { name: 'Ledger', type: 'PostgreSQL' });
  return person;
}

test('a person makes a dump, downloads it, restores it, uploads one and deletes one', async ({
  page,
  host,
}, info) => {
  await linkServer(page, host);
  const [database]: Database[] = await (await page.request.get('/api/databases')).json();
  if (!database) throw new Error('The database is not listed.');
  const held = join(
    host.sandbox.root,
    'lib/services/postgres',
    database.longname,
    'data/held-by-the-sandbox',
  );
  writeFileSync(held, bytes);

  const backups = page.getByRole('region', { name: 'Backups' });
  const rows = backups.getByRole('row').filter({ hasText: 'Download' });
  await backups.scrollIntoViewIfNeeded();
  await expect(backups.getByText('No dumps yet: a dump is a file with all data')).toBeVisible(done);

  await test.step('the dump', async () => {
    await backups.getByRole('button', { name: 'Make a dump' }).click();
    await finish(page);
    await expect(rows).toHaveCount(1, done);
    await expect(rows.first()).toContainText('Made here');
    await expect(rows.first()).toContainText(sum(bytes).slice(0, 12));
  });

  await test.step('the download', async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      rows
        .first()
        .getByRole('link', { name: /Download/ })
        .click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^postgres-ledger-\w{6}-\d{8}T\d{6}Z\.pgdump$/);
    expect(sum(readFileSync(await download.path()))).toBe(sum(bytes));
  });

  await test.step('the restore, after the word was typed', async () => {
    writeFileSync(held, later);
    await rows
      .first()
      .getByRole('button', { name: /Restore/ })
      .click();
    const dialog = page.getByRole('alertdialog', { name: 'Restore Ledger?' });
    await expect(dialog.getByText(/a dump of the present state is made and kept/)).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Restore dump' })).toBeDisabled();
    await dialog.getByRole('textbox').fill('restore');
    await dialog.getByRole('button', { name: 'Restore dump' }).click();
    await finish(page);
    expect(sum(readFileSync(held))).toBe(sum(bytes));
    await expect(rows.filter({ hasText: 'Kept before a restore' })).toContainText(
      sum(later).slice(0, 12),
      done,
    );
  });

  await test.step('the upload', async () => {
    await backups.getByLabel('File of the dump').setInputFiles({
      name: 'empty.pgdump',
      mimeType: 'application/octet-stream',
      buffer: Buffer.alloc(0),
    });
    await expect(backups.getByText('The file is empty.')).toBeVisible();
    await backups.getByLabel('File of the dump').setInputFiles({
      name: 'elsewhere.pgdump',
      mimeType: 'application/octet-stream',
      buffer: bytes,
    });
    await expect(rows.filter({ hasText: 'Uploaded' })).toContainText(sum(bytes).slice(0, 12), done);
  });

  await test.step('the look: light, dark, and on a phone', () => look(page, info));

  await test.step('the deletion', async () => {
    await rows
      .filter({ hasText: 'Uploaded' })
      .getByRole('button', { name: /Delete/ })
      .click();
    const dialog = page.getByRole('alertdialog', { name: 'Delete this dump?' });
    await dialog.getByRole('button', { name: 'Delete dump' }).click();
    await expect(rows.filter({ hasText: 'Uploaded' })).toHaveCount(0, done);
    await expect(rows).toHaveCount(2);
  });
});

test('the page says why a server shows no dumps: without Dokku, simulated, or without a connection', async ({
  page,
  host,
  browser,
}) => {
  const person = await linkServer(page, host);
  const backups = page.getByRole('region', { name: 'Backups' });
  const make = backups.getByRole('button', { name: 'Make a dump' });
  const address = page.url();
  for (const [change, text] of [
    [{ metal: true }, 'lighthouse is used without Dokku, so Homeport makes no dumps there.'],
    [{ simulated: true }, simulatedTexts.ask],
  ] as const) {
    await page.route('**/api/servers', async (route) => {
      const servers: object[] = await (await route.fetch()).json();
      await route.fulfill({ json: servers.map((server) => ({ ...server, ...change })) });
    });
    await page.goto(address);
    await backups.scrollIntoViewIfNeeded();
    await expect(backups.getByText(text)).toBeVisible(done);
    await expect(make).toBeHidden();
    // A request that this handler still answers would find its route gone.
    await page.unrouteAll({ behavior: 'wait' });
  }

  // Another browser has no key, so it cannot connect by itself.
  const elsewhere = await browser.newContext({ baseURL: new URL(address).origin });
  const other = await elsewhere.newPage();
  await other.goto('/login');
  await signIn(other, person);
  await expect(other).toHaveURL('/home');
  await other.goto(address);
  const there = other.getByRole('region', { name: 'Backups' });
  await there.scrollIntoViewIfNeeded();
  await expect(there.getByText('Connect to see its dumps.')).toBeVisible(done);
  await expect(there.getByRole('button', { name: 'Connect to see its dumps' })).toBeVisible();
  await elsewhere.close();
});

test('a person sets a schedule, its backup by cron reaches the page, and copies go to S3', async ({
  page,
  host,
}, info) => {
  await using s3 = await startS3Server();
  await linkServer(page, host);
  const [database]: Database[] = await (await page.request.get('/api/databases')).json();
  if (!database) throw new Error('The database is not listed.');
  const { root, env } = host.sandbox;
  writeFileSync(join(root, 'lib/services/postgres', database.longname, 'data/held-by-the-sandbox'), later);
  const schedule = page.getByRole('region', { name: 'Schedule', exact: true });
  const rows = schedule.getByRole('row').filter({ hasText: 'took' });
  await schedule.scrollIntoViewIfNeeded();
  await expect(schedule.getByText('No schedule yet.')).toBeVisible(done);

  await test.step('the schedule, whose faults stand beside their fields', async () => {
    await schedule.getByRole('button', { name: 'Set a schedule' }).click();
    const dialog = page.getByRole('dialog', { name: 'Back up Ledger on schedule' });
    await dialog.getByLabel('How often').selectOption('By a cron expression');
    await dialog.getByLabel('Cron expression').fill('* * * * *');
    await dialog.getByRole('button', { name: 'Save schedule' }).click();
    await expect(dialog.getByText('Leave at least 15 minutes between two backups.')).toBeVisible();
    await expect(dialog.getByLabel('Cron expression')).toBeFocused();
    await dialog.getByLabel('How often').selectOption('Every day');
    await dialog.getByLabel('Time').fill('04:30');
    await expect(dialog.getByText(/By the server’s clock/)).toBeVisible();
    await dialog.getByRole('button', { name: 'Save schedule' }).click();
    await expect(dialog).toBeHidden(done);
    await expect(schedule.getByText(/Every day at 04:30/)).toBeVisible(done);
  });

  await test.step('the backup that cron makes, told by the agent', async () => {
    const line = readFileSync(join(root, 'crontab'), 'utf8')
      .split('\n')
      .find((each) => each.includes('homeport:backup'));
    expect(line).toContain(`30 4 * * * dokku homeport:backup postgres ${database.longname}`);
    const command = line?.split(' ').slice(5).join(' ') ?? '';
    await run('/bin/bash', ['-c', command], { env });
    const agent = join(root, 'machine/usr/local/lib/homeport-agent/homeport-agent');
    const settings = join(root, 'machine/etc/homeport-agent/agent.conf');
    await run('/bin/bash', [agent, '--once', '--config', settings], { env });
    await expect(rows).toHaveCount(1, done);
    await expect(rows.first()).toContainText(sum(later).slice(0, 12));
  });

  await test.step('the S3 address: rclone, a refusal, a trial, and copies', async () => {
    await schedule.getByRole('button', { name: 'Edit the schedule' }).click();
    const dialog = page.getByRole('dialog', { name: 'Back up Ledger on schedule' });
    await dialog.getByText('On the server and at an S3 address').click();
    await dialog.getByRole('button', { name: 'Install rclone' }).click();
    const window = page.getByRole('dialog', { name: /rclone/ });
    await expect(window.getByText('Done', { exact: true }).last()).toBeVisible(done);
    await window.getByRole('button', { name: 'Close' }).last().click();
    await expect(dialog.getByRole('button', { name: 'Install rclone' })).toBeHidden(done);
    await dialog.getByLabel('Endpoint').fill(s3.endpoint);
    await dialog.getByLabel('Bucket').fill('nowhere');
    await dialog.getByLabel('Access key').fill(s3.accessKey);
    await dialog.getByLabel('Secret', { exact: true }).fill(s3.secret);
    await dialog.getByRole('button', { name: 'Try this address' }).click();
    await expect(dialog.getByText(/The service says: .*NoSuchBucket/)).toBeVisible(done);
    await dialog.getByLabel('Bucket').fill('backups');
    await dialog.getByRole('button', { name: 'Try this address' }).click();
    await expect(dialog.getByText(/may write there/)).toBeVisible(done);
    await expectAccessible(page);
    await dialog.screenshot({ path: info.outputPath('dialog.png') });
    await dialog.getByRole('button', { name: 'Save schedule' }).click();
    await expect(dialog).toBeHidden(done);
    await schedule.getByRole('button', { name: 'Run now' }).click();
    await finish(page);
    await expect(rows).toHaveCount(2, done);
    expect(s3.objects.size).toBe(1);
    await expect(schedule).toContainText('Access key and secret: kept on the server');
    await expect(page.locator('body')).not.toContainText(s3.secret);
  });

  await test.step('a failed backup, with the reason', async () => {
    s3.refuse('PUT');
    await schedule.getByRole('button', { name: 'Run now' }).click();
    const window = page.getByRole('dialog').last();
    await expect(window.getByText(/AccessDenied/).first()).toBeVisible(done);
    await window.getByRole('button', { name: 'Close' }).last().click();
    await expect(schedule.getByRole('alert').filter({ hasText: 'failed' })).toBeVisible(done);
  });

  await test.step('the look: light, dark, and on a phone', () => look(page, info, 'Schedule'));
  await page.setViewportSize({ width: 1280, height: 800 });

  await test.step('the pause and the removal', async () => {
    await schedule.getByRole('button', { name: 'Pause the schedule' }).click();
    await expect(schedule.getByText('Paused: no backup is made')).toBeVisible(done);
    await schedule.getByRole('button', { name: 'Remove the schedule' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Remove the schedule?' });
    await dialog.getByRole('button', { name: 'Remove schedule' }).click();
    await expect(schedule.getByText('No schedule yet.')).toBeVisible(done);
  });
});

async function look(page: Page, info: TestInfo, name = 'Backups'): Promise<void> {
  const backups = page.getByRole('region', { name, exact: true });
  // In light and in dark.
  await expectAccessible(page);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await backups.screenshot({ path: info.outputPath(`${name}-${colorScheme}.png`) });
  }
  await expectFitsPhone(page);
  await backups.scrollIntoViewIfNeeded();
  await backups.screenshot({ path: info.outputPath(`${name}-phone.png`) });
  await page.setViewportSize({ width: 1280, height: 800 });
}
