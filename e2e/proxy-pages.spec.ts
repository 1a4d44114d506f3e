import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { ProxyRecord } from '@homeport/contract/proxies/schema';
import type { Page } from '@playwright/test';
import { expectAccessible } from './fixtures/axe.ts';
import { newPerson, signUp } from './fixtures/person.ts';
import { expectFitsPhone } from './fixtures/phone.ts';
import { switchOff } from './fixtures/switch-off.ts';
import { expect, test } from './fixtures/test.ts';

/** What the pages of proxies show when there is much, when something is hostile, and when something fails. */

const rules = (page: Page) => page.getByRole('list', { name: 'Rules' }).getByRole('listitem');

/** A change over the API, as the page sends it. Hundreds of them come from other addresses, because each has a limit a minute. */
async function post<T>(page: Page, path: string, data: object): Promise<T> {
  const { origin } = new URL(page.url());
  const address = [198, 19, ...randomBytes(2)].join('.');
  const answer = await page.request.post(path, { data, headers: { origin, 'x-forwarded-for': address } });
  expect(answer.ok(), await answer.text()).toBe(true);
  return answer.json();
}
const plant = (page: Page, domain: string, more: object = {}): Promise<ProxyRecord> =>
  post(page, '/api/proxies', { domain, source: 'https://www.northquay.example', ...more });

/** Texts of the open page that begin or end beside it, where nobody can scroll to. */
const textsBeside = (page: Page) =>
  page.getByRole('main').evaluate((main) => {
    const texts: string[] = [];
    const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const range = document.createRange();
      range.selectNodeContents(node);
      const { left, right, width } = range.getBoundingClientRect();
      let box = node.parentElement;
      // An ellipsis shortens a text, a clip hides it from all but screen readers.
      const isWhole = (element: Element) =>
        getComputedStyle(element).textOverflow === 'clip' && getComputedStyle(element).clipPath === 'none';
      // Tables, code and the list of sections scroll inside themselves.
      while (box && box !== main && isWhole(box) && !box.matches('[tabindex="0"], nav ul, code'))
        box = box.parentElement;
      if (box === main && width > 1 && (left < 0 || right > innerWidth + 1))
        texts.push(node.textContent?.slice(0, 60) ?? '');
    }
    return texts;
  });

/** A dialog covers the button that other pages are known by on a phone. */
async function expectDialogFitsPhone(page: Page): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 });
  const dialog = page.getByRole('dialog');
  const widest = () =>
    dialog.evaluate((element) => Math.max(document.documentElement.scrollWidth, element.scrollWidth));
  await expect.poll(widest, 'as wide as the phone').toBeLessThanOrEqual(390);
}

async function openRule(page: Page) {
  await page.getByRole('button', { name: 'Add rule' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add rule' });
  await expect(dialog).toBeVisible();
  return dialog;
}

test('nothing that loads late moves the rules', async ({ page }) => {
  await signUp(page, newPerson());
  const { id } = await plant(page, 'steady.northquay.example');
  let answer = () => {};
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(/\/api\/(?:zones|proxies\/[\w-]+\/(?:use|notifications))(?:\?.*)?$/, async (route) => {
    await asked;
    await route.continue();
  });
  await page.goto(`/proxy/${id}`);
  const add = page.getByRole('button', { name: 'Add rule' });
  await expect(page.locator('#requests')).toHaveAttribute('aria-busy', 'true');
  // A line is higher by a part of a pixel in the fallback of a font.
  await page.evaluate(() => document.fonts.ready);
  const before = await add.boundingBox();
  answer();
  await expect(page.locator('#requests')).toContainText('No requests in this time.');
  await expect(page.getByRole('heading', { name: /^By e-mail: / })).toBeVisible();
  expect(await add.boundingBox()).toEqual(before);
});

test.describe('the window of a rule', () => {
  test.beforeEach(async ({ page }) => {
    await signUp(page, newPerson());
    const { id } = await plant(page, 'window.northquay.example');
    await page.goto(`/proxy/${id}`);
  });

  test('says beside each field what is wrong with it, and keeps what was typed', async ({
    page,
    failures,
  }) => {
    // The console refuses what the page cannot judge.
    failures.mayCome(/status of 400 .*\/rules/);
    const dialog = await openRule(page);
    const field = (name: string) => dialog.getByRole('textbox', { name, exact: true });
    await dialog.getByRole('button', { name: 'Save rule' }).click();
    await expect(dialog.getByText('Enter a path such as /blog.')).toBeVisible();
    await expect(dialog.getByText('Enter the address of a website.')).toBeVisible();
    await expect(field('Path')).toBeFocused();

    await field('Path').fill('/blog');
    await field('Target').fill('https://blog.northquay.example');
    for (const [name, value, text] of [
      ['Path', 'blog', /begin/],
      ['Path', '/a?b', /\?/],
      ['Target', 'javascript:alert(1)', /http/],
      ['Target', 'https://ada:secret@blog.northquay.example', /password/],
      ['Rewrite', '^/(?=a)', /pattern/],
      ['X-Forwarded-Host', 'a b', /host/i],
      ['Path prefix', '/a?b', /\?/],
    ] as const) {
      const input = dialog.getByRole('textbox', { name: new RegExp(`^${name}( optional)?$`) });
      const before = await input.inputValue();
      await input.fill(value);
      await dialog.getByRole('button', { name: 'Save rule' }).click();
      await expect(input).toHaveAttribute('aria-invalid', 'true');
      await expect(input).toBeFocused();
      await expect(input).toHaveAccessibleDescription(text);
      await expect(input).toHaveValue(value);
      await input.fill(before);
    }
    await expectAccessible(page);
    await expectDialogFitsPhone(page);
  });

  test('asks before it throws changes away, and saves by Ctrl Enter', async ({ page }) => {
    const dialog = await openRule(page);
    await dialog.getByLabel('Path', { exact: true }).fill('/blog');
    await page.keyboard.press('Escape');
    await expect(page.getByText('Discard your changes?')).toBeVisible();
    await page.getByRole('button', { name: 'Keep editing' }).click();
    await dialog.getByRole('textbox', { name: 'Target' }).fill('blog.northquay.example');
    await page.keyboard.press('Control+Enter');
    await expect(dialog).toBeHidden();
    await expect(rules(page).first()).toContainText('https://blog.northquay.example');
    await expect(page.getByRole('button', { name: 'Add rule' })).toBeFocused();
  });

  test('tells that the console is out of reach, keeps what was typed, and saves when it is back', async ({
    page,
    context,
    failures,
  }) => {
    failures.mayCome(/ERR_INTERNET_DISCONNECTED|WebSocket|Loading failed/);
    const dialog = await openRule(page);
    await dialog.getByLabel('Path', { exact: true }).fill('/blog');
    await dialog.getByRole('textbox', { name: 'Target' }).fill('blog.northquay.example');
    await context.setOffline(true);
    await dialog.getByRole('button', { name: 'Save rule' }).click();
    await expect(dialog.getByText('The rule was not saved.')).toBeVisible();
    await expect(dialog.getByLabel('Path', { exact: true })).toHaveValue('/blog');
    await context.setOffline(false);
    await dialog.getByRole('button', { name: 'Save rule' }).click();
    await expect(dialog).toBeHidden();
    await expect(rules(page).first()).toContainText('https://blog.northquay.example');
  });
});

test('hostile values are shown as text, and make no page wider than a phone', async ({ page }) => {
  await signUp(page, newPerson());
  await page.goto('/proxies');
  page.on('dialog', () => expect('a script of a value ran').toBe('never'));
  const script = '<img src=x onerror=alert(1)>';
  const proxy = await plant(page, `${'w'.repeat(63)}.${'v'.repeat(63)}.example`, {
    name: `${script} ${'W'.repeat(50)}`,
    source: `https://${'t'.repeat(60)}.northquay.example/${'p'.repeat(1_500)}`,
  });
  await post(page, `/api/proxies/${proxy.id}/rules`, {
    ...{
      version: proxy.version,
      path: `/${encodeURIComponent(script)}/${'x'.repeat(900)}`,
      type: 'subdirectory',
    },
    ...{
      target: `https://blog.northquay.example/${'y'.repeat(1_900)}`,
      xForwardedHost: `${'z'.repeat(60)}.example`,
    },
    ...{
      proxyPathPrefix: `/${'q'.repeat(1_000)}`,
      pathRewriteSrc: `/${'r'.repeat(200)}`,
      pathRewriteDest: '/</script>',
    },
    ...{ injection: `<script>alert(2)</script>${'i'.repeat(60_000)}` },
  });
  await expect(page.getByRole('row').filter({ hasText: script })).toBeVisible();
  await expectAccessible(page);
  await expectFitsPhone(page);
  await page.setViewportSize({ width: 1280, height: 900 });

  await page.goto(`/proxy/${proxy.id}`);
  await expect(page.getByRole('heading', { level: 1 })).toContainText(script);
  await page
    .getByLabel('Test a URL')
    .fill(`/${encodeURIComponent(script)}/${'x'.repeat(900)}/${'ü'.repeat(300)}`);
  await expect(page.getByRole('status', { name: 'Result of the test' })).toContainText('Rule 1');
  await expectAccessible(page);
  await expectFitsPhone(page);
  expect(await textsBeside(page)).toEqual([]);
  await page.getByRole('button', { name: 'Edit rule 1' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit rule 1' });
  await expect(dialog.getByLabel('Injection')).toHaveValue(/^<script>alert/);
  await expectDialogFitsPhone(page);
});

test('200 proxies and 200 rules are listed, and one proxy more is refused', async ({ page, failures }) => {
  // The ceiling of proxies.
  failures.allow(/status of 4\d\d .*\/api\/proxies/);
  await signUp(page, newPerson());
  await page.goto('/home');
  let proxy = await plant(page, 'zz-many.northquay.example');
  for (let left = 200; left > 0; left -= 1)
    proxy = await post(page, `/api/proxies/${proxy.id}/rules`, {
      ...{
        version: proxy.version,
        path: `/p${left}`,
        type: 'simple',
        target: `https://t${left}.northquay.example`,
      },
    });
  for (let index = 1; index < 200; index += 1) await plant(page, `n${index}.northquay.example`);
  await page.goto('/proxies');
  // A long table draws the rows around what is seen.
  const table = page.getByRole('region', { name: 'Proxies' }).getByRole('table');
  await expect(table).toHaveAttribute('aria-rowcount', '201');
  await expect(table.getByRole('link', { name: 'n1.northquay.example', exact: true })).toBeVisible();
  await page.goto('/proxies/new');
  await page.getByLabel('Domain', { exact: true }).fill('one-too-many.northquay.example');
  await page.getByLabel('Current website location').fill('www.northquay.example');
  await page.getByRole('button', { name: 'Create proxy' }).click();
  await expect(page.getByText('The proxy was not created.')).toBeVisible();
  await expect(page.getByLabel('Current website location')).toHaveValue('www.northquay.example');

  await page.goto(`/proxy/${proxy.id}`);
  // The primary website is the last row.
  await expect(rules(page)).toHaveCount(201);
  await page.getByLabel('Test a URL').fill('/p1/x');
  await expect(page.getByRole('status', { name: 'Result of the test' })).toContainText('Rule 200');
  const up = page.getByRole('button', { name: 'Move rule 200 up' });
  await up.press('Enter');
  await expect(page.getByRole('button', { name: 'Move rule 199 up' })).toBeFocused();
  await expect(page.getByRole('status', { name: 'Result of the test' })).toContainText('Rule 199');
  await expectFitsPhone(page);
});

test('what cannot be loaded says so in its place, and comes with Try again', async ({ page, failures }) => {
  failures.allow(/status of 503 .*\/api\/proxies(?:\/[\w-]+(?:\/use|\/notifications)?)?(?:\?.*)?\)$/);
  failures.allow(/Loading failed \[proxies, GET \/api\/proxies\b/);
  failures.allow(/status of 404 .*\/api\/proxies\/00000000-0000-4000-8000-000000000000\)$/);
  await signUp(page, newPerson());
  const { id } = await plant(page, 'fails.northquay.example');
  let isFailing = true;
  await page.route(/\/api\/proxies(?:\/[\w-]+(?:\/use|\/notifications)?)?(?:\?.*)?$/, (route) =>
    isFailing
      ? route.fulfill({ status: 503, json: { code: 'unavailable', message: 'The store is away.' } })
      : route.continue(),
  );
  await page.goto('/proxies');
  await expect(page.getByRole('heading', { name: 'The proxies could not be loaded' })).toBeVisible();
  await expectAccessible(page);
  await page.goto(`/proxy/${id}`);
  await expect(page.getByRole('heading', { name: 'The proxy could not be loaded' })).toBeVisible();
  isFailing = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('fails.northquay.example');
  await page.goto('/proxy/00000000-0000-4000-8000-000000000000');
  await expect(page.getByRole('heading', { name: 'No such proxy' })).toBeVisible();
});

test('the owner of the console confirms a domain of another account, and withdraws that', async ({
  page,
  browser,
  homeport,
}) => {
  const person = newPerson();
  await signUp(page, person);
  const domain = 'claimed.northquay.example';
  const { id } = await plant(page, domain);
  await page.goto(`/proxy/${id}`);
  const checks = page.getByRole('list', { name: 'Live checks' });
  await expect(checks).toContainText('Waiting for the TXT record or the owner');

  const context = await browser.newContext({ baseURL: homeport.url });
  await context.addCookies(homeport.owner.cookies);
  const owner = await context.newPage();
  await owner.route('**/api/proxies/claims', (route) => route.fulfill({ status: 503, json: {} }));
  await owner.goto('/proxies');
  await expect(
    owner.getByRole('heading', { name: 'The domains without proof could not be loaded' }),
  ).toBeVisible();
  await owner.unroute('**/api/proxies/claims');
  await owner.getByRole('button', { name: 'Try again' }).click();
  const claim = owner
    .getByRole('region', { name: 'Domains without proof in DNS' })
    .getByRole('row')
    .filter({ hasText: domain });
  await expect(claim).toContainText(person.email);
  await expectAccessible(owner);
  await claim.getByRole('button', { name: `Confirm ${domain}` }).click();
  await expect(claim.getByRole('button', { name: `Withdraw for ${domain}` })).toBeVisible();
  await expect(checks).toContainText('Whitelisted by the owner of this console');
  await expectFitsPhone(owner);
  await claim.getByRole('button', { name: `Withdraw for ${domain}` }).click();
  await expect(claim.getByRole('button', { name: `Confirm ${domain}` })).toBeVisible();
  await expect(checks).toContainText('Waiting for the TXT record or the owner');
  await context.close();
});

test('news of a website that fails stands on the page of its proxy, and its switches are kept', async ({
  page,
  failures,
}) => {
  // The website answers visitors with errors.
  failures.mayCome(/status of 500/);
  const broken = createServer((_request, answer) => answer.writeHead(500).end('broken'));
  await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve));
  const address = broken.address();
  if (address === null || typeof address === 'string') throw new Error('The site has no port.');
  try {
    await signUp(page, newPerson());
    const proxy = await plant(page, 'broken.localhost', { source: `http://127.0.0.1:${address.port}` });
    await page.goto(`/proxy/${proxy.id}`);
    const heading = page.getByRole('heading', { level: 1 });
    await expect(heading.getByText('Serving', { exact: true })).toBeVisible();
    const section = page.locator('#notifications');
    const byEmail = section.getByRole('heading', { name: /^By e-mail: / });
    await byEmail.click();
    const website = section.getByRole('switch', { name: 'A website behind it fails, and works again' });
    const certificate = section.getByRole('switch', { name: 'The certificate of its domain ends soon' });
    await switchOff(page, certificate);

    // Only the browser knows names below localhost.
    const visitor = await page.context().newPage();
    const visit = async () => (await visitor.goto(proxy.url))?.status();
    // The proxy service hears of the domain as the page does, and may hear later.
    await expect.poll(visit).toBe(500);
    for (let left = 7; left > 0; left -= 1) expect(await visit()).toBe(500);
    await visitor.close();
    const news = section.getByRole('list', { name: 'News by e-mail' }).getByRole('listitem');
    // The proxy service brings its counts once a minute.
    await expect(news).toHaveCount(1, { timeout: 90_000 });
    await expect(heading.getByText('Failing', { exact: true })).toBeVisible();
    await expectAccessible(page, '#notifications');
    await page.reload();
    await byEmail.click();
    await expect(certificate).not.toBeChecked();
    await expect(website).toBeChecked();
    await switchOff(page, section.getByRole('switch', { name: 'E-mail about broken.localhost' }));
    await expect(website).toBeDisabled();
    await expectFitsPhone(page);
  } finally {
    broken.closeAllConnections();
    broken.close();
  }
});
