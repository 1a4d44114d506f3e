import { expectAccessible } from './fixtures/axe.ts';
import { holdPrograms } from './fixtures/programs.ts';
import { expect, test } from './fixtures/test.ts';

const sections = [
  ['Home', '/home'],
  ['Free Server Credits', '/promos'],
  ['Applications', '/apps'],
  ['Credentials', '/ssh-keys'],
  ['Databases', '/databases'],
  ['Domains', '/domains'],
  ['Proxies', '/proxies'],
  ['Servers', '/servers'],
] as const;

test('the sidebar has its eight entries in order, and each leads to a page with its title', async ({
  ownerPage: page,
}) => {
  await page.goto('/promos');
  const entries = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
  await expect(entries).toHaveText(sections.map(([name]) => new RegExp(name)));
  for (const [name, path] of sections) {
    const entry = entries.filter({ hasText: name });
    await entry.click();
    await expect(page).toHaveURL(path);
    await expect(entry).toHaveAttribute('aria-current', 'page');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page).toHaveTitle(/ · Homeport$/);
  }
});

for (const [name, path] of sections) {
  test(`${name} has no serious accessibility finding, in light and in dark`, async ({ ownerPage: page }) => {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectAccessible(page);
  });
}

test('the frame shows before its program has loaded, with the sidebar as it was left, and the loaded frame stands in the same place', async ({
  ownerPage: page,
}) => {
  await page.goto('/servers');
  await page.getByRole('button', { name: 'Collapse sidebar' }).click();
  const sendProgram = await holdPrograms(page);
  await page.goto('/servers', { waitUntil: 'commit' });
  const entry = page.locator('aside a', { hasText: 'Databases' });
  const search = page.getByText('Search Apps...');
  await expect(search).toBeVisible();
  await expect(page.locator('aside a[aria-current]')).toHaveText('Servers');
  await expect(page.getByRole('link'), 'the inert frame offers no links').toHaveCount(0);
  await page.keyboard.press('Tab');
  await expect(page.locator('[inert] :focus')).toHaveCount(0);
  // A text is wider by a part of a pixel in the fallback of a font.
  await page.evaluate(() => document.fonts.ready);
  const drawn = [await entry.boundingBox(), await search.boundingBox()];
  expect(drawn[0]?.width, 'a rail').toBeLessThan(80);

  sendProgram();
  await expect(page.getByRole('heading', { level: 1, name: 'Servers' })).toBeVisible();
  expect([await entry.boundingBox(), await search.boundingBox()]).toEqual(drawn);
  await page.getByRole('button', { name: 'Expand sidebar' }).click();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Collapse sidebar' })).toBeVisible();
});

test('a frame whose program does not load says so, and can be loaded again', async ({
  ownerPage: page,
  failures,
}) => {
  failures.allow(/ERR_FAILED/);
  failures.allow(/The frame failed/);
  await page.route('**/assets/frame-*.js', (route) => route.abort());
  await page.goto('/servers');
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('The page could not be loaded');
  await expect(page.locator('aside a'), 'no entry looks active').toHaveCount(0);
  await expectAccessible(page);
  await page.unroute('**/assets/frame-*.js');
  await alert.getByRole('button', { name: 'Load again' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Servers' })).toBeVisible();
});

test('the window of work that ended a while before a reload is a line in the header, and covers no page', async ({
  ownerPage: page,
}) => {
  const id = 'b1c2d3e4-0000-4000-8000-000000000001';
  const endedAt = Date.now() - 3_600_000;
  await page.route(`**/api/operations/${id}`, (route) =>
    route.fulfill({
      json: {
        ...{ id, kind: 'app.restart', title: 'Restart tides', state: 'succeeded', sessionId: id },
        ...{ waitingFor: null, serverId: null, serverKey: null, serverName: null, appId: null },
        ...{
          databaseId: null,
          longname: null,
          percent: 100,
          steps: [],
          problem: null,
          result: {},
          toasts: [],
        },
        ...{ createdAt: endedAt, startedAt: endedAt, endedAt },
      },
    }),
  );
  await page.goto('/promos');
  await page.evaluate((left) => sessionStorage.setItem('homeport.operation', left), id);
  await page.reload();
  await page.getByRole('button', { name: 'Ended work' }).click();
  await expect(page.getByRole('menuitem', { name: /Restart tides, done/ })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('the cover of the first load waits for the end of a press, so that no click is lost', async ({
  ownerPage: page,
}) => {
  const sendServers = await holdPrograms(page, '**/api/servers');
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.goto('/promos');
  const entry = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Domains' });
  const cover = page.getByText('Loading your servers and apps');
  await expect
    .poll(async () => {
      await page.clock.runFor(10);
      return entry.isVisible();
    })
    .toBe(true);
  await entry.hover();
  await page.mouse.down();
  await page.clock.runFor(1_000);
  await expect(cover).toBeHidden();
  await page.mouse.up();
  await expect(page).toHaveURL('/domains');

  await page.clock.resume();
  await expect(cover).toBeVisible();
  sendServers();
  await expect(cover).toBeHidden();
});

test('the palette opens by keyboard, finds a page and goes there', async ({ ownerPage: page }) => {
  await page.goto('/home');
  await expect(page.getByRole('button', { name: 'Search Apps...' })).toBeVisible();
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox');
  await expect(field).toHaveAttribute('placeholder', 'Search Apps...');
  await expect(field).toBeFocused();
  await field.fill('credits');
  await expect(page.getByRole('option').first()).toContainText('Free Server Credits');
  await expectAccessible(page);
  await field.press('Enter');
  await expect(page).toHaveURL('/promos');

  await page.keyboard.press('Control+k');
  await field.fill('zzzz');
  await expect(page.getByText('No app, server or command matches.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('option')).toHaveCount(0);
});

test('what is typed before the palette has arrived stands in it, and is no shortcut', async ({
  ownerPage: page,
}) => {
  const sendPalette = await holdPrograms(page, '**/assets/Palette-*.js');
  await page.goto('/home');
  await expect(page.getByRole('button', { name: 'Search Apps...' })).toBeVisible();
  const theme = () => page.locator('html').getAttribute('data-theme');
  const before = await theme();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('tgd');
  sendPalette();
  await expect(page.getByRole('combobox')).toHaveValue('tgd');
  await expect(page.getByRole('combobox')).toBeFocused();
  await page.keyboard.type('!');
  await expect(page.getByRole('combobox')).toHaveValue('tgd!');
  expect([await theme(), new URL(page.url()).pathname]).toEqual([before, '/home']);
});

test('a recent message opens the page on which it was shown', async ({ ownerPage: page }) => {
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Save name' }).click();
  await expect(page.getByText('Name updated successfully.')).toBeVisible();
  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await expect(page).toHaveURL('/home');

  await page.keyboard.press('Control+k');
  const messages = page.getByRole('group', { name: 'Recent messages' });
  await messages.getByRole('option', { name: 'Name updated successfully.' }).click();
  await expect(page).toHaveURL('/profile');
});

test('a message stands above an open dialog, and goes without closing the dialog or keeping its focus', async ({
  ownerPage: page,
}) => {
  await page.goto('/profile');
  const message = page.getByRole('status').filter({ hasText: 'Name updated successfully.' });
  const dismiss = message.getByRole('button', { name: 'Dismiss' });
  const dialog = page.getByRole('dialog', { name: 'New API token' });
  const field = dialog.getByLabel('Name');
  const open = async () => {
    await page.getByRole('button', { name: 'Save name' }).click();
    await expect(message).toBeVisible();
    await page.getByRole('button', { name: 'New token' }).click();
    await expect(field).toBeFocused();
  };
  await open();
  // A message under the pointer does not end by time, however long the scan takes.
  await message.hover();
  await expectAccessible(page);
  await page.keyboard.press('F6');
  await expect(page.getByRole('region', { name: 'Messages' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(dismiss).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(message).toHaveCount(0);
  await expect(field).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);

  await open();
  await page.setViewportSize({ width: 390, height: 844 });
  await dialog.getByRole('button', { name: 'Make token' }).click({ trial: true });
  await page.setViewportSize({ width: 1280, height: 900 });
  // The shade would take this click.
  await dismiss.click();
  await expect(message).toHaveCount(0);
  await expect(field).toBeFocused();
});

test('the theme follows the system until the person chooses one, and a reload keeps the choice', async ({
  ownerPage: page,
}) => {
  const scheme = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('background-color'));
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/promos');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const dark = await scheme();
  await page.emulateMedia({ colorScheme: 'light' });
  await expect.poll(scheme).not.toBe(dark);

  // The button goes from system to light, then to dark.
  const theme = page.getByRole('button', { name: /theme/i });
  await theme.click();
  await theme.click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect.poll(scheme).toBe(dark);
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});

test('on a phone the sidebar is a drawer and nothing scrolls sideways', async ({ ownerPage: page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const [, path] of sections) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const beside = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    await expect.poll(beside, path).toBeLessThanOrEqual(0);
  }
  await expectAccessible(page);
  await expect(page.getByRole('link', { name: 'Databases' })).toBeHidden();
  await page.getByRole('button', { name: 'Open menu' }).click();
  await page.getByRole('link', { name: 'Databases' }).click();
  await expect(page).toHaveURL('/databases');
  await expect(page.getByRole('link', { name: 'Databases' })).toBeHidden();
});

test('free server credits are two cards that open their provider in a new tab', async ({
  ownerPage: page,
}) => {
  await page.goto('/promos');
  await expect(page.getByText('up to $100 each ($200 total)')).toBeVisible();
  const links = page.getByRole('main').getByRole('link', { name: /opens a new tab/ });
  await expect(links).toHaveCount(2);
  for (const [index, [provider, host]] of [
    ['DigitalOcean', /digitalocean\.com/] as const,
    ['Vultr', /vultr\.com/] as const,
  ].entries()) {
    await expect(page.getByRole('heading', { level: 2 }).nth(index)).toHaveText(provider);
    const link = links.nth(index);
    await expect(link).toHaveAttribute('target', '_blank');
    await expect(link).toHaveAttribute('href', host);
    await expect(link).toHaveAttribute('rel', /noopener/);
  }
});
