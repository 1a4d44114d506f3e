import { createServer } from 'node:http';
import type { ProxyRecord } from '@homeport/contract/proxies/schema';
import type { Page } from '@playwright/test';
import { expectAccessible } from './fixtures/axe.ts';
import { newPerson, signUp } from './fixtures/person.ts';
import { expectFitsPhone } from './fixtures/phone.ts';
import { expect, test } from './fixtures/test.ts';

/** A proxy from its creation to its deletion. Domains of these tests lead nowhere, but for one of this machine. */

const told = (page: Page, text: string) => page.getByRole('status').getByText(text, { exact: true }).first();
const rules = (page: Page) => page.getByRole('list', { name: 'Rules' }).getByRole('listitem');
const pathsOf = (page: Page) => rules(page).locator('code').allTextContents();

async function createProxy(page: Page, domain: string): Promise<void> {
  await page.goto('/proxies/new');
  await page.getByLabel('Domain', { exact: true }).fill(domain);
  await page.getByLabel('Current website location').fill('www.northquay.example');
  await page.getByRole('button', { name: 'Create proxy' }).click();
  await expect(page).toHaveURL(/\/proxy\/[\w-]+$/);
}

async function addRule(page: Page, path: string, type: 'Simple' | 'Subdirectory' = 'Subdirectory') {
  await page.getByRole('button', { name: 'Add rule' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add rule' });
  await dialog.getByText(type, { exact: true }).click();
  await dialog.getByLabel('Path', { exact: true }).fill(path);
  await dialog
    .getByRole('textbox', { name: 'Target' })
    .fill(`https://target${path.replaceAll('/', '-')}.example`);
  await dialog.getByRole('button', { name: 'Save rule' }).click();
  await expect(dialog).toBeHidden();
}

const stored = async (page: Page): Promise<ProxyRecord> =>
  (await page.request.get(`/api/proxies/${page.url().split('/').at(-1)}`)).json();

test.beforeEach(async ({ page }) => signUp(page, newPerson()));

test('a person creates a proxy, and the page says which records are missing', async ({ page }) => {
  await page.goto('/proxies');
  await expect(page.getByText('No cloudflare access provided.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Link an account in your profile' })).toHaveAttribute(
    'href',
    '/profile',
  );
  await page.getByRole('link', { name: 'Create proxy' }).click();
  await page.getByRole('button', { name: 'Create proxy' }).click();
  await expect(page.getByText('Enter a domain.')).toBeVisible();
  await expect(page.getByText('Enter the address of your website.')).toBeVisible();
  await expect(page.getByLabel('Domain', { exact: true })).toBeFocused();

  await createProxy(page, 'records.northquay.example');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('records.northquay.example');
  await expect(page.getByRole('heading', { level: 1 }).getByText('Waiting for DNS')).toBeVisible();
  await expect(page.getByText('_homeport.records.northquay.example', { exact: true })).toBeVisible();
  await page.goto('/proxies');
  const row = page.getByRole('row', { name: /records\.northquay\.example/ });
  await expect(row).toContainText('www.northquay.example');
  await expectAccessible(page);
  await expectFitsPhone(page);
});

test('rules are added, moved by buttons, keys and pointer, and deleted by a second click', async ({
  page,
}) => {
  await createProxy(page, 'rules.northquay.example');
  await page.getByRole('button', { name: 'Add rule' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add rule' });
  await dialog.getByText('Subdirectory', { exact: true }).click();
  await dialog.getByLabel('Path', { exact: true }).fill('/');
  await dialog.getByRole('textbox', { name: 'Target' }).fill('https://blog.northquay.example');
  await dialog.getByRole('button', { name: 'Save rule' }).click();
  await expect(dialog.getByText('Path cannot be / for Subdirectory proxy')).toBeVisible();
  await dialog.getByLabel('Path', { exact: true }).fill('/docs');
  await dialog.getByRole('textbox', { name: 'Rewrite' }).fill('/docs');
  await dialog.getByRole('button', { name: 'Save rule' }).click();
  await expect(dialog).toBeHidden();
  await expect(rules(page).first()).toContainText('Rewrite /docs → /');
  await addRule(page, '/blog');
  await addRule(page, '/api', 'Simple');
  await expect.poll(() => pathsOf(page)).toEqual(['/docs', '/blog', '/api']);

  const up = page.getByRole('button', { name: 'Move rule 1 up. It is the first.' });
  await expect(up).toHaveAttribute('aria-disabled', 'true');
  await expect(up).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
  await expect(page.getByRole('button', { name: 'Move rule 3 down. It is the last.' })).toBeVisible();
  await page.getByRole('button', { name: 'Move rule 1 down' }).click();
  await expect.poll(() => pathsOf(page)).toEqual(['/blog', '/docs', '/api']);
  await expect(told(page, 'Rule 1 moved to position 2 of 3')).toBeAttached();
  await expect
    .poll(async () => (await stored(page)).rules.map(({ path }) => path))
    .toEqual([...['/blog', '/docs', '/api']]);

  const grip = page.getByRole('button', { name: /^Drag rule 3/ });
  await grip.focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowUp');
  await expect.poll(() => pathsOf(page)).toEqual(['/blog', '/api', '/docs']);
  await page.keyboard.press('Escape');
  await expect.poll(() => pathsOf(page)).toEqual(['/blog', '/docs', '/api']);
  await page.getByRole('button', { name: 'Edit rule 2' }).focus();
  await page.keyboard.press('Alt+ArrowDown');
  await expect.poll(() => pathsOf(page)).toEqual(['/blog', '/api', '/docs']);
  await expect(page.getByRole('list', { name: 'Rules' })).not.toHaveAttribute('aria-busy', 'true');

  const from = await page.getByRole('button', { name: /^Drag rule 3/ }).boundingBox();
  const to = await rules(page).first().boundingBox();
  if (!from || !to) throw new Error('The rules are not drawn.');
  await page.mouse.move(from.x + 5, from.y + 5);
  await page.mouse.down();
  await page.mouse.move(from.x + 5, to.y + 10, { steps: 5 });
  await page.mouse.up();
  await expect.poll(() => pathsOf(page)).toEqual(['/docs', '/blog', '/api']);
  await expect(page.getByRole('list', { name: 'Rules' })).not.toHaveAttribute('aria-busy', 'true');

  await page.getByRole('button', { name: 'Delete rule 2' }).click();
  const armed = page.getByRole('button', { name: 'Click again to confirm deletion.' });
  await expect(armed).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(armed).toBeHidden();
  expect(await pathsOf(page)).toEqual(['/docs', '/blog', '/api']);
  await page.getByRole('button', { name: 'Delete rule 2' }).click();
  await expect(armed).toBeVisible();
  await page.waitForFunction(
    (since) => performance.now() - since > 400,
    await page.evaluate(() => performance.now()),
  );
  await armed.click();
  await expect.poll(() => pathsOf(page)).toEqual(['/docs', '/api']);
  // The rule that took its place.
  await expect(page.getByRole('button', { name: 'Delete rule 2' })).toBeFocused();
});

test('a rule that is moved again while its first move is being saved goes on from there', async ({
  page,
}) => {
  await createProxy(page, 'hurry.northquay.example');
  for (const path of ['/docs', '/blog', '/api']) await addRule(page, path, 'Simple');
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/move', (route) => released.then(() => route.continue()));
  await page.getByRole('button', { name: 'Edit rule 1' }).focus();
  await page.keyboard.press('Alt+ArrowDown');
  await expect.poll(() => pathsOf(page)).toEqual(['/blog', '/docs', '/api']);
  await page.keyboard.press('Alt+ArrowDown');
  await expect.poll(() => pathsOf(page)).toEqual(['/blog', '/api', '/docs']);
  await expect(page.getByRole('button', { name: 'Edit rule 3' })).toBeFocused();
  release();
  const storedPaths = async () => (await stored(page)).rules.map(({ path }) => path);
  await expect.poll(storedPaths).toEqual(['/blog', '/api', '/docs']);
  expect(await pathsOf(page)).toEqual(['/blog', '/api', '/docs']);
});

test('a URL is tested on saved and unsaved rules, and a saved URL refuses a change of its answer', async ({
  page,
  failures,
}) => {
  // The console refuses a change that answers a saved URL otherwise.
  failures.mayCome(/status of 409 .*\/api\/proxies\//);
  await createProxy(page, 'tester.northquay.example');
  await addRule(page, '/docs');
  await addRule(page, '/blog');
  const tester = page.getByLabel('Test a URL');
  await tester.fill('https://tester.northquay.example/blog/2026/tides?page=2');
  const result = page.getByRole('status', { name: 'Result of the test' });
  await expect(result).toContainText('Rule 2');
  await expect(result).toContainText('GET https://target-blog.example/2026/tides?page=2');
  await expect(rules(page).nth(0)).toContainText('does not fit');
  await expect(rules(page).nth(1)).toContainText('takes this URL');
  await expectAccessible(page);
  await expectFitsPhone(page);

  const ask = page.getByRole('button', { name: 'Ask the website' });
  await ask.click();
  await expect(page.getByRole('status', { name: 'Answer of the website' })).toContainText(
    'does not serve the domain yet',
  );
  await page.getByRole('button', { name: 'Examine /blog' }).click();
  await expect(page.getByRole('status', { name: 'Examination of /blog' })).toContainText(
    'no website was asked',
  );
  await page.getByRole('button', { name: 'Save this URL with its answer' }).click();
  await expect(page.getByRole('list', { name: 'Saved URLs' })).toContainText(
    'target-blog.example/2026/tides',
  );
  await expect(ask).toBeFocused();
  await page.getByRole('button', { name: 'Edit rule 2' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit rule 2' });
  await dialog.getByLabel('Path', { exact: true }).fill('/journal');
  await expect(dialog.getByRole('status', { name: 'Result of the test' })).toContainText('Everything else');
  await dialog.getByRole('button', { name: 'Save rule' }).click();
  await expect(dialog).toContainText('Nothing was changed, because saved URLs would be answered otherwise');
  await dialog.getByRole('button', { name: 'Save with the new answers' }).click();
  await expect(dialog).toBeHidden();
  await expect.poll(() => pathsOf(page)).toEqual(['/docs', '/journal']);

  await tester.fill('https://other.example/blog');
  await expect(result).toHaveText('This domain is not handled by this proxy');
  await tester.fill('/%');
  await expect(result).toContainText('400');
});

test('a domain that is not served is not purged, one that is not proven is refused, and the proxy is deleted', async ({
  page,
  failures,
}) => {
  await createProxy(page, 'end.northquay.example');
  const { pathname } = new URL(page.url());
  const record = `/api/proxies/${pathname.split('/').at(-1)}`;
  failures.allow(new RegExp(`status of 409 .*${record}/purge\\)$`));
  failures.allow(new RegExp(`status of 400 .*${record}\\)$`));
  await page.getByRole('button', { name: 'Purge cache' }).first().click();
  const purge = page.getByRole('dialog', { name: 'Purge cache' });
  await purge.getByLabel('Only what begins with').fill('/blog/');
  await purge.getByRole('button', { name: 'Purge cache' }).click();
  await expect(purge.getByText('does not serve end.northquay.example')).toBeVisible();
  await purge.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('button', { name: 'Edit domain' }).click();
  const domain = page.getByRole('dialog', { name: 'Edit domain' });
  await domain.getByLabel('Domain', { exact: true }).fill('elsewhere.invalid');
  await domain.getByRole('button', { name: 'Save' }).click();
  await expect(
    domain.getByText('Cannot update domain: This does not appear to be a domain you own'),
  ).toBeVisible();
  await domain.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('button', { name: 'Delete proxy' }).click();
  const deletion = page.getByRole('alertdialog', { name: /^Delete end\.northquay\.example/ });
  await expect(deletion.getByRole('button', { name: 'Delete proxy' })).toBeDisabled();
  await deletion.getByLabel('Type delete to confirm').fill('delete');
  await deletion.getByRole('button', { name: 'Delete proxy' }).click();
  await expect(told(page, 'Proxy Deleted')).toBeVisible();
  await expect(page).toHaveURL(/\/proxies$/);
  await expect(page.getByText('No proxies yet')).toBeVisible();
});

/** A small website. Each page says how often it was asked for. */
async function startSite(name: string, cacheControl: string): Promise<Site> {
  const asked = new Map<string, number>();
  const server = createServer((request, answer) => {
    const url = request.url ?? '';
    const times = (asked.get(url) ?? 0) + 1;
    asked.set(url, times);
    answer.writeHead(200, { 'content-type': 'text/html', 'cache-control': cacheControl });
    answer.end(`<title>${name}</title><p>${name} ${url} no. ${times}</p><a href="/two">Two</a>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The site has no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
type Site = AsyncDisposable & { url: string };

test('two websites are served under one domain of this machine, and the page tells of it without a reload', async ({
  page,
}) => {
  await using harbour = await startSite('Harbour', 'no-store');
  // The proxy service keeps these answers, and the browser does not.
  await using blog = await startSite('Journal', 's-maxage=600, max-age=0');
  await page.goto('/proxies/new');
  await page.getByLabel('Domain', { exact: true }).fill('merged.localhost');
  await page.getByLabel('Current website location').fill(harbour.url);
  await page.getByRole('button', { name: 'Create proxy' }).click();
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading.getByText('Serving', { exact: true })).toBeVisible();

  await expect(page.getByText('Reached from this machine only')).toBeVisible();
  const site = await page.getByRole('link', { name: 'Open site' }).getAttribute('href');
  if (site === null) throw new Error('The page does not say where the domain is opened.');
  const visitor = await page.context().newPage();
  const visit = async (path: string) => {
    await visitor.goto(new URL(path, site).href);
    return visitor.locator('p').textContent();
  };
  // The proxy service hears of the domain as the page does, and may hear later.
  await expect.poll(() => visit('/tides')).toBe('Harbour /tides no. 1');
  expect(await visit('/blog/')).toBe('Harbour /blog/ no. 1');

  await page.getByRole('button', { name: 'Add rule' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add rule' });
  await dialog.getByText('Subdirectory', { exact: true }).click();
  await dialog.getByLabel('Path', { exact: true }).fill('/blog');
  await dialog.getByRole('textbox', { name: 'Target' }).fill(blog.url);
  await dialog.getByRole('button', { name: 'Save rule' }).click();
  await expect(dialog).toBeHidden();
  await expect.poll(() => visit('/blog/')).toBe('Journal / no. 1');
  await expect(visitor.getByRole('link', { name: 'Two' })).toHaveAttribute('href', '/blog/two');
  expect(await visit('/tides')).toBe('Harbour /tides no. 2');

  await page.getByLabel('Test a URL').fill(`${site}blog/`);
  await page.getByRole('button', { name: 'Ask the website' }).click();
  const answer = page.getByRole('status', { name: 'Answer of the website' });
  await expect(answer).toContainText('200');
  await expect(answer).toContainText('s-maxage=600');
  await page.getByRole('button', { name: 'Examine /blog' }).click();
  await expect(page.getByRole('status', { name: 'Examination of /blog' })).toContainText(
    'Nothing leads out of /blog on 2 pages.',
  );

  const kept = await visit('/blog/kept');
  expect(await visit('/blog/kept')).toBe(kept);
  await page.getByRole('button', { name: 'Purge cache' }).first().click();
  const purge = page.getByRole('dialog', { name: 'Purge cache' });
  await purge.getByLabel('Only what begins with').fill('/blog/');
  await purge.getByRole('button', { name: 'Purge cache' }).click();
  await expect(told(page, 'Cache Purged')).toBeVisible();
  await expect.poll(() => visit('/blog/kept')).not.toBe(kept);
  await expectAccessible(page);
  await expectFitsPhone(page);
});
