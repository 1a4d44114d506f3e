import { expectAccessible } from './fixtures/axe.ts';
import { testWithCloudflare } from './fixtures/cloudflare.ts';
import { linkServer } from './fixtures/linked-server.ts';
import { openSteps } from './fixtures/operation.ts';
import { newPerson, signUp } from './fixtures/person.ts';
import { expect } from './fixtures/test.ts';

/** A server gets another address in its page, and its records at Cloudflare, which the stand-in plays, follow. */

const token = `cfut_${'m'.repeat(48)}`;

const test = testWithCloudflare(token, { HOMEPORT_APP_DOMAIN: 'apps.example.com' });

test('the dialog of the address says what does not follow, and changes the records that lead there', async ({
  page,
  cloudflare,
}) => {
  const zone = await cloudflare.addZone('northquay.example');
  await cloudflare.addRecords(zone, [
    { type: 'A', name: 'box', content: '192.0.2.10' },
    { type: 'A', name: 'away', content: '203.0.113.9' },
  ]);
  await signUp(page, newPerson());
  await page.goto('/profile');
  await page.locator('#cloudflare').getByLabel('API token').fill(token);
  await page.locator('#cloudflare').getByRole('button', { name: 'Link account' }).click();
  await expect(page.locator('#cloudflare').getByText('1 zone readable')).toBeVisible();
  const target = { host: '192.0.2.10', port: 22, user: 'root', hostKeyFingerprint: '' };
  await linkServer(page, target, { name: 'pier', credential: 'password' });
  await page.getByRole('button', { name: 'Address of the server' }).click();
  const dialog = page.getByRole('dialog', { name: 'Address' });
  await expect(dialog.getByText('git remote set-url')).toBeVisible();
  await dialog.getByLabel('IPv4 address').fill('198.51.100.20');
  await expect(dialog.getByText('box.northquay.example A 192.0.2.10')).toBeVisible();
  await expectAccessible(page, '[role=dialog]');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 390, height: 844 });
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  await expect.poll(width, 'as wide as the phone').toBeLessThanOrEqual(390);
  await expectAccessible(page, '[role=dialog]');
  await dialog.getByRole('button', { name: 'Save' }).click();
  const work = page.getByRole('dialog', { name: 'DNS of the new address' });
  await openSteps(work);
  await expect(
    work
      .getByRole('list', { name: 'Steps' })
      .getByText('Changed to 198.51.100.20 at Cloudflare: box.northquay.example.'),
  ).toBeVisible();
  const records = (await cloudflare.recordsOf(zone)).map(({ name, content }) => `${name} ${content}`);
  expect(records.toSorted()).toEqual([
    'away.northquay.example 203.0.113.9',
    'box.northquay.example 198.51.100.20',
  ]);
});
