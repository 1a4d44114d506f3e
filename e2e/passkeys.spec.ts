import { expectAccessible } from './fixtures/axe.ts';
import { startConsole } from './fixtures/console.ts';
import { signIn, signOut } from './fixtures/person.ts';
import { expectFitsPhone } from './fixtures/phone.ts';
import { expect, test } from './fixtures/test.ts';

/** Chromium's own virtual authenticator stands in for a device (Chrome DevTools Protocol, WebAuthn). */
test('a person adds a passkey, signs in with it, and removes it', async ({ browser }) => {
  const console = await startConsole((url) => ({ HOMEPORT_PUBLIC_URL: url }), 'localhost');
  try {
    const context = await browser.newContext({ baseURL: console.url });
    const page = await context.newPage();
    const devices = await context.newCDPSession(page);
    await devices.send('WebAuthn.enable');
    await devices.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    const person = console.owner;
    await page.goto('/login');
    await signIn(page, person);
    await expect(page).toHaveURL('/home');
    await page.goto('/profile');
    const panel = page.getByRole('region', { name: 'Passkeys' });
    await panel.getByRole('button', { name: 'Add passkey' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
    await dialog.getByRole('button', { name: 'Add passkey' }).click();
    await expect(dialog.getByText('Enter a name.')).toBeVisible();
    await dialog.getByLabel('Name').fill('desk');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Add passkey' }).click();
    await expect(panel.getByText('desk', { exact: true })).toBeVisible();
    await panel.getByRole('button', { name: 'Rename the passkey desk' }).click();
    const rename = page.getByRole('dialog', { name: 'Rename passkey' });
    await rename.getByLabel('Name').fill('laptop');
    await rename.getByRole('button', { name: 'Save name' }).click();
    await expect(panel.getByText('laptop', { exact: true })).toBeVisible();
    await expectFitsPhone(page);

    await signOut(page);
    await page.goto('/login');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await expect(page).toHaveURL('/home');

    await page.goto('/profile');
    await panel.getByRole('button', { name: 'Remove the passkey laptop' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove passkey' }).click();
    await expect(panel.getByText('None yet.')).toBeVisible();
    await context.close();
  } finally {
    await console.stop();
  }
});
