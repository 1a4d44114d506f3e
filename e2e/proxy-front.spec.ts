import { createServer } from 'node:http';
import { type CloudflareProcess, startDns } from '@homeport/stand-ins/testing';
import { askCaddy, startCaddy } from './fixtures/caddy.ts';
import { withCloudflare } from './fixtures/cloudflare.ts';
import { type Console, startConsole } from './fixtures/console.ts';
import { newPerson, signUp } from './fixtures/person.ts';
import { test as base, expect } from './fixtures/test.ts';

/** The whole way of a domain: from a zone at Cloudflare to a visitor who opens a page over https. */

const token = `cfut_${'f'.repeat(48)}`;
const proxyName = 'proxy.homeport.example';

type Zones = { cloudflare: CloudflareProcess; zone: string; dns: string };

const test = base.extend<object, { zones: Zones; homeport: Console }>({
  zones: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the first parameter's properties.
    ({}, use) =>
      withCloudflare(token, async (cloudflare) => {
        const zone = await cloudflare.addZone('northquay.example');
        // What the zone at Cloudflare holds, DNS answers.
        await using dns = await startDns(() => cloudflare.recordsOf(zone));
        await use({ cloudflare, zone, dns: dns.address });
      }),
    { scope: 'worker' },
  ],
  homeport: [
    async ({ zones }, use) => {
      const homeport = await startConsole({
        HOMEPORT_CLOUDFLARE_URL: zones.cloudflare.url,
        HOMEPORT_PROXY_NAME: proxyName,
        HOMEPORT_DNS_SERVERS: zones.dns,
      });
      await use(homeport);
      await homeport.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
});

test('a domain of a linked zone gets its record by one click, its certificate at the first visit, and is served over HTTP/2', async ({
  page,
  homeport,
  zones,
  playwright,
  launchOptions,
}) => {
  const site = createServer((request, answer) => {
    answer.setHeader('content-type', 'text/html');
    answer.end(
      `<title>Journal</title><p>${request.headers['x-forwarded-proto']} ${request.url}</p><a href="/two">Two</a>`,
    );
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const address = site.address();
  if (address === null || typeof address === 'string') throw new Error('The site has no port.');
  const target = `http://127.0.0.1:${address.port}`;

  await signUp(page, newPerson());
  await page.goto('/profile');
  const panel = page.locator('#cloudflare');
  await panel.getByLabel('API token').fill(token);
  await panel.getByRole('button', { name: 'Link account' }).click();
  await expect(panel.getByText('1 zone readable, records editable in all.')).toBeVisible();

  const domain = 'shop.northquay.example';
  await page.goto('/proxies/new');
  await page.getByLabel('Domain', { exact: true }).fill(domain);
  await page.getByLabel('Current website location').fill(target);
  await page.getByRole('button', { name: 'Create proxy' }).click();
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading.getByText('Waiting for DNS', { exact: true })).toBeVisible();
  await expect(page.getByText('Whitelisted by your Cloudflare zone')).toBeVisible();
  await page.getByRole('button', { name: 'Add the CNAME record at Cloudflare' }).click();
  await expect(heading.getByText('Serving', { exact: true })).toBeVisible();
  expect(await zones.cloudflare.recordsOf(zones.zone)).toMatchObject([
    { type: 'CNAME', name: domain, content: proxyName },
  ]);
  const open = await page.getByRole('link', { name: 'Open site' }).getAttribute('href');
  const plane = new URL(open ?? '').port;

  await page.getByRole('button', { name: 'Add rule' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add rule' });
  await dialog.getByText('Subdirectory', { exact: true }).click();
  await dialog.getByLabel('Path', { exact: true }).fill('/blog');
  await dialog.getByRole('textbox', { name: 'Target' }).fill(target);
  await dialog.getByRole('button', { name: 'Save rule' }).click();
  await expect(dialog).toBeHidden();

  const name = 'console.homeport.example';
  const console = new URL(homeport.url).port;
  await using caddy = await startCaddy(name, { console, plane, control: homeport.controlPort });
  // The same Caddy stands in front of the console.
  await expect
    .poll(() => askCaddy(caddy.httpsPort, name, '/healthz'), { timeout: 90_000 })
    .toContain('"product":"homeport"');
  const visitors = await playwright.chromium.launch({
    ...launchOptions,
    args: [...(launchOptions.args ?? []), `--host-resolver-rules=MAP * 127.0.0.1:${caddy.httpsPort}`],
  });
  try {
    // Nobody trusts the authority of this Caddy.
    const visitor = await (await visitors.newContext({ ignoreHTTPSErrors: true })).newPage();
    await expect
      .poll(async () => {
        await visitor.goto(`https://${domain}/blog/`);
        return visitor.locator('p').textContent();
      })
      .toBe('https /');
    expect(
      await visitor.evaluate(() => {
        const [way] = performance.getEntriesByType('navigation');
        return way instanceof PerformanceNavigationTiming ? way.nextHopProtocol : '';
      }),
    ).toBe('h2');
    await visitor.getByRole('link', { name: 'Two' }).click();
    await expect(visitor).toHaveURL(`https://${domain}/blog/two`);
    await expect(visitor.locator('p')).toHaveText('https /two');
    await visitor.goto(`https://${domain}/tides`);
    await expect(visitor.locator('p')).toHaveText('https /tides');
    await expect(visitor.goto('https://other.northquay.example/')).rejects.toThrow(/ERR_SSL/);
  } finally {
    await visitors.close();
    site.closeAllConnections();
    site.close();
  }
});
