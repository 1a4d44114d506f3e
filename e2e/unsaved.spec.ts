import { holdPrograms } from './fixtures/programs.ts';
import { expect, test } from './fixtures/test.ts';

const typed = 'shop.example.com';

test('a form asks before its input is lost by a link, by Back and by a reload, and not once it was sent', async ({
  ownerPage: page,
}) => {
  await page.goto('/proxies');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Proxies' }).click();
  await page
    .getByRole('link', { name: /^New proxy|^Create/ })
    .first()
    .click();
  const domain = page
    .getByRole('combobox', { name: 'Domain' })
    .or(page.getByRole('textbox', { name: 'Domain', exact: true }));
  await domain.fill(typed);
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Databases' }).click();
  await expect(question).toBeVisible();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveURL('/proxies/new');
  await expect(domain).toHaveValue(typed);

  await page.goBack();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveURL('/proxies/new');
  await expect(domain).toHaveValue(typed);

  const asked = page.waitForEvent('dialog');
  void page.evaluate(() => setTimeout(() => location.reload()));
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  await expect(domain).toHaveValue(typed);

  await page.getByRole('textbox', { name: 'Current website location' }).fill('https://www.example.net');
  await page.getByRole('button', { name: 'Create proxy' }).click();
  await expect(page).toHaveURL(/\/proxy\/\w/);
  await expect(question).toBeHidden();
});

test('the person may leave, and what was typed is gone', async ({ ownerPage: page }) => {
  await page.goto('/proxies/new');
  await page.getByRole('textbox', { name: 'Name' }).fill('Shop');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Databases' }).click();
  await page.getByRole('button', { name: 'Leave this page' }).click();
  await expect(page).toHaveURL('/databases');
});

test('who leaves a form before the guard has arrived is asked as soon as it has', async ({
  ownerPage: page,
}) => {
  const sendGuard = await holdPrograms(page, '**/assets/UnsavedGuard-*.js');
  await page.goto('/proxies/new');
  const name = page.getByRole('textbox', { name: 'Name' });
  const asked = page.waitForRequest('**/assets/UnsavedGuard-*.js');
  await name.fill('Shop');
  await asked;

  const unload = page.waitForEvent('dialog');
  void page.evaluate(() => setTimeout(() => location.reload()));
  const dialog = await unload;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Databases' }).click();
  await expect(page).toHaveURL('/proxies/new');
  await expect(name).toHaveValue('Shop');
  sendGuard();
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
  await expect(question).toBeVisible();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveURL('/proxies/new');
  await expect(name).toHaveValue('Shop');
});

test('who goes back before the guard has arrived is asked as well, and may leave', async ({
  ownerPage: page,
}) => {
  await page.goto('/databases');
  const sendGuard = await holdPrograms(page, '**/assets/UnsavedGuard-*.js');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Proxies' }).click();
  await page
    .getByRole('link', { name: /^New proxy|^Create/ })
    .first()
    .click();
  const name = page.getByRole('textbox', { name: 'Name' });
  const asked = page.waitForRequest('**/assets/UnsavedGuard-*.js');
  await name.fill('Shop');
  await asked;

  await page.goBack();
  await expect(page).toHaveURL('/proxies/new');
  await expect(name).toHaveValue('Shop');
  sendGuard();
  await page.getByRole('button', { name: 'Leave this page' }).click();
  await expect(page).toHaveURL('/proxies');
});
