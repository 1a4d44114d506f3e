import { startReceiver } from '@homeport/api/testing/webhook-receiver';
import { expectAccessible } from './fixtures/axe.ts';
import { newPerson, signUp } from './fixtures/person.ts';
import { expect, test } from './fixtures/test.ts';

/** A person adds a webhook, tries it, replaces its secret, and removes it. */

test('a webhook is added, tried, broken, mended and removed on the profile page', async ({
  ownerPage: page,
}) => {
  let gone = false;
  await using hook = await startReceiver((response) => {
    if (gone) response.writeHead(410).end('<b>their words</b>');
  });
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  await page.goto('/profile#notifications');
  const section = page.locator('#notifications');
  const lines = section.getByRole('list', { name: 'Destinations of news' }).getByRole('listitem');
  await expect(lines).toHaveCount(1);

  await section.getByRole('button', { name: 'Add destination' }).click();
  const choose = page.getByRole('dialog', { name: 'Add destination', exact: true });
  await expect(choose.getByRole('radio')).not.toHaveCount(0);
  await expectAccessible(page, '[role=dialog]');
  await choose.getByRole('radio', { name: /^Slack/ }).check();
  await choose.getByRole('button', { name: 'Continue' }).click();
  const slack = page.getByRole('dialog', { name: 'Add destination: Slack' });
  await slack.getByLabel('Webhook address').fill('https://hooks.example.com/');
  await slack.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(slack.getByText('A webhook of Slack looks like')).toBeVisible();
  await slack.getByRole('button', { name: 'Back' }).click();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(width, 'as wide as the phone').toBeLessThanOrEqual(390);
  await page.setViewportSize({ width: 1440, height: 900 });
  await choose.getByRole('radio', { name: /^Webhook/ }).check();
  await choose.getByRole('button', { name: 'Continue' }).click();
  const add = page.getByRole('dialog', { name: 'Add destination: Webhook' });
  await add.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(add.getByText('Enter a name.')).toBeVisible();
  await add.getByLabel('Name').fill('<b>*_[x](y)@everyone');
  await add.getByLabel('Address').fill('http://127.0.0.1:25/');
  await expect(add.getByText('News is not sent to port 25.')).toBeVisible();
  await add.getByLabel('Address').fill(hook.url);
  await expectAccessible(page, '[role=dialog]');
  await add.getByRole('button', { name: 'Add', exact: true }).click();
  const secret = page.getByRole('dialog', { name: 'Secret of <b>*_[x](y)@everyone' });
  await expect(secret.getByText('Copy the secret now.')).toBeVisible();
  await secret.getByRole('button', { name: 'I have copied it' }).click();
  await expect(lines).toHaveCount(2);
  await expect(lines.nth(1)).toContainText('Nothing sent yet.');

  await section.getByRole('button', { name: 'Open <b>*_[x](y)@everyone' }).click();
  const open = page.getByRole('dialog', { name: '<b>*_[x](y)@everyone' });
  await expect(open.getByText('Nothing was sent there yet.')).toBeVisible();
  await open.getByRole('button', { name: 'Send a test' }).click();
  const sent = open.getByRole('region', { name: 'Deliveries' }).getByRole('listitem');
  await expect(sent).toHaveCount(1);
  await expect(sent).toContainText('answered 204 No Content.');
  gone = true;
  await open.getByRole('button', { name: 'Send a test' }).click();
  await expect(sent).toHaveCount(2);
  await expect(sent.first()).toContainText(
    '410 Gone, so nothing is sent there until a test succeeds or you change it.',
  );
  await expect(open.getByText('their words')).toHaveCount(0);
  await expectAccessible(page, '[role=dialog]');
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(width, 'as wide as the phone').toBeLessThanOrEqual(390);
  await page.setViewportSize({ width: 1440, height: 900 });

  gone = false;
  await open.getByRole('button', { name: 'Send a test' }).click();
  await expect(sent).toHaveCount(3);
  await expect(open.getByText('so nothing is sent there').first()).toBeVisible();
  await open.getByRole('button', { name: 'Remove destination' }).click();
  const asked = page.getByRole('alertdialog');
  await asked.getByRole('button', { name: 'Remove destination' }).click();
  await expect(lines).toHaveCount(1);
  await expectAccessible(page, '#notifications');
});

test('the address of the account gets quiet hours and fewer messages an hour, and the quiet hours end again', async ({
  page,
  failures,
}) => {
  // The console says which time is wrong.
  failures.allow(/status of 400 .*\/quiet-hours\)$/);
  await signUp(page, newPerson());
  await page.goto('/profile#notifications');
  await page.getByRole('button', { name: 'Open E-mail' }).click();
  const open = page.getByRole('dialog', { name: 'E-mail' });
  await open.getByText('Quiet hours: none').click();
  const on = open.getByRole('checkbox', { name: 'Send nothing for some hours of each day' });
  await on.check();
  await open.getByLabel('From').fill('23:00');
  await open.getByLabel('To', { exact: true }).fill('23:00');
  await open.getByRole('button', { name: 'Save quiet hours' }).click();
  await expect(open.getByText('Enter another time than the first one.')).toBeVisible();
  await open.getByLabel('To', { exact: true }).fill('06:30');
  await expectAccessible(page, '[role=dialog]');
  await open.getByRole('button', { name: 'Save quiet hours' }).click();
  await expect(open.getByText('Quiet hours: 23:00 to 06:30')).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  await expect.poll(width, 'as wide as the phone').toBeLessThanOrEqual(390);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.reload();
  await page.getByRole('button', { name: 'Open E-mail' }).click();
  await open.getByText('Quiet hours: 23:00 to 06:30').click();
  await expect(on).toBeChecked();
  await on.uncheck();
  await open.getByRole('button', { name: 'Save quiet hours' }).click();
  await expect(open.getByText('Quiet hours: none')).toBeVisible();

  await open.getByText('Messages an hour: 10 at most').click();
  await open.getByLabel('At most in any hour').selectOption('5 messages');
  await open.getByRole('button', { name: 'Save messages an hour' }).click();
  await expect(open.getByText('Messages an hour: 5 at most')).toBeVisible();
  await expectAccessible(page, '[role=dialog]');
});

test('a destination waits for what nobody acknowledges, and repeats it', async ({ page }) => {
  await signUp(page, newPerson());
  await page.goto('/profile#notifications');
  await page.getByRole('button', { name: 'Open E-mail' }).click();
  const open = page.getByRole('dialog', { name: 'E-mail' });
  await open.getByText('Unacknowledged: sent at once, not repeated').click();
  await open.getByLabel('News goes there').selectOption('after 15 minutes');
  await open.getByLabel('What goes on is repeated').selectOption('every 4 hours');
  await expectAccessible(page, '[role=dialog]');
  await open.getByRole('button', { name: 'Save wait and repeats' }).press('Enter');
  await expect(open.getByText('Unacknowledged: sent after 15 minutes, repeated every 4 hours')).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  await expect.poll(width, 'as wide as the phone').toBeLessThanOrEqual(390);
  await page.screenshot({ path: test.info().outputPath('unacknowledged-phone.png') });
  await page.reload();
  await page.getByRole('button', { name: 'Open E-mail' }).click();
  await open.getByText('Unacknowledged: sent after 15 minutes').click();
  await open.getByLabel('News goes there').selectOption('at once');
  await open.getByLabel('What goes on is repeated').selectOption('not at all');
  await open.getByRole('button', { name: 'Save wait and repeats' }).press('Enter');
  await expect(open.getByText('Unacknowledged: sent at once, not repeated')).toBeVisible();
});
