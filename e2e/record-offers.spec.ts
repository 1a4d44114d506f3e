import { makeKey } from '@homeport/ssh/testing';
import type { Locator, Page } from '@playwright/test';
import { createApp, readWhileItGoes } from './fixtures/app.ts';
import { expectAccessible } from './fixtures/axe.ts';
import { testWithCloudflare } from './fixtures/cloudflare.ts';
import { type LinkedHost, startHost } from './fixtures/host.ts';
import { newPerson, signUp } from './fixtures/person.ts';
import { importKey, installServer, reportWhileItGoes } from './fixtures/server.ts';
import { expect } from './fixtures/test.ts';

/** What the dialogs of apps and servers offer to do at Cloudflare, which the stand-in plays. */

const token = `cfut_${'r'.repeat(48)}`;
const done = { timeout: 90_000 };

const test = testWithCloudflare(token).extend<{ host: LinkedHost }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the first parameter's properties.
  host: async ({}, use) => {
    const host = await startHost({ pace: 0 });
    await use(host);
    await host.stop();
  },
  // The context is made after the host and so closes before it. Otherwise an open page would lose its server.
  context: async ({ host: _host, context }, use) => use(context),
});

async function closeWork(page: Page): Promise<void> {
  const work = page.getByRole('dialog');
  await work.getByRole('button', { name: 'Close' }).last().click();
  await expect(work).toBeHidden();
}

async function addDomain(
  page: Page,
  domain: string,
  offer: (dialog: Locator) => Promise<void>,
): Promise<void> {
  await page.getByRole('button', { name: 'Add domain' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add domain' });
  await dialog.getByLabel('Domain').fill(domain);
  await offer(dialog);
  await dialog.getByRole('button', { name: 'Add domain' }).click();
  await expect(page.locator('#general').getByText(domain)).toBeVisible(done);
  await closeWork(page);
}

test('the dialogs of domains, apps and servers offer what has to change at Cloudflare, and change it', async ({
  page,
  cloudflare,
  host,
  failures,
}) => {
  failures.mayCome(readWhileItGoes);
  failures.mayCome(reportWhileItGoes);
  const zone = await cloudflare.addZone('northquay.example');
  await cloudflare.addRecords(zone, [
    { type: 'A', name: 'old', content: '203.0.113.9' },
    { type: 'A', name: 'box', content: host.ip },
  ]);
  /** `shop A 127.0.0.1`, sorted. */
  const records = async () =>
    (await cloudflare.recordsOf(zone))
      .map(({ name, type, content }) => `${name.replace('.northquay.example', '')} ${type} ${content}`)
      .toSorted();
  const login = makeKey();
  await host.authorize(login.publicKeyLine);
  await signUp(page, newPerson());
  await page.goto('/profile');
  await page.locator('#cloudflare').getByLabel('API token').fill(token);
  await page.locator('#cloudflare').getByRole('button', { name: 'Link account' }).click();
  await expect(page.locator('#cloudflare').getByText('1 zone readable')).toBeVisible();
  await importKey(page, 'desk', login.privateKeyPem);
  await installServer(page, host, { name: 'lighthouse', credential: 'desk' });
  await createApp(page, 'Shop', { desk: true });
  await expect(page).toHaveURL(/\/app\//);

  await test.step('a new domain adds its record', () =>
    addDomain(page, 'shop.northquay.example', async (dialog) => {
      await expect(dialog.getByRole('checkbox', { name: /^Add the record at Cloudflare/ })).toBeChecked();
      await expect(dialog).toContainText(`A ${host.ip}`);
      await expectAccessible(page, '[role="dialog"]');
    }));
  expect(await records()).toContain(`shop A ${host.ip}`);

  await test.step('a domain that leads elsewhere shows what stands there, and updates it', () =>
    addDomain(page, 'old.northquay.example', async (dialog) => {
      await expect(dialog).toContainText('At Cloudflare this name leads elsewhere now: A 203.0.113.9');
      const update = dialog.getByRole('checkbox', { name: /^Update it to/ });
      await expect(update).not.toBeChecked();
      await update.check();
    }));
  expect(await records()).toEqual([`box A ${host.ip}`, `old A ${host.ip}`, `shop A ${host.ip}`]);

  await test.step('a record stays where the person does not want it', () =>
    addDomain(page, 'plain.northquay.example', (dialog) =>
      dialog.getByRole('checkbox', { name: /^Add the record at Cloudflare/ }).uncheck(),
    ));
  expect(await records()).toHaveLength(3);

  await test.step('the removal of a domain takes its record away', async () => {
    await page.getByRole('button', { name: 'Remove old.northquay.example' }).click();
    const question = page.getByRole('alertdialog', { name: 'Remove old.northquay.example?' });
    await expect(question.getByText(`old.northquay.example A ${host.ip}`)).toBeVisible();
    await expect(question.getByRole('checkbox', { name: 'Remove it at Cloudflare too' })).toBeChecked();
    await expectAccessible(page, '[role="alertdialog"]');
    await question.getByRole('button', { name: 'Remove domain' }).click();
    await expect(page.locator('#general').getByText('old.northquay.example')).toBeHidden(done);
    await expect.poll(records).toEqual([`box A ${host.ip}`, `shop A ${host.ip}`]);
    await closeWork(page);
  });

  await test.step('the destruction of the app takes its record away', async () => {
    await page.getByRole('button', { name: 'Destroy app' }).click();
    const question = page.getByRole('alertdialog', { name: 'Destroy Shop?' });
    await expect(question.getByText(`shop.northquay.example A ${host.ip}`)).toBeVisible();
    await question.getByRole('textbox').fill('destroy');
    await question.getByRole('button', { name: 'Destroy app' }).click();
    await expect(page.getByRole('dialog', { name: /^shop-\w{6} is destroyed$/ })).toBeVisible(done);
    await expect.poll(records).toEqual([`box A ${host.ip}`]);
    await page.getByRole('dialog').getByRole('button', { name: 'OK' }).click();
  });

  await test.step('the removal of the server takes the last record away', async () => {
    await page.goto('/servers');
    // The page reads the firewall by itself, over the connection that ends with the server.
    await Promise.all([
      page.waitForResponse(/\/api\/servers\/[\w-]+\/firewall$/),
      page.getByRole('row').getByRole('link', { name: 'lighthouse' }).click(),
    ]);
    await page.getByRole('button', { name: 'Remove server' }).click();
    const question = page.getByRole('alertdialog', { name: 'Remove lighthouse?' });
    await expect(question.getByText(`box.northquay.example A ${host.ip}`)).toBeVisible();
    await question.getByRole('button', { name: 'Remove server' }).click();
    await expect.poll(records, done).toEqual([]);
    await expect(page).toHaveURL('/servers', done);
    await expect(page.getByRole('row').getByRole('link', { name: 'lighthouse' })).toBeHidden(done);
  });
});

test('a new app gets a domain of one’s own and its record, and the form leads to Cloudflare before it is linked', async ({
  page,
  cloudflare,
  host,
}) => {
  const first = await cloudflare.addZone('first.example');
  const second = await cloudflare.addZone('second.example');
  await cloudflare.addRecords(second, [{ type: 'A', name: 'old', content: '203.0.113.9' }]);
  const login = makeKey();
  await host.authorize(login.publicKeyLine);
  await signUp(page, newPerson());
  await importKey(page, 'desk', login.privateKeyPem);
  await installServer(page, host, { name: 'lighthouse', credential: 'desk' });
  await page.goto('/apps/new');
  const form = page.getByRole('form', { name: 'New app' });
  const domain = form.getByLabel('Domain', { exact: false }).and(form.getByRole('textbox'));

  await test.step('without Cloudflare the field is closed and leads to the link', async () => {
    await expect(domain).toBeDisabled();
    await expect(domain).toHaveAccessibleDescription('Link Cloudflare to choose a domain.');
    await form.getByRole('link', { name: 'Link Cloudflare' }).click();
    await expect(page).toHaveURL('/profile#cloudflare');
    await page.locator('#cloudflare').getByLabel('API token').fill(token);
    await page.locator('#cloudflare').getByRole('button', { name: 'Link account' }).click();
    await expect(page.locator('#cloudflare').getByText(/zones? readable/)).toBeVisible();
  });

  await page.goto('/apps/new');
  await form.getByLabel('App name').fill('Ferry');
  await test.step('a text that is no name is refused beside the field', async () => {
    await form.getByLabel('Zone of the domain').selectOption('second.example');
    await domain.fill('a b');
    await form.getByRole('button', { name: 'Create app' }).click();
    await expect(domain).toBeFocused();
    await expect(domain).toHaveAccessibleDescription(
      'Enter a name such as shop, or @ for the domain itself.',
    );
  });

  await test.step('a choice about the records of one name holds for that name alone', async () => {
    await domain.fill('old');
    const update = form.getByRole('checkbox', { name: /^Update it to/ });
    await expect(form).toContainText('At Cloudflare this name leads elsewhere now: A 203.0.113.9');
    await expect(update).not.toBeChecked();
    await update.check();
    await domain.fill('ferry');
    const add = form.getByRole('checkbox', { name: /^Add the record at Cloudflare/ });
    await expect(add).toBeChecked();
    await domain.fill('old');
    await expect(update).toBeChecked();
    await domain.fill('ferry');
    await expect(add).toBeChecked();
    await expect(form.getByRole('complementary', { name: 'Summary' })).toContainText('ferry.second.example');
    await expectAccessible(page);
  });

  await form.getByRole('button', { name: 'Create app' }).click();
  const created = page.getByRole('dialog', { name: 'Ferry is created', exact: true });
  await expect(created).toBeVisible();
  await created.getByRole('button', { name: 'OK' }).click();
  await expect(page.locator('#general').getByText('ferry.second.example')).toBeVisible(done);
  expect(await cloudflare.recordsOf(first)).toEqual([]);
  expect(
    (await cloudflare.recordsOf(second)).map(({ name, content }) => `${name} ${content}`).toSorted(),
  ).toEqual([`ferry.second.example ${host.ip}`, 'old.second.example 203.0.113.9']);
});
