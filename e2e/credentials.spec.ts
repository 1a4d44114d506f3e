import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { hasPuttygen, type KeyFixture, type KeyName, makeFixtures } from '../web/src/keys/key-fixtures.ts';
import { expectAccessible } from './fixtures/axe.ts';
import { newPerson, signUp } from './fixtures/person.ts';
import { holdPrograms } from './fixtures/programs.ts';
import { privateLines, watchSent } from './fixtures/sent.ts';
import { expect, test } from './fixtures/test.ts';

async function fillIn(page: Page, fixture: Pick<KeyFixture, 'text' | 'passphrase'>): Promise<void> {
  await page.getByLabel('Private key', { exact: true }).fill(fixture.text);
  if (fixture.passphrase !== '') await page.getByLabel('Passphrase of this key').fill(fixture.passphrase);
}

/** The keys in IndexedDB, each with the browser's answer to an export. */
function heldKeys(page: Page) {
  return page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open('homeport');
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const held = await new Promise<{ name: string; secret: { keys?: Record<string, unknown> } }[]>(
      (resolve, reject) => {
        const request = database.transaction('keys').objectStore('keys').getAll();
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      },
    );
    database.close();
    const keysOf = (entry: (typeof held)[number]) =>
      Object.values(entry.secret.keys ?? {}).filter((key) => key instanceof CryptoKey);
    return Promise.all(
      held.map(async (entry) => ({
        name: entry.name,
        extractable: keysOf(entry).map(({ extractable }) => extractable),
        refusals: await Promise.all(
          keysOf(entry).map((key) =>
            crypto.subtle.exportKey('pkcs8', key).then(
              () => 'exported',
              (error: DOMException) => error.name,
            ),
          ),
        ),
      })),
    );
  });
}

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

test.describe('a newcomer', () => {
  test.use({ newcomer: true });

  test('goes from the welcome to a key of her own, and keeps the key over a reload', async ({ page }) => {
    const sent = watchSent(page.context());
    await signUp(page, newPerson());
    const welcome = page.getByRole('dialog', { name: 'Add your first keypair' });
    await expect(welcome).toBeVisible();
    await welcome.getByRole('button', { name: 'Add a keypair' }).click();
    await expect(page).toHaveURL('/ssh-keys/new');

    const help = page.getByRole('dialog', { name: 'How to make a key' });
    for (const system of ['Mac', 'Windows', 'Linux']) {
      await help.getByRole('tab', { name: system }).click();
      await expect(help.getByText(/ssh-keygen -t ed25519/)).toBeVisible();
    }
    await help.getByRole('button', { name: 'Generate one here' }).click();
    await expect(help).toBeHidden();

    await page.getByLabel('Name').fill('harbour desk');
    await page.getByRole('button', { name: 'Generate keypair' }).click();
    await expect(page.getByText('chmod 600 ~/Downloads/harbour-desk')).toBeVisible();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save the private key' }).click(),
    ]);
    const folder = mkdtempSync(join(tmpdir(), 'homeport-saved-'));
    try {
      const file = join(folder, download.suggestedFilename());
      await download.saveAs(file);
      chmodSync(file, 0o600);
      const publicKey = execFileSync('ssh-keygen', ['-y', '-f', file], { encoding: 'utf8' }).trim();
      await expect(page.getByText(publicKey)).toBeVisible();
      const saved = execFileSync('cat', [file], { encoding: 'utf8' });
      for (const line of privateLines(saved, publicKey)) expect(sent.holding(line)).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }

    await expect(page.getByRole('link', { name: 'Add your first server' })).toHaveAttribute(
      'href',
      /\/servers/,
    );
    await page.getByRole('link', { name: 'See your keys' }).click();
    await expect(row(page, 'harbour desk')).toContainText('In this browser');
    await page.reload();
    await expect(row(page, 'harbour desk')).toContainText('In this browser');
    expect(await heldKeys(page)).toEqual([
      { name: 'harbour desk', extractable: [false], refusals: ['InvalidAccessError'] },
    ]);

    await page.goto('/home');
    await expect(page.getByRole('heading', { name: 'Welcome, Ada' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'See your keys' })).toBeVisible();
    await expect(welcome).toBeHidden();
  });

  test('sees the welcome and the instructions once each', async ({ page }) => {
    await signUp(page, newPerson());
    await page.getByRole('button', { name: 'Look around first' }).click();
    await page.reload();
    await expect(page.getByRole('link', { name: 'Add a keypair' })).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);

    await page.goto('/ssh-keys/new');
    await page.getByRole('dialog').getByRole('button', { name: 'I have a key' }).click();
    await page.reload();
    await expect(page.getByLabel('Public key')).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.getByRole('button', { name: 'How to make a key' }).click();
    await expect(page.getByRole('dialog', { name: 'How to make a key' })).toBeVisible();
  });

  test('sees the welcome before the page’s program has loaded, and goes on once it has', async ({ page }) => {
    await signUp(page, newPerson());
    const welcome = page.getByRole('dialog', { name: 'Add your first keypair' });
    await expect(welcome).toBeVisible();
    const sendProgram = await holdPrograms(page, '**/assets/{frame,react}-*.js');
    await page.goto('/home', { waitUntil: 'commit' });
    await expect(welcome.getByRole('button', { name: 'Add a keypair' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(welcome).toBeHidden();
    sendProgram();
    await expect(page).toHaveURL('/ssh-keys/new');
  });

  test('sees the welcome on the way to Home from another page too, unless she leaves Home first', async ({
    page,
  }) => {
    await signUp(page, newPerson());
    await page.goto('/promos');
    const entry = (name: string) =>
      page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name });
    const welcome = page.getByRole('dialog', { name: 'Add your first keypair' });
    await entry('Home').click();
    await expect(welcome).toBeVisible();
    await expect(welcome.getByRole('button', { name: 'Add a keypair' })).toBeFocused();
    await page.goBack();
    await expect(page).toHaveURL('/promos');
    await expect(welcome).toBeHidden();
    await entry('Home').click();
    await expect(page.getByRole('heading', { name: /^Welcome|^Good/ })).toBeVisible();
    await expect(welcome).toBeHidden();
  });

  test('has no key to deploy an app with, is told so, and is led to where one is added', async ({ page }) => {
    await signUp(page, newPerson());
    await page.goto('/apps/new');
    await expect(
      page.getByText('You need at least one public key to can create an app. Redirecting to add a new key..'),
    ).toBeVisible();
    await expect(page).toHaveURL('/ssh-keys/new');
  });

  test('finds no accessibility fault in the dialogs that open by themselves', async ({ page }) => {
    await signUp(page, newPerson());
    await expect(page.getByRole('dialog', { name: 'Add your first keypair' })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Add a keypair' }).click();
    await expect(page.getByRole('dialog', { name: 'How to make a key' })).toBeVisible();
    await expectAccessible(page);
  });
});

test('the forms for a key, and a list with a key, have no accessibility finding', async ({ page }) => {
  await signUp(page, newPerson());
  await page.goto('/ssh-keys/new');
  await expect(page.getByLabel('Private key', { exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.getByText('Generate one here').click();
  await page.getByLabel('Name').fill('desk');
  await page.getByRole('button', { name: 'Generate keypair' }).click();
  await expect(page.getByText('chmod 600 ~/Downloads/desk')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'See your keys' }).click();
  await expect(row(page, 'desk')).toContainText('In this browser');
  await expectAccessible(page);
});

/** One file of each program and each kind of encryption. The unit tests of the reader cover every form of every type. */
const forms: readonly [KeyName, readonly string[]][] = [
  ['ed25519', ['OPENSSH', 'OPENSSH aes256-ctr', 'PKCS#8', ...(hasPuttygen ? ['PPK v3 aes256-cbc'] : [])]],
  ['p256', ['PEM', 'PEM DEK-Info aes256', 'PKCS#8 scrypt', ...(hasPuttygen ? ['PPK v2'] : [])]],
];

test('the page takes private keys of many forms, and none of them leaves the browser', async ({
  page,
  homeport,
}) => {
  const sent = watchSent(page.context());
  await signUp(page, newPerson());
  await page.goto('/ssh-keys');
  for (const [keyName, formats] of forms) {
    const fixtures = makeFixtures(keyName).filter(({ format }) => formats.includes(format));
    expect(fixtures.map(({ format }) => format)).toEqual(formats);
    for (const fixture of fixtures) {
      await test.step(`${keyName} as ${fixture.format}`, async () => {
        await page.getByRole('link', { name: 'Add keypair' }).click();
        await page.getByLabel('Name', { exact: true }).fill(fixture.format);
        await fillIn(page, fixture);
        // An encrypted file hides its public half until it is open, and not every form keeps the comment.
        const [type, blob] = fixture.publicKey.split(' ');
        if (fixture.passphrase === '')
          await expect(page.getByLabel('Public key')).toHaveValue(new RegExp(`^${type} ${escaped(blob)}`));
        await page.getByRole('button', { name: 'Add keypair' }).click();
        await expect(row(page, fixture.format)).toContainText('In this browser');
        expect(sent.holding(blob ?? ''), 'the watch sees the public half, so it works').not.toEqual([]);
        await row(page, fixture.format)
          .getByRole('button', { name: /^Delete/ })
          .click();
        await page.getByRole('button', { name: 'Delete key' }).click();
        await expect(page.getByText('No keys yet')).toBeVisible();
      });
      const { text, passphrase, publicKey } = fixture;
      for (const secret of [...privateLines(text, publicKey), ...(passphrase === '' ? [] : [passphrase])]) {
        expect(sent.holding(secret)).toEqual([]);
        expect(homeport.output()).not.toContain(secret);
      }
    }
  }
});

const escaped = (base64 = '') => base64.replaceAll(/[+/]/g, (sign) => `\\${sign}`);

test('the form refuses an unusable key under its field, with the way out', async ({ ownerPage: page }) => {
  const [rsa] = makeFixtures('rsa2048');
  const [other] = makeFixtures('ed25519');
  if (!rsa || !other) throw new Error('No keys were made.');
  const folder = mkdtempSync(join(tmpdir(), 'homeport-refused-'));
  try {
    const file = join(folder, 'key');
    writeFileSync(file, rsa.text, { mode: 0o600 });
    execFileSync('ssh-keygen', ['-q', '-p', '-m', 'PEM', '-P', '', '-N', '', '-f', file]);
    const oldForm = ['rsa', '-traditional', '-des3', '-in', file, '-passout', 'pass:lantern'];
    const tripleDes = execFileSync('openssl', oldForm, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });

    await page.goto('/ssh-keys/new');
    const privateKey = page.getByLabel('Private key', { exact: true });
    const publicKey = page.getByLabel('Public key');
    await privateKey.fill('not a key');
    await expect(privateKey).toHaveAccessibleDescription(/invalid key.*BEGIN/);
    await privateKey.fill(tripleDes);
    await expect(privateKey).toHaveAccessibleDescription(/DES-EDE3.*ssh-keygen -p -f/);
    await publicKey.fill('ssh-ed25519 BBBB');
    await expect(publicKey).toHaveAccessibleDescription(/invalid key.*ssh-ed25519/);
    await expect(page.getByLabel('Fingerprint')).toHaveValue('');

    await publicKey.fill(other.publicKey);
    await expect(page.getByLabel('Fingerprint')).toHaveValue(/^([0-9a-f]{2}:){15}[0-9a-f]{2}$/);
    await privateKey.fill(rsa.text);
    await expect(privateKey).toHaveAccessibleDescription(/not of one pair/);

    await page.getByRole('button', { name: 'Add keypair' }).click();
    await expect(page.getByLabel('Name')).toBeFocused();
    await expect(page.getByLabel('Name')).toHaveAccessibleDescription('Enter a name.');
    await expect(privateKey).toHaveValue(rsa.text);
    await expectAccessible(page);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('another browser does not hold a key before its import, and a locked key can be exported again', async ({
  page,
  browser,
  homeport,
}) => {
  const fixture = makeFixtures('ed25519').find(({ format }) => format === 'OPENSSH aes256-ctr');
  const [wrong] = makeFixtures('p256');
  if (!fixture || !wrong) throw new Error('No keys were made.');
  await signUp(page, newPerson());
  await page.goto('/ssh-keys/new');
  await page.getByLabel('Name').fill('desk');
  await fillIn(page, { text: fixture.text, passphrase: 'wrong' });
  await page.getByLabel('Lock this key').check();
  await page.getByLabel('Passphrase of the lock').fill('a lock of nine');
  await page.getByRole('button', { name: 'Add keypair' }).click();
  await expect(page.getByLabel('Passphrase of this key')).toHaveAccessibleDescription(
    /does not open this key/,
  );
  await page.getByLabel('Passphrase of this key').fill(fixture.passphrase);
  await page.getByRole('button', { name: 'Add keypair' }).click();
  await expect(row(page, 'desk')).toContainText('Locked');

  await page.getByRole('button', { name: 'Export desk again' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export desk again' });
  await dialog.getByLabel('Passphrase of the lock').fill('not the lock');
  await dialog.getByRole('button', { name: 'Save the private key' }).click();
  await expect(dialog.getByLabel('Passphrase of the lock')).toHaveAccessibleDescription(/not unlock/);
  await dialog.getByLabel('Passphrase of the lock').fill('a lock of nine');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Save the private key' }).click(),
  ]);
  const folder = mkdtempSync(join(tmpdir(), 'homeport-export-'));
  try {
    const file = join(folder, 'desk');
    await download.saveAs(file);
    chmodSync(file, 0o600);
    const printed = execFileSync('ssh-keygen', ['-y', '-P', 'a lock of nine', '-f', file], {
      encoding: 'utf8',
    });
    expect(printed.split(' ')[1]).toBe(fixture.publicKey.split(' ')[1]);
  } finally {
    rmSync(folder, { recursive: true });
  }

  const elsewhere = await browser.newContext({ baseURL: homeport.url });
  try {
    await elsewhere.addCookies(await page.context().cookies());
    const second = await elsewhere.newPage();
    await second.goto('/ssh-keys');
    await expect(row(second, 'desk')).toContainText('Not in this browser');
    await row(second, 'desk').getByRole('link', { name: 'Add private key' }).click();
    const privateKey = second.getByLabel('Private key', { exact: true });
    await expect(second.getByLabel('Name', { exact: true })).toHaveValue('desk');
    await privateKey.fill(wrong.text);
    await expect(privateKey).toHaveAccessibleDescription(/not of one pair/);
    await fillIn(second, fixture);
    await second.getByRole('button', { name: 'Add private key' }).click();
    await expect(row(second, 'desk')).toContainText('In this browser');
    expect(await heldKeys(second)).toEqual([
      { name: 'desk', extractable: [false], refusals: ['InvalidAccessError'] },
    ]);

    await second.getByRole('button', { name: 'Delete desk' }).click();
    await second.getByRole('button', { name: 'Delete key' }).click();
    await expect(second.getByText('No keys yet')).toBeVisible();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect(row(page, 'desk')).toContainText('Public half not stored here');
  } finally {
    await elsewhere.close();
  }

  // A stale list of keys does not keep the person from deleting a key.
  await page.route('**/api/keys', (route) =>
    route.request().method() === 'GET' ? route.fulfill({ json: [] }) : route.continue(),
  );
  await page.getByRole('button', { name: 'Store public key' }).click();
  await expect(page.getByText('Public key stored')).toBeVisible();
  await expect(row(page, 'desk')).toContainText('Public half not stored here');
  await page.getByRole('button', { name: 'Delete desk' }).click();
  await page.getByRole('button', { name: 'Delete key' }).click();
  await expect(page.getByText('No keys yet')).toBeVisible();
  await page.unroute('**/api/keys');
  await page.reload();
  await expect(page.getByText('No keys yet')).toBeVisible();
});
