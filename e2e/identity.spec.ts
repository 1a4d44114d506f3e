import { expectAccessible } from './fixtures/axe.ts';
import { mailedLink, newPerson, signIn, signOut, signUp } from './fixtures/person.ts';
import { holdPrograms } from './fixtures/programs.ts';
import { expect, test } from './fixtures/test.ts';

test('a newcomer signs up, lands on /home, and verifies the e-mail address by the message', async ({
  page,
  homeport,
}) => {
  const person = newPerson();
  await page.goto(`/signup?email=${encodeURIComponent(person.email)}`);
  await expect(page.getByLabel('E-mail')).toHaveValue(person.email);
  await expectAccessible(page);

  await signUp(page, person);
  const banner = page.getByText(`Its owner finds the message that verifies ${person.email} in the outbox`);
  await expect(banner).toBeVisible();

  await page.goto(await mailedLink(homeport, person.email, /verify/i));
  await expect(page.getByRole('heading', { name: 'E-mail verified' })).toBeVisible();
  await expectAccessible(page);
  await page.goto('/home');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(banner).toBeHidden();
});

test('a console without an account begins with the form of its owner', async ({ page }) => {
  await page.route('**/api/configuration', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ json: { ...(await answer.json()), hasOwner: false } });
  });
  await page.goto('/servers');
  await expect(page.getByRole('heading', { name: 'Create the owner’s account' })).toBeVisible();
  await page.getByText('Restore a backup instead').click();
  await expect(page.getByText('npm start -- restore FILE --identity KEY')).toBeVisible();
  await expect(page).toHaveURL('/signup?next=%2Fservers');
  await expectAccessible(page);
});

test('a link from a message whose page does not load says so, and can be loaded again', async ({
  page,
  failures,
}) => {
  failures.allow(/ERR_FAILED/);
  await page.route('**/assets/ResetPasswordPage-*.js', (route) => route.abort());
  await page.goto('/reset-password#token=abc');
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('The page could not be loaded');
  await expectAccessible(page);
  await page.unroute('**/assets/ResetPasswordPage-*.js');
  await alert.getByRole('button', { name: 'Load again' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /password/i })).toBeVisible();
});

test('a program that does not load says so, on an address without a document of its own', async ({
  page,
  failures,
}) => {
  failures.allow(/ERR_FAILED/);
  failures.allow(/The program failed/);
  // No such token.
  failures.allow(/status of 400 .*\/verify-email\)/);
  await page.route('**/assets/signed-out-*.js', (route) => route.abort());
  await page.goto('/verify-email#token=abc');
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('The page could not be loaded');
  await expectAccessible(page);
  await page.unroute('**/assets/signed-out-*.js');
  await alert.getByRole('button', { name: 'Load again' }).click();
  await expect(page.getByText('This link is no longer valid.')).toBeVisible();
});

test('what sign-in loads on demand says so where it does not arrive, and keeps the form', async ({
  page,
  failures,
}) => {
  failures.allow(/ERR_FAILED/);
  for (const part of ['ForgotForm', 'passkey-sign-in'])
    await page.route(`**/assets/${part}-*.js`, (route) => route.abort());
  await page.goto('/login');
  await page.getByLabel('E-mail').fill('ada@example.com');
  await page.getByRole('button', { name: 'Forgot password?' }).click();
  const missing = page.getByText('A part of this page could not be loaded.');
  await expect(missing).toHaveCount(1);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(missing).toHaveCount(2);
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeEnabled();
  await expect(page.getByLabel('E-mail')).toHaveValue('ada@example.com');
});

test('a signed-out visitor of any page signs in first and comes back to that page', async ({
  page,
  homeport,
}) => {
  await page.goto('/servers?add=1');
  await expect(page).toHaveURL(/\/login\?next=/);
  await expectAccessible(page);
  await signIn(page, homeport.owner);
  await expect(page).toHaveURL(/\/servers\?add=/);

  for (const path of ['/login', '/signup']) {
    await page.goto(path);
    await expect(page, `${path} is for the signed-out`).toHaveURL('/home');
  }
});

test('a visitor with the cookie of an ended session signs in first, too', async ({
  page,
  baseURL,
  homeport,
  failures,
}) => {
  failures.mayCome(/status of 401/);
  await page
    .context()
    .addCookies([{ name: 'homeport.session_token', value: 'ended.long-ago', url: baseURL ?? '' }]);
  await page.goto('/servers');
  await expect(page).toHaveURL('/login?next=%2Fservers');
  await signIn(page, homeport.owner);
  await expect(page).toHaveURL('/servers');
  await expect(page.getByRole('heading', { level: 1, name: 'Servers' })).toBeVisible();
});

test('signing out in one tab signs out every tab', async ({ page, context }) => {
  const person = newPerson();
  await signUp(page, person);
  const other = await context.newPage();
  await other.goto('/promos');
  // The drawn page shows before its program has loaded. A program that loads after the sign-out is refused its live socket.
  await expect(other.getByText('Live', { exact: true })).toBeVisible();

  await signOut(page);
  await other.goto('/home');
  await expect(other).toHaveURL(/\/login/);
});

test('the message replaces a forgotten password, and the old password no longer works', async ({
  page,
  context,
  homeport,
  failures,
}) => {
  const person = newPerson();
  await signUp(page, person);
  // Leaves the page first, because an open page without a session goes to the sign-in form by itself.
  await page.goto('about:blank');
  await context.clearCookies();

  await page.goto('/login');
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByRole('button', { name: 'Forgot password?' }).click();
  await expect(page.getByRole('heading', { name: 'Reset your password' })).toBeVisible();
  await expect(page.getByLabel('E-mail')).toHaveValue(person.email);
  await page.getByRole('button', { name: 'Send the link' }).click();
  const link = await mailedLink(homeport, person.email, /new password/i);

  await page.goto(link);
  await expectAccessible(page);
  const changed = { ...person, password: `${person.password}-2` };
  await page.getByLabel('New password', { exact: true }).fill(changed.password);
  await page.getByRole('button', { name: 'Save password' }).click();
  await expect(page).toHaveURL(/\/login/);

  // Chromium logs a line for each answer 401.
  failures.allow(/status of 401/);
  await signIn(page, person);
  await expect(page.getByRole('alert')).toContainText('The e-mail address or the password is wrong.');
  await expect(page.getByLabel('E-mail')).toHaveValue(person.email);
  await signIn(page, changed);
  await expect(page).toHaveURL('/home');
});

test('/register redirects to /signup with its query, and unknown paths and entries of the signed-in to /home', async ({
  page,
  homeport,
}) => {
  await page.goto('/register?email=ada@example.com');
  await expect(page).toHaveURL(/\/signup\?email=ada(@|%40)example\.com$/);
  await expect(page.getByLabel('E-mail')).toHaveValue('ada@example.com');

  await page.context().addCookies(homeport.owner.cookies);
  await page.goto('/no/such/page?x=1');
  await expect(page).toHaveURL('/home');
  for (const entry of ['/register', '/signup', '/login']) {
    await page.goto(entry);
    await expect(page).toHaveURL('/home');
  }
});

test('an invalid form is not sent, keeps the typed text, and focuses the first invalid field', async ({
  page,
}) => {
  await page.goto('/signup');
  await page.getByLabel('Name').fill('Ada Lantern');
  await page.getByLabel('E-mail').fill('not an address');
  await page.getByLabel('Password', { exact: true }).fill('short');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByLabel('E-mail')).toBeFocused();
  await page.getByLabel('E-mail').fill('ada@example.com');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
  await expect(page.getByLabel('Password', { exact: true })).toHaveAccessibleDescription(/8 characters/);
  await expect(page.getByLabel('Name')).toHaveValue('Ada Lantern');
  await expect(page).toHaveURL('/signup');
});

test('the sign-in form shows before its program has loaded, and keeps the typed text and the focus', async ({
  page,
}) => {
  const sendProgram = await holdPrograms(page);
  await page.goto('/login', { waitUntil: 'commit' });
  const email = page.getByLabel('E-mail');
  await email.fill('ada@example.com');
  sendProgram();

  // Only the loaded program can show the typed password.
  await expect(async () => {
    await page.getByRole('button', { name: 'Show password' }).dispatchEvent('click');
    await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('type', 'text', {
      timeout: 250,
    });
  }).toPass({ timeout: 90_000 });
  await expect(email).toHaveValue('ada@example.com');
  await expect(email).toBeFocused();
});
