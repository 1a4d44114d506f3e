import type { Page } from '@playwright/test';
import { expectAccessible } from './fixtures/axe.ts';
import { testWithCloudflare } from './fixtures/cloudflare.ts';
import { mostRowsDuring } from './fixtures/most-rows.ts';
import { newPerson, signUp } from './fixtures/person.ts';
import { expectFitsPhone } from './fixtures/phone.ts';
import { expect } from './fixtures/test.ts';

/** Domains of a linked Cloudflare account, which the stand-in plays. */

const token = `cfut_${'e'.repeat(48)}`;

const test = testWithCloudflare(token, { HOMEPORT_PROXY_NAME: 'proxy.homeport.example' });

const toast = (page: Page, text: string) => page.getByRole('status').getByText(text, { exact: true }).first();

async function link(page: Page): Promise<void> {
  await page.goto('/profile');
  const panel = page.locator('#cloudflare');
  await panel.getByLabel('API token').fill(token);
  await panel.getByRole('button', { name: 'Link account' }).click();
  await expect(toast(page, 'Profile synced.')).toBeVisible();
}

test('a person links Cloudflare, adds, edits and deletes a record, and unlinks', async ({
  page,
  cloudflare,
  failures,
}) => {
  failures.allow(/the server responded with a status of 400/);
  const zone = await cloudflare.addZone('northquay.example');
  await signUp(page, newPerson());

  await page.goto('/domains');
  await expect(page.getByText('No cloudflare access provided.')).toBeVisible();
  await page.getByRole('link', { name: 'Link Cloudflare', exact: true }).click();
  const panel = page.locator('#cloudflare');
  await expect(panel.getByRole('link', { name: 'Make a token at Cloudflare' })).toHaveAttribute(
    'href',
    /permissionGroupKeys=/,
  );
  await panel.getByLabel('API token').fill(`${token}wrong`);
  await panel.getByRole('button', { name: 'Link account' }).click();
  await expect(panel.getByText('Cloudflare does not know this token.')).toBeVisible();
  await link(page);
  await expect(panel.getByText('1 zone readable, records editable in all.')).toBeVisible();
  await expect(panel).not.toContainText(token);

  await page.goto('/domains');
  await page.getByRole('link', { name: 'northquay.example' }).click();
  await expect(page).toHaveURL(new RegExp(`/domain/${zone}$`));
  await expect(page.getByText('No records yet.')).toBeVisible();

  await page.getByRole('button', { name: 'Add record' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('tides');
  await dialog.getByLabel('IPv4 address').fill('203.0.113.24');
  await expect(dialog.getByRole('radio', { name: /On Cloudflare/ })).toBeChecked();
  await dialog.getByText('DNS Only').click();
  await dialog.getByLabel('TTL').fill('30');
  await dialog.getByRole('button', { name: 'Add record' }).click();
  await expect(dialog.getByText('TTL must be between 60 and 86400, or 1 for automatic')).toBeVisible();
  await dialog.getByLabel('TTL').fill('300');
  await dialog.getByRole('button', { name: 'Add record' }).click();
  await expect(toast(page, 'Record added')).toBeVisible();
  const row = page.getByRole('row', { name: /tides/ });
  await expect(row).toContainText('5 min');
  await expect(row).toContainText('DNS Only');

  await page.getByRole('button', { name: 'Edit tides.northquay.example, A' }).click();
  await dialog.getByText('On Cloudflare').click();
  await dialog.getByRole('button', { name: 'Save record' }).click();
  await expect(toast(page, 'Record updated')).toBeVisible();
  await expect(row).toContainText('On Cloudflare');

  await page.getByRole('button', { name: 'Add record' }).click();
  await dialog.getByLabel('Name').fill('tides');
  await dialog.getByLabel('IPv4 address').fill('127.0.0.1');
  await dialog.getByRole('button', { name: 'Add record' }).click();
  await dialog.getByRole('button', { name: 'Add beside it' }).click();
  await expect(page.getByRole('alert').getByText('Error adding record')).toBeVisible();
  await expect(dialog.getByText('Cloudflare: Target is not allowed for a proxied record.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('button', { name: 'Delete tides.northquay.example, A' }).click();
  await expect(toast(page, 'Click again to confirm deletion.')).toBeVisible();
  const armed = page.getByRole('button', { name: 'Click again to confirm deletion.' });
  await expect(armed).toBeFocused();
  // A message under the pointer does not end by time: it goes with its question.
  await toast(page, 'Click again to confirm deletion.').hover();
  await page.keyboard.press('Escape');
  await expect(armed).toBeHidden();
  await expect(toast(page, 'Click again to confirm deletion.')).toBeHidden();
  expect(await cloudflare.recordsOf(zone)).toHaveLength(1);
  await page.getByRole('button', { name: 'Delete tides.northquay.example, A' }).click();
  await expect(armed).toBeFocused();
  // A click too soon after the first one counts as the same double click.
  await page.waitForFunction(
    (since) => performance.now() - since > 400,
    await page.evaluate(() => performance.now()),
  );
  await page.keyboard.press('Enter');
  await expect(page.getByText('No records yet.')).toBeVisible();
  expect(await cloudflare.recordsOf(zone)).toHaveLength(0);

  await page.goto('/profile');
  await panel.getByRole('button', { name: 'Unlink' }).click();
  await page
    .getByRole('alertdialog')
    .or(page.getByRole('dialog'))
    .getByRole('button', { name: 'Unlink' })
    .click();
  await expect(panel.getByText('Not linked')).toBeVisible();
});

test('domains and their records are usable by everybody, on a phone too', async ({ page, cloudflare }) => {
  const zone = await cloudflare.addZone('harbour.example');
  await cloudflare.addZone('xn--mller-kva.example', 'secondary');
  await cloudflare.addRecords(zone, [
    { type: 'A', name: 'www', content: '203.0.113.24', proxied: true },
    { type: 'TXT', name: '@', content: `v=spf1 ${'include:_spf.example.com '.repeat(12)}-all` },
    { type: 'MX', name: '@', content: 'mail.harbour.example', priority: 10 },
  ]);
  await signUp(page, newPerson());
  await link(page);
  for (const path of ['/profile', '/domains', `/domain/${zone}`]) {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    if (path === '/domains') await expect(page.getByRole('link', { name: 'müller.example' })).toBeVisible();
    if (path.startsWith('/domain/')) await expect(page.getByRole('row', { name: /www/ })).toBeVisible();
    await expectAccessible(page);
    await expectFitsPhone(page);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'Add record' }).click();
  await expectAccessible(page);
});

test('the keyboard goes on in the next row when the record under it is deleted', async ({
  page,
  cloudflare,
}) => {
  const zone = await cloudflare.addZone('rows.example');
  await cloudflare.addRecords(
    zone,
    ['ebb', 'flood', 'tide'].map((name) => ({ type: 'A', name, content: '203.0.113.24' })),
  );
  await signUp(page, newPerson());
  await link(page);
  await page.goto(`/domain/${zone}`);
  const buttonOf = (name: string) => page.getByRole('button', { name: `Delete ${name}.rows.example, A` });
  const armed = page.getByRole('button', { name: 'Click again to confirm deletion.' });
  const deleteByKey = async (name: string) => {
    await buttonOf(name).press('Enter');
    await expect(armed).toBeFocused();
    await page.waitForFunction(
      (since) => performance.now() - since > 400,
      await page.evaluate(() => performance.now()),
    );
    await page.keyboard.press('Enter');
    await expect(buttonOf(name)).toBeHidden();
  };
  await deleteByKey('flood');
  await expect(buttonOf('tide')).toBeFocused();
  await deleteByKey('tide');
  await expect(buttonOf('ebb')).toBeFocused();
  await deleteByKey('ebb');
  await expect(page.getByRole('searchbox', { name: /Filter records/ })).toBeFocused();
});

/** A screen holds some forty rows, and a list draws a screen before and after the one in sight. */
const drawnRowsAtMost = 100;

/** From the top to the end, a screen at a time. */
async function scrollThrough(page: Page): Promise<void> {
  const screens = await page.evaluate(() => document.documentElement.scrollHeight / window.innerHeight);
  expect(screens).toBeGreaterThan(10);
  for (let at = 0; at < Math.min(screens, 40); at += 1) await page.mouse.wheel(0, 800);
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  await page.evaluate(() => window.scrollTo(0, 0));
}

test('a list of 500 zones and a zone of 5,000 records draw only the rows in sight', async ({
  page,
  cloudflare,
}) => {
  const zone = await cloudflare.addZone('big.example');
  const many = (count: number) => Array.from({ length: count }, (_, at) => at);
  await cloudflare.addRecords(
    zone,
    many(5_000).map((at) => ({ type: 'TXT', name: `host-${at}`, content: `text ${5_000 - at}` })),
  );
  await cloudflare.addZones(many(500).map((at) => ({ name: `zone-${at}.example` })));
  await signUp(page, newPerson());
  await link(page);
  const drawnRows = () => page.getByRole('row').count();

  await page.goto('/domains');
  await expect(page.getByText(/^50\d domains at Cloudflare/)).toBeVisible();
  await expect(page.getByRole('link', { name: 'big.example' })).toBeVisible();
  const names = page.getByRole('searchbox', { name: /Filter domains/ });
  const ofList = await mostRowsDuring(page, async () => {
    await scrollThrough(page);
    await page.getByRole('button', { name: 'Name' }).click();
    await names.pressSequentially('zone-499');
  });
  expect(ofList).toBeLessThan(drawnRowsAtMost);
  await expect(page.getByRole('link', { name: 'zone-499.example' })).toBeVisible();
  await expect.poll(drawnRows).toBe(2);

  await page.goto(`/domain/${zone}`);
  await expect(page.getByText('5,000')).toBeVisible();
  const words = page.getByRole('searchbox', { name: /Filter records/ });
  const ofRecords = await mostRowsDuring(page, async () => {
    await scrollThrough(page);
    await page.getByRole('button', { name: 'Content' }).click();
    await words.pressSequentially('host-4999');
    await page.getByRole('button', { name: 'Edit host-4999.big.example, TXT' }).click();
  });
  expect(ofRecords).toBeLessThan(drawnRowsAtMost);
  await expect(page.getByRole('dialog').getByLabel('Name')).toHaveValue('host-4999');
});

test('the record of a proxied domain is added by one click, and the zone says which proxy it leads to', async ({
  page,
  cloudflare,
  failures,
}) => {
  failures.allow(/the server responded with a status of 400/);
  const zone = await cloudflare.addZone('merged.example');
  await cloudflare.addRecords(zone, [{ type: 'A', name: 'taken', content: '203.0.113.24' }]);
  await signUp(page, newPerson());
  await link(page);
  const createProxy = async (domain: string) => {
    await page.goto('/proxies/new');
    await page.getByLabel('Domain', { exact: true }).fill(domain);
    await page.getByLabel('Current website location').fill('www.northquay.example');
    await page.getByRole('button', { name: 'Create proxy' }).click();
    await expect(page).toHaveURL(/\/proxy\/[\w-]+$/);
  };
  const add = page.getByRole('button', { name: 'Add the CNAME record at Cloudflare' });
  await createProxy('taken.merged.example');
  await add.click();
  await expect(page.getByRole('alert')).toContainText('Cloudflare: ');
  await expectAccessible(page);
  await createProxy('www.merged.example');
  await add.click();
  await expect(toast(page, 'Record added')).toBeVisible();
  await page.goto('/domains');
  await page.getByRole('link', { name: 'merged.example' }).click();
  const row = page.getByRole('row').filter({ hasText: 'proxy.homeport.example' });
  await row.getByRole('link', { name: 'www.merged.example' }).click();
  await expect(page).toHaveURL(/\/proxy\/[\w-]+$/);
});
