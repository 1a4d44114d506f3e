import { makeKey } from '@homeport/ssh/testing';
import type { CloudflareProcess } from '@homeport/stand-ins/testing';
import type { Browser, BrowserContext } from '@playwright/test';
import { createApp, pushApp } from './fixtures/app.ts';
import { expectAccessible } from './fixtures/axe.ts';
import { withCloudflare } from './fixtures/cloudflare.ts';
import { type Console, startConsole } from './fixtures/console.ts';
import { createDatabase } from './fixtures/database.ts';
import { startHost } from './fixtures/host.ts';
import { newPerson, signUp } from './fixtures/person.ts';
import { expectFitsPhone } from './fixtures/phone.ts';
import { importKey, installServer } from './fixtures/server.ts';
import { test as base, expect } from './fixtures/test.ts';
import { keepWelcomesClosed } from './fixtures/welcome.ts';

/** The pages of a person with a server that reports and an app that runs. An empty account shows less. */

type Settled = {
  /** Holds the person's session and keys. The tests share it, because the setup takes long. */
  context: BrowserContext;
  serverPage: string;
  appPage: string;
  databasePage: string;
  proxyPage: string;
  domainPage: string;
  stop(): Promise<void>;
};

const token = `cfut_${'p'.repeat(48)}`;

const test = base.extend<object, { cloudflare: CloudflareProcess; settled: Settled }>({
  cloudflare: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the first parameter's properties.
    ({}, use) =>
      withCloudflare(token, async (cloudflare) => {
        const zone = await cloudflare.addZone('northquay.example');
        await cloudflare.addRecords(zone, [
          { type: 'A', name: 'www', content: '203.0.113.24', proxied: true },
        ]);
        await use(cloudflare);
      }),
    { scope: 'worker' },
  ],
  homeport: [
    async ({ cloudflare }, use) => {
      const homeport = await startConsole({ HOMEPORT_CLOUDFLARE_URL: cloudflare.url });
      await use(homeport);
      await homeport.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  settled: [
    async ({ browser, homeport }, use) => {
      const settled = await settle(browser, homeport);
      await use(settled);
      await settled.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  context: ({ settled }, use) => use(settled.context),
});

async function settle(browser: Browser, homeport: Console): Promise<Settled> {
  const host = await startHost();
  const context = await browser.newContext({
    baseURL: homeport.url,
    locale: 'en-GB',
    timezoneId: 'UTC',
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(10_000);
  const stop = async () => {
    await context.close();
    await host.stop();
  };
  try {
    await keepWelcomesClosed(context);
    const page = await context.newPage();
    const [login, push] = [makeKey(), makeKey()];
    await host.authorize(login.publicKeyLine);
    await signUp(page, newPerson());
    await importKey(page, 'desk', login.privateKeyPem);
    await importKey(page, 'laptop', push.privateKeyPem);
    await installServer(page, host, { name: 'lantern', credential: 'desk' });
    await page.getByRole('row').getByRole('link', { name: 'lantern' }).click();
    await expect(page).toHaveURL(/\/server\/\w+$/);
    const serverPage = new URL(page.url()).pathname;

    const remote = await createApp(page, 'Signal', { laptop: true, desk: false });
    await expect(page).toHaveURL(/\/app\//);
    const appPage = new URL(page.url()).pathname;
    await pushApp(remote, push.privateKeyPem);
    await expect(page.locator('#deploy').getByText('Succeeded', { exact: true }).first()).toBeVisible({
      timeout: 90_000,
    });
    await createDatabase(page, { name: 'Harbour', type: 'PostgreSQL' });
    await expect(page).toHaveURL(/\/databases\/harbour-/);
    const databasePage = new URL(page.url()).pathname;
    await page.goto('/proxies/new');
    await page.getByLabel('Domain', { exact: true }).fill('signal.northquay.example');
    await page.getByLabel('Current website location').fill('www.northquay.example');
    await page.getByRole('button', { name: 'Create proxy' }).click();
    await expect(page).toHaveURL(/\/proxy\/[\w-]+$/);
    const proxyPage = new URL(page.url()).pathname;
    await page.goto('/profile');
    await page.locator('#cloudflare').getByLabel('API token').fill(token);
    await page.locator('#cloudflare').getByRole('button', { name: 'Link account' }).click();
    await expect(page.locator('#cloudflare').getByText('1 zone readable')).toBeVisible();
    await page.goto('/domains');
    await page.getByRole('link', { name: 'northquay.example', exact: true }).click();
    await expect(page).toHaveURL(/\/domain\/\w+$/);
    const domainPage = new URL(page.url()).pathname;
    await page.goto(serverPage);
    await expect(page.getByRole('heading', { level: 1 }).getByText('Online', { exact: true })).toBeVisible({
      timeout: 90_000,
    });
    await page.close();
    return { context, serverPage, appPage, databasePage, proxyPage, domainPage, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Each page, with a text that it shows once it has this account's data. */
const pages: readonly { name: string; path: (settled: Settled) => string; shows: string | RegExp }[] = [
  { name: 'home', path: () => '/home', shows: 'lantern' },
  { name: 'the servers', path: () => '/servers', shows: /^1 of 1 online/ },
  { name: 'a server', path: ({ serverPage }) => serverPage, shows: 'Stats from' },
  { name: 'the apps', path: () => '/apps', shows: 'Signal' },
  { name: 'a new app', path: () => '/apps/new', shows: 'Keys allowed to deploy' },
  { name: 'an app', path: ({ appPage }) => appPage, shows: 'Application deployed' },
  { name: 'the databases', path: () => '/databases', shows: 'Harbour' },
  { name: 'a new database', path: () => '/databases/new?type=redis', shows: /has Dokku’s plugin for Redis/ },
  { name: 'a database', path: ({ databasePage }) => databasePage, shows: 'Only reachable inside the server' },
  { name: 'the proxies', path: () => '/proxies', shows: 'signal.northquay.example' },
  { name: 'a new proxy', path: () => '/proxies/new', shows: 'Current website location' },
  { name: 'a proxy', path: ({ proxyPage }) => proxyPage, shows: 'Everything else' },
  { name: 'the credentials', path: () => '/ssh-keys', shows: 'In this browser' },
  { name: 'the domains', path: () => '/domains', shows: 'northquay.example' },
  { name: 'a domain', path: ({ domainPage }) => domainPage, shows: '203.0.113.24' },
  { name: 'the profile', path: () => '/profile', shows: 'Account made' },
  { name: 'a new credential', path: () => '/ssh-keys/new', shows: 'Worked out from the public key.' },
];

for (const { name, path, shows } of pages) {
  test(`${name} has no serious accessibility finding in light and dark, and no sideways scroll on a phone`, async ({
    page,
    settled,
  }) => {
    await page.goto(path(settled));
    await expect(page.getByRole('main').getByText(shows).first()).toBeVisible();
    await expectAccessible(page);

    await expectFitsPhone(page);
    await page.close();
  });
}

test('the filter of the servers names each status in the words of the status', async ({ page }) => {
  await page.goto('/servers');
  const filter = page.getByRole('group', { name: 'Status' });
  for (const status of ['All 1', 'Online 1', 'Offline 0', 'No data 0'])
    await expect(filter.getByRole('radio', { name: status, exact: true })).toBeVisible();
  await filter.getByText('No data 0').click();
  await expect(page.getByRole('heading', { name: 'Nothing matches' })).toBeVisible();
  await page.getByRole('button', { name: 'Clear filter' }).click();
  await expect(page.getByRole('row').getByRole('link', { name: 'lantern' })).toBeVisible();
});

test('a browser whose clock is ten minutes ahead shows the server as online, and how old its report is', async ({
  page,
}) => {
  await page.addInitScript(() => {
    const { now } = Date;
    Date.now = () => now() + 10 * 60_000;
  });
  await page.goto('/servers');
  const filter = page.getByRole('group', { name: 'Status' });
  await expect(filter.getByRole('radio', { name: 'Online 1', exact: true })).toBeVisible();
  await expect(page.getByRole('table').getByText(/\d+ min ago/)).toBeHidden();
});

test('a new app without a server leads the keyboard to the choice of servers', async ({ page }) => {
  await page.goto('/apps/new?server=nowhere');
  await page.getByLabel('App name').fill('Ledger');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert').getByText('Choose a server.')).toBeVisible();
  await expect(page.getByRole('radio', { name: /lantern/ })).toBeFocused();
});

test('hundreds of servers, apps, databases and keys leave what stands beside them in reach', async ({
  page,
  settled,
}) => {
  const count = 300;
  for (const list of ['apps', 'databases', 'keys', 'servers'])
    await page.route(`**/api/${list}`, async (route) => {
      const answer = await route.fetch();
      const [first, ...others]: { id: string }[] = await answer.json();
      const more = Array.from({ length: count - others.length - 1 }, (_, at) => ({
        ...first,
        id: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
        longname: `copy-${at}-abcdef`,
        key: `copy${at}`,
        name: `copy ${at}`,
      }));
      await route.fulfill({ json: [first, ...others, ...more] });
    });

  await page.goto(settled.serverPage);
  for (const name of ['Apps', 'Databases']) {
    const panel = page.getByRole('main').getByRole('region', { name, exact: true });
    await expect(panel.locator('tbody tr')).toHaveCount(10);
    await panel.getByRole('button', { name: `Show all ${count}` }).click();
    await expect.poll(() => panel.locator('tbody tr').count()).toBeGreaterThan(10);
    await panel.getByRole('button', { name: 'Show the first 10' }).click();
    await expect(panel.locator('tbody tr')).toHaveCount(10);
  }

  await page.goto('/home');
  await expect(page.getByRole('link', { name: `All ${count} servers` })).toBeVisible();

  await page.goto('/apps/new');
  await expect(page.getByText('copy 1', { exact: true }).first()).toBeAttached();
  // Two screens and a bit: 300 checkboxes below each other are 15,000 px high.
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(2_000);
  // A list may be on its way still.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.close();
});

test('on a phone the button that creates stays on the screen, and the list of keys says what each opens', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const [path, name] of [
    ['/apps/new', 'Create app'],
    ['/databases/new', 'Create database'],
  ] as const) {
    await page.goto(path);
    const button = page.getByRole('button', { name });
    await expect(button).toBeInViewport({ ratio: 1 });
    /** How far the end of the page is under the foot, once all of the page has been scrolled through. The page grows while it loads. */
    const hidden = () =>
      button.evaluate((element) => {
        window.scrollTo(0, document.documentElement.scrollHeight);
        const foot = element.parentElement?.getBoundingClientRect().top ?? 0;
        const end = document.querySelector('footer')?.getBoundingClientRect().bottom ?? Number.NaN;
        return end - foot;
      });
    await expect.poll(hidden, 'the end of the page').toBeLessThanOrEqual(0);
    await expect(button).toBeInViewport({ ratio: 1 });
    await expectAccessible(page);
  }
  await page.goto('/ssh-keys');
  await expect(page.getByRole('row', { name: /desk/ }).getByRole('link', { name: 'lantern' })).toBeVisible();
  await page.close();
});
