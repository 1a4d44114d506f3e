import type { Browser, Page } from '@playwright/test';
import { expectAccessible } from './fixtures/axe.ts';
import { startConsole } from './fixtures/console.ts';
import { newPerson, signUp } from './fixtures/person.ts';
import { expectFitsPhone } from './fixtures/phone.ts';
import { test as base, expect } from './fixtures/test.ts';

/** Status pages, on a console whose operator has switched them on: their person edits, and strangers read. */

const test = base.extend({
  homeport: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the first parameter's properties.
    async ({}, use) => {
      const homeport = await startConsole({ HOMEPORT_STATUS_PAGES: 'true' });
      await use(homeport);
      await homeport.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
});

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });
const question = (page: Page, name: string) => page.getByRole('alertdialog', { name, exact: true });
const posts = (page: Page) =>
  page.getByRole('list', { name: 'Incidents and maintenances, newest first' }).locator('> li');

/** A domain that leads nowhere. */
async function createProxy(page: Page, domain: string): Promise<void> {
  const answer = await page.request.post('/api/proxies', {
    headers: { origin: new URL(page.url()).origin },
    data: { domain, source: 'https://www.northquay.example' },
  });
  expect(answer.status()).toBe(201);
}

async function createPage(page: Page, title: string, slug: string): Promise<void> {
  await page.goto('/status-pages');
  await page.getByRole('button', { name: 'Create status page' }).click();
  const form = dialog(page, 'Create status page');
  await form.getByLabel('Title').fill(title);
  await form.getByLabel('Address').fill(slug);
  await form.getByRole('button', { name: 'Create status page' }).click();
  await expect(page).toHaveURL(/\/status-pages\/[\w-]+$/);
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
}

async function addComponent(page: Page, domain: string, name: string, group = ''): Promise<void> {
  const form = dialog(page, 'Components');
  await form.getByLabel('App or domain').selectOption(`Domain ${domain}`);
  await form.getByRole('button', { name: 'Add', exact: true }).click();
  const row = form.getByRole('listitem').filter({ hasText: domain });
  await expect(row.getByLabel('Public name')).toBeFocused();
  await row.getByLabel('Public name').fill(name);
  await row.getByLabel('Group').fill(group);
}

/** A browser in which nobody is signed in. */
async function asStranger(browser: Browser, url: string, look: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ baseURL: url });
  try {
    await look(await context.newPage());
  } finally {
    await context.close();
  }
}

test('a person makes a page, strangers read it signed out, and find nothing once it is hidden', async ({
  page,
  browser,
  homeport,
  failures,
}) => {
  failures.allow(/status of 400 .*\/posts\)/);
  const person = newPerson();
  const word = person.email.split('@')[0] ?? '';
  const [shop, blog] = [`shop-${word}.example`, `blog-${word}.example`];
  await signUp(page, person);
  await createProxy(page, shop);
  await createProxy(page, blog);

  await page.goto('/notifications');
  await page.getByRole('link', { name: 'Status pages' }).click();
  await expect(page.getByRole('heading', { name: 'No status pages yet' })).toBeVisible();
  await expectAccessible(page);
  await createPage(page, 'Harbour services', `harbour-${word}`);
  await expect(page.getByText('Nothing written yet.')).toBeVisible();

  await page.getByRole('button', { name: 'Choose components' }).click();
  const components = dialog(page, 'Components');
  await addComponent(page, blog, 'Journal');
  await addComponent(page, shop, '');
  await components.getByRole('button', { name: 'Save components' }).click();
  await expect(components.getByText('Enter a name.')).toBeVisible();
  await expect(components.getByLabel('Public name').nth(1)).toBeFocused();
  await components.getByLabel('Public name').nth(1).fill('Orders');
  await components.getByRole('button', { name: `Move Domain ${blog} down` }).press('Enter');
  await expect(components.getByLabel('Public name').first()).toHaveValue('Orders');
  await expect(
    components.getByRole('button', { name: new RegExp(`Move Domain ${blog} down`) }),
  ).toBeFocused();
  await expectAccessible(page, '[role=dialog]');
  await components.getByRole('button', { name: 'Save components' }).click();
  await expect(components).toBeHidden();
  const rows = page.locator('#components').getByRole('row');
  await expect(rows.nth(1)).toContainText('Orders');
  await expect(rows.nth(1)).toContainText(`Domain ${shop}`);
  await expect(rows.nth(2)).toContainText('Journal');

  const address = `${homeport.url}/status/harbour-${word}`;
  expect((await page.request.get(address)).status()).toBe(404);
  await page.getByRole('button', { name: 'Publish' }).click();
  const publish = question(page, 'Publish Harbour services?');
  await expect(publish.getByText('Orders, Journal')).toBeVisible();
  await expect(publish.getByText(`Anybody who knows ${address}`)).toBeVisible();
  await expectAccessible(page, '[role=alertdialog]');
  await publish.getByRole('button', { name: 'Publish' }).click();
  await expect(publish).toBeHidden();
  await expect(page.getByRole('link', { name: 'Open page' })).toHaveAttribute('href', address);

  await page.getByRole('button', { name: 'Write of an incident' }).click();
  const incident = dialog(page, 'Write of an incident');
  await incident.getByRole('button', { name: 'Write' }).click();
  await expect(incident.getByText('Enter a title.')).toBeVisible();
  await expect(incident.getByLabel('Title')).toBeFocused();
  await incident.getByLabel('Title').fill('Orders are slow <b>');
  await incident.getByLabel('Text').fill('We are looking.\n\nSee https://northquay.example/news');
  await incident.getByRole('button', { name: 'Write' }).click();
  await expect(incident).toBeHidden();
  await page.getByRole('button', { name: 'Write update of Orders are slow' }).click();
  const update = dialog(page, 'Write update');
  await update.getByLabel('State').selectOption('Identified');
  await update.getByLabel('Text').fill('A disk is full.');
  await update.getByRole('button', { name: 'Write' }).click();
  await expect(update).toBeHidden();
  await expect(posts(page).getByText('Identified', { exact: true })).toBeVisible();
  await posts(page).getByText('1 earlier update').click();
  await expect(posts(page).getByText('We are looking.')).toBeVisible();

  await planMaintenance(page);
  await expect(posts(page)).toHaveCount(2);
  await expectAccessible(page);
  await expectFitsPhone(page);
  await page.setViewportSize({ width: 1440, height: 900 });

  await asStranger(browser, homeport.url, async (stranger) => {
    await expect
      // A page that was rendered a moment ago has its next turn some seconds later, with those that are due then.
      .poll(async () => (await (await stranger.request.get(address)).text()).includes('New disks'), {
        timeout: 90_000,
      })
      .toBe(true);
    await stranger.goto(address);
    await expect(stranger.getByRole('heading', { level: 1 })).toHaveText('Harbour services');
    await expect(stranger.getByText('Orders are slow <b>')).toBeVisible();
    await expect(stranger.getByText('A disk is full.')).toBeVisible();
    await expect(stranger.getByText('Journal', { exact: true })).toBeVisible();
    expect(await stranger.content()).not.toContain(shop);
  });

  await page.getByRole('button', { name: 'Hide page' }).click();
  const hide = question(page, 'Hide Harbour services?');
  await expect(hide.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await hide.getByRole('button', { name: 'Hide page' }).click();
  await expect(page.getByRole('button', { name: 'Publish' })).toBeVisible();
  await asStranger(browser, homeport.url, async (stranger) => {
    await expect.poll(async () => (await stranger.request.get(address)).status()).toBe(404);
  });

  await page.getByRole('button', { name: 'Remove New disks' }).click();
  await question(page, 'Remove New disks?').getByRole('button', { name: 'Remove' }).click();
  await expect(posts(page)).toHaveCount(1);
  // The messages of what was done lie over the button.
  await page.getByRole('button', { name: 'Delete status page' }).press('Enter');
  await question(page, 'Delete Harbour services?')
    .getByRole('button', { name: 'Delete status page' })
    .click();
  await expect(page).toHaveURL('/status-pages');
  await expect(page.getByRole('heading', { name: 'No status pages yet' })).toBeVisible();
});

/** Plans maintenance of the component Orders for tomorrow, after times that do not fit. */
async function planMaintenance(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Plan maintenance' }).click();
  const maintenance = dialog(page, 'Plan maintenance');
  await maintenance.getByRole('button', { name: 'Plan maintenance' }).click();
  await expect(maintenance.getByText('Enter a date and a time.')).toHaveCount(2);
  const tomorrow = new Date(Date.now() + 24 * 3_600_000).toISOString().slice(0, 11);
  await maintenance.getByLabel('Title').fill('New disks');
  await maintenance.getByLabel('Begins').fill(`${tomorrow}10:00`);
  await maintenance.getByLabel('Ends').fill(`${tomorrow}09:00`);
  await maintenance.getByLabel('Text').fill('Short breaks.');
  await maintenance.getByRole('checkbox', { name: 'Orders' }).check();
  await maintenance.getByRole('button', { name: 'Plan maintenance' }).click();
  await expect(maintenance.getByText('A maintenance ends after it begins.')).toBeVisible();
  await expect(maintenance.getByLabel('Ends')).toBeFocused();
  await maintenance.getByLabel('Ends').fill(`${tomorrow}12:00`);
  await expectAccessible(page, '[role=dialog]');
  await maintenance.getByRole('button', { name: 'Plan maintenance' }).click();
  await expect(maintenance).toBeHidden();
}

test('an address that is taken or cannot be one is refused beside its field', async ({ page, failures }) => {
  failures.allow(/status of 409 .*\/api\/status-pages/);
  const person = newPerson();
  const slug = `quay-${person.email.split('@')[0]}`;
  await signUp(page, person);
  await createPage(page, 'Quay', slug);
  await page.goto('/status-pages');
  await expect(page.getByRole('row', { name: /Quay/ })).toContainText('Hidden');
  await page.getByRole('button', { name: 'Create status page' }).click();
  const form = dialog(page, 'Create status page');
  const address = form.getByLabel('Address');
  const create = form.getByRole('button', { name: 'Create status page' });
  await form.getByLabel('Title').fill('Our Services');
  await expect(address).toHaveValue('our-services');
  await address.fill('homeport-login');
  await create.click();
  await expect(form.getByText('This address is reserved. Choose another one.')).toBeVisible();
  await expect(address).toBeFocused();
  await address.fill(slug);
  await create.click();
  await expect(form.getByText('This address is taken. Choose another one.')).toBeVisible();
  await expect(address).toBeFocused();
  await expectAccessible(page, '[role=dialog]');
  await form.getByRole('button', { name: 'Close' }).click();
  await question(page, 'Discard your changes?').getByRole('button', { name: 'Discard' }).click();
  await expect(form).toBeHidden();
  await expectFitsPhone(page);
});

test('whoever runs the console takes a page down, and its person reads why', async ({
  page,
  browser,
  homeport,
}) => {
  const person = newPerson();
  const slug = `bank-${person.email.split('@')[0]}`;
  await signUp(page, person);
  await createPage(page, 'Your bank', slug);
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await question(page, 'Publish Your bank?').getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByRole('link', { name: 'Open page' })).toBeVisible();

  const context = await browser.newContext({ baseURL: homeport.url });
  await context.addCookies(homeport.owner.cookies);
  const operator = await context.newPage();
  await operator.goto('/console');
  const all = operator.getByRole('list', { name: 'Status pages of all people' });
  await operator.getByLabel('Filter status pages by address or title').fill(slug);
  await expect(all.getByRole('listitem')).toHaveCount(1);
  await expect(all).toContainText(person.email);
  await operator.getByRole('button', { name: 'Take Your bank down' }).click();
  const form = dialog(operator, 'Take Your bank down?');
  await form.getByRole('button', { name: 'Take down' }).click();
  await expect(form.getByText('Enter a reason.')).toBeVisible();
  await expect(form.getByLabel('Reason')).toBeFocused();
  await form.getByLabel('Reason').fill('It copies a bank.');
  await expectAccessible(operator, '[role=dialog]');
  await form.getByRole('button', { name: 'Take down' }).click();
  await expect(all).toContainText('Taken down: It copies a bank.');
  await expectFitsPhone(operator);

  await expect(page.getByText('took the page down: It copies a bank.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Publish', exact: true })).toHaveCount(0);
  await expectAccessible(page);
  await asStranger(browser, homeport.url, async (visitor) => {
    await expect.poll(async () => (await visitor.request.get(`/status/${slug}`)).status()).toBe(404);
  });
  await operator.getByRole('button', { name: 'Allow Your bank again' }).click();
  await expect(operator.getByRole('button', { name: 'Take Your bank down' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Publish', exact: true })).toBeVisible();
  await context.close();
});
