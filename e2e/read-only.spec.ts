import { readOnlyTexts } from '@homeport/contract/servers/closed';
import { expectAccessible } from './fixtures/axe.ts';
import { newPerson, signUp } from './fixtures/person.ts';
import { expectFitsPhone } from './fixtures/phone.ts';
import { expect, test } from './fixtures/test.ts';

test('a server without a credential gets an install line, and says what it cannot do', async ({ page }) => {
  await signUp(page, newPerson());
  await page.goto('/servers?add=true');
  const form = page.getByRole('dialog', { name: 'Add a New Server' });
  await form.getByLabel('Name', { exact: true }).fill('shed');
  await form.getByLabel('IPv4 address').fill('127.0.0.31');
  await form.getByLabel('Credential').selectOption('None: read-only');
  await form.getByRole('button', { name: 'Add server' }).click();
  await expect(form.getByText('A subdomain was picked for you.')).toBeVisible();
  await form.getByRole('button', { name: 'Add server' }).click();

  const line = page.getByRole('dialog', { name: 'Install the agent on shed' });
  await line.getByRole('button', { name: 'Make the line' }).click();
  await expect(line.getByText(/\/api\/agent\/install\.sh/)).toBeVisible();
  await expectAccessible(page);
  await line.getByRole('button', { name: 'I have copied it' }).click();

  const row = page.getByRole('row').filter({ hasText: 'shed' });
  await expect(row.getByText('read-only')).toBeVisible();
  await row.getByRole('link', { name: 'shed' }).click();
  await expect(page.getByText(readOnlyTexts.reports)).toBeVisible();
  await expect(page.getByRole('button', { name: /^New app/ })).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByRole('button', { name: /^Import apps/ })).toHaveAttribute(
    'title',
    readOnlyTexts.ask,
  );
  await expect(page.getByRole('region', { name: 'Firewall' }).getByText(readOnlyTexts.connect)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Read the firewall' })).toHaveCount(0);
  await expectAccessible(page);
  await expectFitsPhone(page);

  // A second line is asked for by hand, and a credential makes the server a full one.
  await page.getByRole('button', { name: 'Install line of the monitoring agent' }).click();
  await line.getByRole('button', { name: 'Later' }).click();
  await page.getByRole('button', { name: 'Add management credential' }).click();
  const credential = page.getByRole('dialog', { name: 'Management credential' });
  await credential.getByLabel('Credential').selectOption('Password');
  await credential.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('This server is not set up yet')).toBeVisible();
  await expect(page.getByText(readOnlyTexts.reports)).toBeHidden();
});
