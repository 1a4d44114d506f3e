import { expectAccessible } from './fixtures/axe.ts';
import { type Console, startConsole } from './fixtures/console.ts';
import { mailedLink, newPerson } from './fixtures/person.ts';
import { test as base, expect } from './fixtures/test.ts';
import { keepWelcomesClosed } from './fixtures/welcome.ts';

/** Tests on a console that others can reach and that takes new accounts by invitation. */
const test = base.extend<object, { homeport: Console }>({
  homeport: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the first parameter's properties.
    async ({}, use) => {
      const homeport = await startConsole((url) => ({
        HOMEPORT_PUBLIC_URL: url,
        HOMEPORT_SIGNUPS: 'invite',
      }));
      await use(homeport);
      await homeport.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
});

test('the owner invites a person, whose link makes one account, and sees that the person joined', async ({
  ownerPage,
  browser,
  homeport,
  failures,
}) => {
  const guest = newPerson('Bea Buoy');
  await ownerPage.goto('/profile');
  const people = ownerPage.getByRole('region', { name: 'People' });
  await expect(people.getByText('Nobody is invited yet.')).toBeVisible();
  await people.getByLabel('E-mail of the person').fill('not an address');
  failures.allow(/status of 400/);
  await people.getByRole('button', { name: 'Invite' }).click();
  await expect(people.getByLabel('E-mail of the person')).toHaveAccessibleDescription(
    'Enter an e-mail address.',
  );
  await people.getByLabel('E-mail of the person').fill(guest.email);
  await people.getByRole('button', { name: 'Invite' }).click();
  const line = people.getByRole('listitem').filter({ hasText: guest.email });
  await expect(line.getByText('Invited', { exact: true })).toBeVisible();
  await expect(
    ownerPage.getByRole('region', { name: 'Outbox' }).getByText(/An invitation to Homeport.* to .*@/),
  ).toBeVisible();
  await expectAccessible(ownerPage);

  const context = await browser.newContext({ baseURL: homeport.url });
  await keepWelcomesClosed(context);
  const page = await context.newPage();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(`${request.url()} ${JSON.stringify(request.headers())}`));
  await page.goto('/signup');
  await expect(page.getByText('You need an invitation to make an account on this console.')).toBeVisible();

  const link = await mailedLink(homeport, guest.email, /invitation/i);
  await page.goto(link);
  await expect(page.getByLabel('E-mail')).toHaveValue(guest.email);
  await expect(page.getByText('You need an invitation to make an account on this console.')).toBeHidden();
  await page.getByLabel('Name').fill(guest.name);
  await page.getByLabel('Password', { exact: true }).fill(guest.password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page).toHaveURL('/home');
  const token = new URL(link).hash.replace('#token=', '');
  expect(asked.join('\n'), 'no address and no header contains the token').not.toContain(token);
  await page.goto('/profile');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('region', { name: 'People' })).toHaveCount(0);
  await context.close();

  // Well before the reading of each minute, which would show it as well.
  await expect(line.getByText('Joined')).toBeVisible();
  await expect(line.getByRole('button')).toHaveCount(0);
});

test('a withdrawn invitation lets nobody in', async ({ ownerPage, browser, homeport }) => {
  const guest = newPerson('Cy Cable');
  await ownerPage.goto('/profile');
  const people = ownerPage.getByRole('region', { name: 'People' });
  await people.getByLabel('E-mail of the person').fill(guest.email);
  await people.getByRole('button', { name: 'Invite' }).click();
  const link = await mailedLink(homeport, guest.email, /invitation/i);
  await people.getByRole('button', { name: `Withdraw the invitation for ${guest.email}` }).click();
  const line = people.getByRole('listitem').filter({ hasText: guest.email });
  await expect(line.getByText('Withdrawn', { exact: true })).toBeVisible();

  const context = await browser.newContext({ baseURL: homeport.url });
  const page = await context.newPage();
  await page.goto(link);
  await page.getByLabel('Name').fill(guest.name);
  await page.getByLabel('Password', { exact: true }).fill(guest.password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('alert')).toContainText('was withdrawn or was used already');
  await expect(page).toHaveURL(/\/signup/);
  await context.close();
});
