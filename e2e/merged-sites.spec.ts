import type { Page } from '@playwright/test';
import { newPerson, signUp } from './fixtures/person.ts';
import { startJournal, startTides } from './fixtures/real-sites.ts';
import { expect, test } from './fixtures/test.ts';

/** Two websites of well-known generators under one domain, as a visitor's browser sees them. */

async function mount(page: Page, path: string, target: string, prefix = ''): Promise<void> {
  await page.getByRole('button', { name: 'Add rule' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add rule' });
  await dialog.getByText('Subdirectory', { exact: true }).click();
  await dialog.getByLabel('Path', { exact: true }).fill(path);
  await dialog.getByRole('textbox', { name: 'Target' }).fill(target);
  if (prefix !== '') await dialog.getByLabel('Path prefix').fill(prefix);
  await dialog.getByRole('button', { name: 'Save rule' }).click();
  await expect(dialog).toBeHidden();
}

/** A page that notes what a visitor's browser could not load, and what it asked for outside of the paths. */
async function newVisitor(page: Page, allowed: RegExp) {
  const visitor = await page.context().newPage();
  const wrong: string[] = [];
  visitor.on('requestfailed', (request) => {
    // A page that is left ends its own requests.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') wrong.push(`failed ${request.url()}`);
  });
  visitor.on('response', (response) => {
    if (response.status() >= 400) wrong.push(`${response.status()} ${response.url()}`);
  });
  visitor.on('request', (request) => {
    if (!allowed.test(new URL(request.url()).pathname)) wrong.push(`left ${request.url()}`);
  });
  return { visitor, wrong };
}

test('a static site and one rendered on a server work under paths of one domain, and the doctor names what cannot', async ({
  page,
}) => {
  await using journal = await startJournal();
  await using tides = await startTides();
  await signUp(page, newPerson());
  await page.goto('/proxies/new');
  await page.getByLabel('Domain', { exact: true }).fill('quay.localhost');
  await page.getByLabel('Current website location').fill(journal.url);
  await page.getByRole('button', { name: 'Create proxy' }).click();
  await expect(page.getByRole('heading', { level: 1 }).getByText('Serving', { exact: true })).toBeVisible({
    timeout: 90_000,
  });
  await mount(page, '/journal', journal.url);
  // The site has a base path of its own, which stands before all of its addresses.
  await mount(page, '/tides', tides.url, '/tides');
  const site = (await page.getByRole('link', { name: 'Open site' }).getAttribute('href')) ?? '';
  const at = (path: string) => new URL(path, site).href;

  // The new rules reach the proxy service within moments.
  const probe = await page.context().newPage();
  await expect
    .poll(async () => {
      await probe.goto(at('/tides/'));
      return probe.locator('body').innerText();
    })
    .toContain('Tide tables');
  await probe.close();
  const { visitor, wrong } = await newVisitor(page, /^\/(journal|tides)\//);
  const heading = visitor.getByRole('heading', { level: 1 });

  await visitor.goto(at('/journal/'));
  await expect(heading).toHaveCSS('color', 'rgb(0, 90, 120)');
  await expect(visitor.locator('html')).toHaveAttribute('data-script', 'ran');
  await expect(visitor.locator('body')).toHaveCSS(
    'background-image',
    `url("${at('/journal/assets/waves.svg')}")`,
  );
  expect(
    await visitor
      .getByAltText('An anchor')
      .evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth > 0),
  ).toBe(true);
  for (const [link, path] of [
    ['Spring tide', '/journal/posts/spring-tide/'],
    ['the day after', '/journal/posts/ebb/'],
    ['the day before', '/journal/posts/spring-tide/'],
    ['About', '/journal/about/'],
    ['Back to the journal', '/journal/'],
  ] as const) {
    await visitor.getByRole('link', { name: link }).click();
    await expect(visitor).toHaveURL(at(path));
  }

  await visitor.goto(at('/tides/'));
  await expect(heading).toHaveCSS('color', 'rgb(120, 40, 0)');
  await visitor.getByRole('button', { name: 'Counted 0' }).click();
  await expect(visitor.getByRole('button', { name: 'Counted 1' })).toBeVisible();
  await visitor.getByRole('link', { name: 'North station' }).click();
  await expect(visitor).toHaveURL(at('/tides/station/north'));
  await expect(heading).toHaveText('Station north');
  await visitor.getByRole('link', { name: 'Tides', exact: true }).click();
  await visitor.getByRole('button', { name: 'Choose' }).click();
  await expect(visitor).toHaveURL(at('/tides/station/south'));
  await expect(heading).toHaveText('Station south');
  await visitor.goto(at('/tides/'));
  await expect(visitor.getByText('Your station: south')).toBeVisible();
  expect(wrong).toEqual([]);

  await page.getByRole('button', { name: 'Examine /journal' }).click();
  const found = page.getByRole('region', { name: 'What leads out of /journal' });
  await expect(found.getByRole('row')).toHaveCount(2);
  await expect(found).toContainText('/assets/tides.json');
  await expect(found).toContainText('Add a simple rule for /assets');
  await page.getByRole('button', { name: 'Examine /tides' }).click();
  await expect(page.getByRole('status', { name: 'Examination of /tides' })).toContainText(
    'Nothing leads out of /tides',
  );
});
