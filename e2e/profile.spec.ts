import { nextTotpOf, totpOf } from '@homeport/api/testing';
import { makeKey } from '@homeport/ssh/testing';
import { expectAccessible } from './fixtures/axe.ts';
import { mailedLink, newPerson, signIn, signOut, signUp } from './fixtures/person.ts';
import { expectFitsPhone } from './fixtures/phone.ts';
import { importKey } from './fixtures/server.ts';
import { expect, test } from './fixtures/test.ts';

const parts = [
  ['password', 'Password', 'Sign-in'],
  ['passkeys', 'Passkeys', 'Sign-in'],
  ['second-step', 'Second step', 'Sign-in'],
  ['sessions', 'Sign-ins', 'Sign-in'],
  ['programs', 'Programs', 'Sign-in'],
  ['security-events', 'Security events', 'History and data'],
  ['your-data', 'Your data', 'History and data'],
  ['danger-zone', 'Your data', 'History and data'],
] as const;

test('the profile leads to each of its sections', async ({ page }) => {
  await signUp(page, newPerson());
  await page.goto('/profile');
  const sections = page.getByRole('navigation', { name: 'Sections' });
  const tabs = sections.getByRole('link');
  await expect(tabs).toHaveText([
    'You',
    'Cloudflare',
    'GitHub',
    'Sign-in',
    'Notifications',
    'History and data',
  ]);
  for (const tab of await tabs.all()) {
    await tab.click();
    const id = (await tab.getAttribute('href'))?.slice(1);
    await expect(page.locator(`[id="${id}"]`)).toBeInViewport();
  }
  // A section under the tab of another one, and one that became a part of it, keep their anchors.
  for (const [anchor, part, tab] of parts) {
    await page.goto(`/profile#${anchor}`);
    await expect(page.getByRole('region', { name: part, exact: true })).toBeInViewport();
    await expect(sections.getByRole('link', { name: tab, exact: true })).toHaveAttribute(
      'aria-current',
      'location',
    );
  }
  await expectAccessible(page);
  await expectFitsPhone(page);

  // The list of sections is wider than a phone. It shows on which side there is more, and follows the reader.
  const list = sections.getByRole('list');
  await page.mouse.move(195, 400);
  await page.mouse.wheel(0, -20_000);
  await expect(list).toHaveAttribute('data-hidden', 'end');
  const last = sections.getByRole('link').last();
  await expect(last).not.toBeInViewport({ ratio: 1 });
  await page.mouse.wheel(0, 20_000);
  await expect(list).toHaveAttribute('data-hidden', 'start');
  // A list scrolls by whole pixels, so half of one may be missing.
  await expect(last).toBeInViewport({ ratio: 0.99 });
});

test('a person changes the password, and the other browser is signed out', async ({
  page,
  browser,
  homeport,
  failures,
}) => {
  failures.mayCome(/status of 400/);
  const person = newPerson();
  await signUp(page, person);
  const elsewhere = await browser.newContext({ baseURL: homeport.url });
  const other = await elsewhere.newPage();
  await other.goto('/login');
  await signIn(other, person);
  await expect(other).toHaveURL('/home');

  await page.goto('/profile');
  const signIns = page.getByRole('list', { name: 'Sign-ins' });
  await expect(signIns.getByRole('listitem')).toHaveCount(2);
  await expect(signIns.getByRole('listitem').filter({ hasText: 'This browser' })).toHaveCount(1);

  await page
    .getByRole('region', { name: 'Password' })
    .getByRole('button', { name: 'Change password' })
    .click();
  const panel = page.getByRole('dialog', { name: 'Change password' });
  await panel.getByRole('button', { name: 'Change password' }).click();
  await expect(panel.getByText('Enter your password.')).toBeVisible();
  await panel.getByLabel('Current password').fill('not the one at all');
  await panel.getByLabel('New password', { exact: true }).fill('a better harbour');
  await page.keyboard.press('Enter');
  await expect(panel.getByText('This is not your password.')).toBeVisible();
  await expect(panel.getByLabel('Current password')).toBeFocused();
  await panel.getByLabel('Current password').fill(person.password);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Password changed, 1 other sign-in ended')).toBeVisible();
  await expect(signIns.getByRole('listitem')).toHaveCount(1);
  await expect(
    page.getByRole('region', { name: 'Security events' }).getByText('Password changed'),
  ).toBeVisible();
  await expect(other).toHaveURL(/\/login/);
  await elsewhere.close();
});

test('a person ends one sign-in of another browser', async ({ page, browser, homeport }) => {
  const person = newPerson();
  await signUp(page, person);
  const elsewhere = await browser.newContext({ baseURL: homeport.url });
  const other = await elsewhere.newPage();
  await other.goto('/login');
  await signIn(other, person);
  await expect(other).toHaveURL('/home');
  await page.goto('/profile');
  await page.getByRole('button', { name: /^End the sign-in of .* from / }).click();
  await expect(page.getByText(/^Sign-in of .* ended$/).first()).toBeVisible();
  await expect(other).toHaveURL(/\/login/);
  await elsewhere.close();
});

test('a program reads with an API token that the page shows once', async ({ page, homeport }) => {
  await signUp(page, newPerson());
  await page.goto('/profile');
  const panel = page.getByRole('region', { name: 'Programs' });
  await panel.getByRole('button', { name: 'New token' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Make token' }).click();
  await expect(dialog.getByText('Enter a name.')).toBeVisible();
  await expect(dialog.getByText('Choose at least one area.')).toBeVisible();
  await expectAccessible(page, '[role="dialog"]');
  await dialog.getByLabel('Name').fill('backup');
  const servers = dialog.getByRole('group', { name: 'Servers' });
  await dialog.getByText('Coding agent', { exact: true }).click();
  await expect(servers.getByText('Write')).toBeHidden();
  await dialog.getByText('Program', { exact: true }).click();
  await expect(servers.getByText('Write')).toBeVisible();
  await servers.getByText('Read', { exact: true }).click();
  const stats = dialog.getByRole('group', { name: 'Stats' });
  await stats.getByText('Read', { exact: true }).click();
  await expect(dialog.getByText(/^Stats name what is measured/)).toBeVisible();
  await stats.getByText('Closed', { exact: true }).click();
  await expect(dialog.getByText(/^Stats name what is measured/)).toBeHidden();
  await dialog.getByRole('button', { name: 'Make token' }).click();
  await dialog.getByRole('button', { name: 'Show token' }).click();
  const token = (await dialog.getByText(/^homeport_/).textContent()) ?? '';
  await expectAccessible(page, '[role="dialog"]');
  await dialog.getByRole('button', { name: 'I have copied it' }).click();
  await expect(panel.getByText(/never used/)).toBeVisible();

  const ask = (path: string) => fetch(homeport.url + path, { headers: { authorization: `Bearer ${token}` } });
  expect((await ask('/api/servers')).status).toBe(200);
  expect((await ask('/api/apps')).status).toBe(403);

  // What it reads is not listed; what it tries to change is.
  const body = { method: 'DELETE', headers: { authorization: `Bearer ${token}` } };
  expect((await fetch(`${homeport.url}/api/keys/none`, body)).status).toBe(403);
  const history = panel.getByRole('button', { name: 'What it did with the token backup' });
  await history.click();
  const did = page.getByRole('dialog', { name: 'What backup did' });
  const lines = did.getByRole('list', { name: 'What it did' }).getByRole('listitem');
  await expect(lines).toHaveCount(1);
  await expect(lines).toContainText('Refused');
  await expect(lines).toContainText('127.0.0.1, This machine');
  await expectAccessible(page, '[role="dialog"]');
  await page.keyboard.press('Escape');
  await expect(history).toBeFocused();
  await expect(panel.getByText(/last used .* from 127\.0\.0\.1, This machine/)).toBeVisible();

  await panel.getByRole('button', { name: 'Revoke the token backup' }).click();
  await page.getByRole('button', { name: 'Revoke token' }).click();
  await expect(panel.getByText('None yet.')).toBeVisible();
  expect((await ask('/api/servers')).status).toBe(401);
  await panel.getByText('1 token is gone: what it did stays for 30 days').click();
  await expectAccessible(page, '#programs');
  await expectFitsPhone(page);
  await history.click();
  await expect(lines).toHaveCount(1);
  await did.getByRole('button', { name: 'Close', exact: true }).last().click();
});

test('all tokens are revoked at once, each kind listed with its like', async ({ page, homeport }) => {
  await signUp(page, newPerson());
  const made = await page.evaluate(async () => {
    const make = async (kind: string, name: string) => {
      const body = JSON.stringify({ kind, name, scopes: ['servers:read'], days: 30 });
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch('/api/tokens', { method: 'POST', headers, body });
      return ((await answer.json()) as { token: string }).token;
    };
    return [await make('program', 'backup'), await make('agent', 'helper'), await make('program', 'metrics')];
  });
  await page.goto('/profile');
  const panel = page.getByRole('region', { name: 'Programs' });
  const lines = panel.getByRole('list', { name: 'Programs' }).getByRole('listitem');
  await expect(lines).toHaveText([/^metrics/, /^backup/, /^helper.*Coding agent\./]);
  await expectAccessible(page, '#programs');
  await panel.getByRole('button', { name: 'Revoke all' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Revoke all 3 tokens?' });
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await expectAccessible(page, '[role="alertdialog"]');
  await dialog.getByRole('button', { name: 'Revoke all tokens' }).click();
  await expect(page.getByText('3 tokens revoked').first()).toBeVisible();
  await expect(panel.getByText('None yet.')).toBeVisible();
  for (const token of made)
    expect(
      (await fetch(`${homeport.url}/api/servers`, { headers: { authorization: `Bearer ${token}` } })).status,
    ).toBe(401);
});

test('a person turns the second step on and signs in with the app, then with a recovery code', async ({
  page,
  failures,
}) => {
  failures.mayCome(/status of 401|status of 400/);
  failures.allow(/ERR_FAILED/);
  const person = newPerson();
  await signUp(page, person);
  await page.goto('/profile');
  const panel = page.getByRole('region', { name: 'Second step' });
  const begun = page.waitForResponse(/two-factor\/enable/, { timeout: 90_000 });
  await panel.getByRole('button', { name: 'Turn on' }).click();
  await page.getByRole('dialog').getByLabel('Your password').fill(person.password);
  await page.keyboard.press('Enter');
  const { totpURI } = (await (await begun).json()) as { totpURI: string };
  await expect(page.getByRole('img', { name: 'The secret as a QR code' })).toBeVisible();
  await expectAccessible(page, '[role="dialog"]');
  await page.getByLabel('Code of the app').fill('000000');
  await page.keyboard.press('Enter');
  await expect(page.getByText('This code is wrong or was used before.')).toBeVisible();
  await page.getByLabel('Code of the app').fill(totpOf(totpURI));
  await page.keyboard.press('Enter');
  const codes = page.getByRole('list', { name: 'Recovery codes' });
  await expect(codes.getByRole('listitem')).toHaveCount(10);
  const [code = ''] = await codes.getByRole('listitem').allTextContents();
  await page.getByRole('button', { name: 'I have kept them' }).click();
  await expect(panel.getByText('On', { exact: true })).toBeVisible();

  await signOut(page);
  // The form of the code does not arrive: the way on is another load of the page.
  await page.route('**/assets/SecondStepForm-*.js', (route) => route.abort());
  await signIn(page, person);
  await expect(page.getByText('A part of this page could not be loaded.')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Password' })).toBeFocused();
  await page.unroute('**/assets/SecondStepForm-*.js');
  await page.getByRole('button', { name: 'Load again' }).click();
  await signIn(page, person);
  await expect(page.getByRole('heading', { name: 'Second step' })).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Code of the app').fill(nextTotpOf(totpURI));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/home');

  await signOut(page);
  await signIn(page, person);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(code);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/home');
});

test('a person chooses a picture, which the account menu shows, and removes it', async ({ page }) => {
  await signUp(page, newPerson());
  await page.goto('/profile');
  const panel = page.getByRole('region', { name: 'You', exact: true });
  const pictures = page.locator('img[src^="/api/profile/avatar?version="]');
  await expect(panel.getByRole('button', { name: 'Remove picture' })).toBeDisabled();
  const file = panel.getByLabel('File of the picture');
  await file.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
  await expect(panel.getByText(/^This browser cannot read the file as a picture/)).toBeVisible();
  const drawn = await page.screenshot({ clip: { x: 0, y: 0, width: 400, height: 300 } });
  await file.setInputFiles({ name: 'harbour.png', mimeType: 'image/png', buffer: drawn });
  await expect(page.getByText('Picture saved').first()).toBeVisible();
  await expect(pictures).toHaveCount(2);
  const widths = () =>
    pictures.evaluateAll((all) => all.map((each) => (each as HTMLImageElement).naturalWidth));
  await expect.poll(widths).toEqual([256, 256]);
  await expectAccessible(page);
  await expectFitsPhone(page);
  await panel.getByRole('button', { name: 'Remove picture' }).click();
  await expect(page.getByText('Picture removed').first()).toBeVisible();
  await expect(pictures).toHaveCount(0);
});

test('a person changes the e-mail address by a link to each of the two', async ({
  page,
  homeport,
  failures,
}) => {
  failures.allow(/status of 400 .*\/api\/profile\/email-change\)$/);
  // The link of the change that was cancelled.
  failures.allow(/status of 404 .*\/api\/auth\/confirm-email-change\)$/);
  const person = newPerson();
  const { email: next } = newPerson();
  await signUp(page, person);
  await page.goto('/profile');
  const panel = page.getByRole('region', { name: 'You', exact: true });
  await panel.getByRole('button', { name: 'Change e-mail' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('New e-mail').fill(next);
  await dialog.getByLabel('Your password').fill('not the one at all');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('This is not your password.')).toBeVisible();
  await expectAccessible(page, '[role="dialog"]');
  await dialog.getByLabel('Your password').fill(person.password);
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(panel.getByText(`Your address becomes ${next}`)).toContainText(/It works until .*\d\d/);
  await expectAccessible(page);
  await expectFitsPhone(page);
  await panel.getByRole('button', { name: /^Cancel/ }).click();
  await expect(panel.getByText(`Your address becomes ${next}`)).toBeHidden();
  const cancelled = await mailedLink(homeport, person.email, /^Confirm a new e-mail address/);

  await panel.getByRole('button', { name: 'Change e-mail' }).click();
  await dialog.getByLabel('New e-mail').fill(next);
  await dialog.getByLabel('Your password').fill(person.password);
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  const links = page.context();
  const link = await links.newPage();
  await link.goto(cancelled);
  await expect(link.getByText('This link no longer works.')).toBeVisible();
  await expectAccessible(link);
  await link.close();
  for (const [address, told] of [
    [person.email, 'One more link'],
    [next, 'E-mail changed'],
  ] as const) {
    const opened = await links.newPage();
    await opened.goto(await mailedLink(homeport, address, /^Confirm (a|your) new e-mail address/));
    await expect(opened.getByRole('heading', { name: told })).toBeVisible();
    await opened.close();
  }
  await expect(panel.getByLabel('E-mail', { exact: true })).toHaveValue(next);
  await signOut(page);
  await signIn(page, { ...person, email: next });
  await expect(page).toHaveURL('/home');
});

test('a person renames a key', async ({ page }) => {
  await signUp(page, newPerson());
  await importKey(page, 'laptop', makeKey().privateKeyPem);
  await page.goto('/ssh-keys');
  await page.getByRole('button', { name: 'Rename laptop' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('desktop');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('row').filter({ hasText: 'desktop' })).toBeVisible();
});

test('a person deletes the account with the password and the word', async ({ page, failures }) => {
  failures.mayCome(/status of 40[01]/);
  const person = newPerson();
  await signUp(page, person);
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Delete account' }).click();
  const dialog = page.getByRole('alertdialog');
  await expectAccessible(page, '[role="alertdialog"]');
  await expect(dialog.getByRole('button', { name: 'Delete account' })).toBeDisabled();
  await dialog.getByLabel('Type delete to confirm').fill('delete');
  await dialog.getByLabel('Your password').fill('not the one at all');
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await expect(dialog.getByText('This is not your password.').first()).toBeVisible();
  await dialog.getByLabel('Your password').fill(person.password);
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await expect(page).toHaveURL(/\/login/);
  await signIn(page, person);
  await expect(page.getByText('The e-mail address or the password is wrong.').first()).toBeVisible();
});

test('a session that was left open asks who the person is, and then makes the token by itself', async ({
  page,
  failures,
}) => {
  failures.mayCome(/status of 40[03]/);
  const person = newPerson();
  await signUp(page, person);
  await page.goto('/profile');
  // The console refuses like this after ten minutes.
  const code = 'confirmation_required';
  const refusal = {
    code,
    message: 'Confirm first that it is you. Nothing was changed.',
    recovery: 'Confirm.',
  };
  let refused = 0;
  await page.route('**/api/tokens', (route) =>
    route.request().method() === 'POST' && refused++ < 1
      ? route.fulfill({ status: 403, json: refusal })
      : route.fallback(),
  );
  const panel = page.getByRole('region', { name: 'Programs' });
  await panel.getByRole('button', { name: 'New token' }).click();
  const form = page.getByRole('dialog', { name: 'New API token' });
  await form.getByLabel('Name').fill('backup');
  await form.getByRole('group', { name: 'Servers' }).getByText('Read', { exact: true }).click();
  await form.getByRole('button', { name: 'Make token' }).click();

  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
  const password = dialog.getByLabel('Your password');
  await expect(password).toBeFocused();
  await expectAccessible(page, '[role="dialog"]');
  await page.setViewportSize({ width: 390, height: 844 });
  const width = () =>
    dialog.evaluate((element) => Math.max(document.documentElement.scrollWidth, element.scrollWidth));
  await expect.poll(width, 'as wide as the phone').toBeLessThanOrEqual(390);
  await password.fill('not this one');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('This is not your password.')).toBeVisible();
  await expect(password).toBeFocused();
  await password.fill(person.password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Token backup' })).toBeVisible();
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await expect(panel.getByRole('listitem').filter({ hasText: 'backup' })).toBeVisible();
});
