import { makeKey, type Sshd, startSshd, type TestKey } from '@homeport/ssh/testing';
import type { Page } from '@playwright/test';
import { startConsole } from './fixtures/console.ts';
import {
  closeConnection,
  connectionRequired,
  firewall,
  hostKeyQuestion,
  linkServer,
  readFirewall,
} from './fixtures/linked-server.ts';
import { newPerson, signUp } from './fixtures/person.ts';
import { importKey } from './fixtures/server.ts';
import { test as base, expect } from './fixtures/test.ts';

/** Uses keys that only this browser holds to log in on a server. */

const test = base.extend<{ key: TestKey; sshd: Sshd }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the first parameter's properties.
  key: ({}, use) => use(makeKey()),
  sshd: async ({ key }, use) => {
    await using sshd = await startSshd({ authorizedKeys: [key.publicKeyLine] });
    await use(sshd);
  },
});

const authenticated = (page: Page) => firewall(page).getByText('Authenticated', { exact: true });
const unlocking = (page: Page) => page.getByRole('dialog', { name: 'Unlock the key desk' });
const accept = (page: Page) =>
  hostKeyQuestion(page, 'pier').getByRole('button', { name: 'Accept and connect' }).click();

/** Adds a locked key. `lock` fills in the passphrase or passkey. */
async function addLockedKey(
  page: Page,
  { privateKeyPem }: TestKey,
  lock: () => Promise<void>,
): Promise<void> {
  await page.goto('/ssh-keys/new');
  await page.getByLabel('Name', { exact: true }).fill('desk');
  await page.getByLabel('Private key', { exact: true }).fill(privateKeyPem);
  await page.getByLabel('Lock this key').check();
  await lock();
  await page.getByRole('button', { name: 'Add keypair' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'desk' })).toContainText('Locked');
}

test('an opening asks for the passphrase of a locked key, once a visit', async ({
  page,
  key,
  sshd,
  failures,
}) => {
  failures.allow(connectionRequired);
  await signUp(page, newPerson());
  await addLockedKey(page, key, () => page.getByLabel('Passphrase of the lock').fill('a lock of nine'));
  const server = await linkServer(page, sshd, { name: 'pier', credential: { keyName: 'desk' } });
  const dialog = unlocking(page);
  const passphrase = dialog.getByLabel('Passphrase', { exact: true });
  const unlock = dialog.getByRole('button', { name: 'Unlock' });

  await test.step('giving up leads back to where the action began', async () => {
    await readFirewall(page);
    await expect(passphrase).toBeFocused();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toBeHidden();
    await expect(firewall(page).getByRole('button', { name: 'Read the firewall' })).toBeVisible();
    await expect(firewall(page).getByRole('alert')).toHaveCount(0);
    expect(sshd.log()).not.toContain('Accepted publickey');
  });

  await test.step('refuses a wrong passphrase under its field, and connects with the right one', async () => {
    await readFirewall(page);
    await passphrase.fill('not the lock');
    await unlock.click();
    await expect(passphrase).toHaveAccessibleDescription(/not unlock/);
    await passphrase.fill('a lock of nine');
    await unlock.click();
    await accept(page);
    await expect(authenticated(page)).toBeVisible();
  });

  await test.step('keeps the key unlocked for the visit, and locked again after a reload', async () => {
    await closeConnection(page, server);
    await expect(page.getByText('Connects with the next action')).toBeVisible();
    const answered = page.waitForResponse((reply) => reply.url().endsWith('/firewall') && reply.ok());
    await readFirewall(page);
    await answered;
    await closeConnection(page, server);
    await page.reload();
    await readFirewall(page);
    await expect(dialog).toBeVisible();
  });
});

test('a browser that does not hold the key says so, and what to do', async ({
  page,
  browser,
  homeport,
  key,
  sshd,
}) => {
  await signUp(page, newPerson());
  await importKey(page, 'desk', key.privateKeyPem);
  const server = await linkServer(page, sshd, { name: 'pier', credential: { keyName: 'desk' } });
  await expect(page.getByText('Connects with the next action')).toBeVisible();

  const contacts = () => sshd.log().split('Connection from').length;
  const before = contacts();
  await using elsewhere = await browser.newContext({ baseURL: homeport.url });
  await elsewhere.addCookies(await page.context().cookies());
  const second = await elsewhere.newPage();
  await second.goto(`/server/${server.key}`);
  await expect(second.getByText('This browser does not hold the key', { exact: true })).toBeVisible();
  await readFirewall(second);
  await expect(firewall(second).getByRole('alert')).toContainText(
    'This browser does not hold the key desk: import it, or add a new one.',
  );
  expect(contacts(), 'the console did not contact the server').toBe(before);
});

test('only the passkey unlocks a key that is locked with it', async ({ browser, key, sshd }) => {
  // Passkeys belong to a name, and browsers refuse them at an IP address.
  const homeport = await startConsole(
    (url) => ({ HOMEPORT_PUBLIC_URL: url, HOMEPORT_ALLOW_PRIVATE_TARGETS: 'true' }),
    'localhost',
  );
  try {
    await using context = await browser.newContext({ baseURL: homeport.url });
    await context.addCookies(homeport.owner.cookies);
    await context.addInitScript(() => {
      if (location.origin !== 'null') localStorage.setItem('homeport.key-help', 'yes');
    });
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        ...{ protocol: 'ctap2', ctap2Version: 'ctap2_1', transport: 'internal', hasPrf: true },
        ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
      },
    });
    await addLockedKey(page, key, () => page.getByText('Passkey', { exact: true }).click());
    const server = await linkServer(page, sshd, { name: 'pier', credential: { keyName: 'desk' } });

    await readFirewall(page);
    const use = unlocking(page).getByRole('button', { name: 'Use the passkey' });
    await use.click();
    await accept(page);
    await expect(authenticated(page)).toBeVisible();

    await closeConnection(page, server);
    await page.reload();
    await devtools.send('WebAuthn.clearCredentials', { authenticatorId });
    await readFirewall(page);
    await use.click();
    await expect(unlocking(page).getByRole('alert')).toContainText('The passkey was not given.');
  } finally {
    await homeport.stop();
  }
});
