import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { root } from '../scripts/install.mjs';
import { expectAccessible } from './fixtures/axe.ts';
import { newPerson, signIn, signUp } from './fixtures/person.ts';
import { expectFitsPhone } from './fixtures/phone.ts';
import { expect, test } from './fixtures/test.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

test('the owner reads on a page of their own what runs here; others see the version in the footer', async ({
  page,
  browser,
  homeport,
}) => {
  await page.goto('/login');
  await signIn(page, homeport.owner);
  await page.getByRole('button', { name: /^Account menu/ }).click();
  await page.getByRole('menuitem', { name: 'Console' }).click();
  await expect(page).toHaveTitle(/Console/);
  const versions = page.getByRole('region', { name: 'Versions' });
  await expect(versions).toContainText(version);
  await expect(versions).toContainText('of the console');
  await expect(versions).toContainText(/Disk free[\d.,]+ [MGT]B/);
  await expect(versions).toContainText('Nothing brings the data back.');
  await expectAccessible(page);
  await page.screenshot({ path: test.info().outputPath('console.png'), fullPage: true });
  await expectFitsPhone(page);
  await page.screenshot({ path: test.info().outputPath('console-phone.png'), fullPage: true });

  const others = await browser.newContext({ baseURL: homeport.url });
  const other = await others.newPage();
  await signUp(other, newPerson('Bea Buoy'));
  await expect(other.getByTitle(`Homeport ${version}`)).toHaveText(/Homeport$/);
  await other.goto('/console');
  await expect(other.getByText('Only the owner of this console may see this.')).toBeVisible();
  await others.close();
});

test('the owner makes a key in the browser, backs the console up, checks and downloads the file', async ({
  page,
  homeport,
}, info) => {
  await page.goto('/login');
  await signIn(page, homeport.owner);
  await expect(page.getByRole('button', { name: /^Account menu/ })).toBeVisible();
  await page.goto('/console');
  const panel = page.locator('#backups');
  await expect(panel).toContainText('No backup yet.');
  await page.screenshot({ path: info.outputPath('empty.png'), fullPage: true });

  await panel.getByRole('button', { name: 'Back up now' }).click();
  const dialog = page.getByRole('dialog', { name: 'A key for backups' });
  await expect(dialog.getByRole('button', { name: 'Save as a file' })).toBeVisible();
  await expectAccessible(page);
  await page.screenshot({ path: info.outputPath('key.png') });
  const saved = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Save as a file' }).click();
  const identity = info.outputPath('identity');
  await (await saved).saveAs(identity);
  const sheet = page.waitForEvent('popup');
  await dialog.getByRole('button', { name: 'Print' }).click();
  const privateKey = /AGE-SECRET-KEY-1[A-Z0-9]+/.exec(readFileSync(identity, 'utf8'))?.[0] ?? '';
  expect(await (await sheet).locator('pre').textContent()).toContain(privateKey);
  await (await sheet).close();
  await dialog.getByRole('checkbox').check();
  await dialog.getByRole('button', { name: 'Use this key' }).click();
  await expect(dialog).toBeHidden();

  await panel.getByRole('button', { name: 'Back up now' }).click();
  const row = panel.getByRole('row').filter({ hasText: 'by hand' });
  await expect(row).toContainText('Succeeded', { timeout: 60_000 });
  await expect(page.getByRole('region', { name: 'Versions' })).toContainText(/Last backup.*encrypted/);
  await page.reload();
  await expect(row).toContainText('Encrypted');
  await expect(row).toContainText('Restored as a test');
  await row.getByRole('button', { name: /^Check/ }).click();
  await expect(row).toContainText('As written, checked');

  await panel.getByRole('button', { name: 'Set the schedule' }).click();
  await page.getByLabel('Every day at').selectOption({ index: 4 });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(panel).toContainText(/Every day at .*the newest 7 backups stay/);
  await expectAccessible(page);
  await page.screenshot({ path: info.outputPath('backups.png'), fullPage: true });

  const fetched = page.waitForEvent('download');
  await row.getByRole('button', { name: /^Download/ }).click();
  const file = info.outputPath('backup.age');
  await (await fetched).saveAs(file);
  const { status, stdout } = spawnSync(
    process.execPath,
    ['scripts/start.mjs', 'backup', 'verify', file, '--identity', identity],
    { cwd: root, encoding: 'utf8', env: { PATH: process.env.PATH, HOME: process.env.HOME } },
  );
  expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('is whole') });

  await panel.getByRole('button', { name: 'Back up in clear' }).click();
  const sure = page.getByRole('alertdialog', { name: 'Back up without encryption?' });
  await expect(sure.getByRole('button', { name: 'Back up in clear' })).toBeDisabled();
  await sure.getByLabel('Type plain to confirm').fill('plain');
  await sure.getByRole('button', { name: 'Back up in clear' }).click();
  await expect(panel.getByRole('row').filter({ hasText: 'In clear' })).toContainText('Succeeded', {
    timeout: 60_000,
  });
  await expectFitsPhone(page);
  await page.screenshot({ path: info.outputPath('backups-phone.png'), fullPage: true });
  await page.goto('/profile#security-events');
  await expect(page.getByText('Backup of the console downloaded')).toBeVisible();
});
