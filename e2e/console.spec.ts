import { readFileSync } from 'node:fs';
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
