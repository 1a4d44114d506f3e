import { readFile } from 'node:fs/promises';
import { makeKey } from '@homeport/ssh/testing';
import type { Page } from '@playwright/test';
import { askFront, greeting, pushApp } from './fixtures/app.ts';
import { type LinkedHost, startHost } from './fixtures/host.ts';
import { newPerson, signUp } from './fixtures/person.ts';
import { ed25519Secrets, privateLines, watchSent } from './fixtures/sent.ts';
import {
  acceptHostKey,
  addServer,
  addServerDialog,
  describeServer,
  finishInstallation,
  importKey,
  installServer,
} from './fixtures/server.ts';
import { test as base, expect } from './fixtures/test.ts';

/** The main job from an empty server to a running app. SSH and git are real; the sandbox stands in for Dokku. */

/** The part of the real installer's time that the sandbox takes: long enough to be watched. */
const watchable = 0.03;

const test = base.extend<{ hostAt: (pace: number) => Promise<LinkedHost> }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the first parameter's properties.
  hostAt: async ({}, use) => {
    const hosts: LinkedHost[] = [];
    await use(async (pace) => {
      const host = await startHost({ installed: false, pace });
      hosts.push(host);
      return host;
    });
    await Promise.all(hosts.map((host) => host.stop()));
  },
  // The context is made after the hosts and so closes before them. Otherwise an open page would lose its server.
  context: async ({ hostAt: _hostAt, context }, use) => use(context),
});

/** Signs up, and adds a key to this browser that the host lets in. */
async function settle(page: Page, host: LinkedHost): Promise<void> {
  const login = makeKey();
  await host.authorize(login.publicKeyLine);
  await signUp(page, newPerson());
  await importKey(page, 'desk', login.privateKeyPem);
}

test('a newcomer links a server, deploys an app with git and destroys it, and no private key leaves the browser', async ({
  page,
  context,
  failures,
  hostAt,
}) => {
  test.setTimeout(180_000);
  const host = await hostAt(watchable);
  const sent = watchSent(context);
  const push = makeKey();
  let saved = '';
  let publicLine = '';

  await test.step('adds a key for git, and generates a key that the server lets in', async () => {
    await signUp(page, newPerson());
    await importKey(page, 'laptop', push.privateKeyPem);
    await page.goto('/ssh-keys/new');
    await page.getByText('Generate one here').click();
    await page.getByLabel('Name', { exact: true }).fill('harbour desk');
    await page.getByRole('button', { name: 'Generate keypair' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save the private key' }).click(),
    ]);
    saved = await readFile(await download.path(), 'utf8');
    publicLine =
      (await page
        .getByRole('code')
        .filter({ hasText: /^ssh-ed25519 / })
        .textContent()) ?? '';
    await host.authorize(publicLine);
    await page.getByRole('link', { name: 'Add your first server' }).click();
  });

  const subdomain = `lantern${Date.now().toString(36)}`;
  await test.step('refuses an invalid subdomain, and suggests one where none is given', async () => {
    const dialog = addServerDialog(page);
    const add = dialog.getByRole('button', { name: 'Add server' });
    const field = dialog.getByLabel('Subdomain');
    await describeServer(dialog, host, { name: 'lantern', credential: 'harbour desk' });
    await add.click();
    await expect(field).toHaveValue(/^[a-z0-9]+$/);
    await expect(field).toBeFocused();
    await expect(field).toHaveAccessibleDescription(/picked for you\. Check it, then press Add server again/);
    await field.fill('not-a-name');
    await add.click();
    await expect(field).toHaveAccessibleDescription('Subdomains should only include letters and numbers');
    await field.fill(subdomain);
    await add.click();
  });

  await test.step('asks about the host key, and then shows the progress of the installation', async () => {
    await acceptHostKey(page, 'lantern', host);
    const installing = page.getByRole('dialog', { name: 'Installing..' });
    const percent = installing.getByText(/^\d+ %$/);
    await expect(percent).toBeVisible({ timeout: 20_000 });
    const seen = new Set<number>();
    await expect
      .poll(
        async () => {
          const now = Number.parseInt((await percent.textContent({ timeout: 1_000 })) ?? '', 10);
          seen.add(now);
          return now;
        },
        { timeout: 60_000, intervals: [100] },
      )
      .toBeGreaterThanOrEqual(40);
    expect([...seen], 'only forwards').toEqual([...seen].sort((one, other) => one - other));
    await expect(installing.getByRole('listitem').filter({ hasText: 'Installing Dokku' })).toBeVisible();
    await finishInstallation(page);
  });

  await test.step('refuses to link the same machine twice', async () => {
    failures.allow(/status of 400 .*\/api\/servers\)$/);
    await page.getByRole('button', { name: 'Add server' }).click();
    const dialog = addServerDialog(page);
    await describeServer(dialog, host, { name: 'again', credential: 'harbour desk' });
    await dialog.getByLabel('Subdomain').fill(`${subdomain}2`);
    await dialog.getByRole('button', { name: 'Add server' }).click();
    await expect(dialog.getByLabel('IPv4 address')).toHaveAccessibleDescription('Ip already exists');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toBeHidden();
  });

  await test.step('shows the first report on the server’s page', async () => {
    await page.getByRole('row').getByRole('link', { name: 'lantern' }).click();
    await expect(page).toHaveURL(/\/server\/\w+$/);
    await expect(page.getByRole('heading', { level: 1 }).getByText('Online', { exact: true })).toBeVisible({
      timeout: 30_000,
    });
    await expect(page.getByText('Stats from')).toBeVisible();
    await expect(page.locator('#overview').getByText(/^on \d+ cores?$/)).toBeVisible();
    await expect(page.getByText('Connected')).toBeVisible();
  });

  let remote = '';
  await test.step('creates an app in a window that stays open until the app exists', async () => {
    await page.getByRole('link', { name: 'New app' }).click();
    await page.getByLabel('App name').fill('Signal');
    await page.getByRole('checkbox', { name: /laptop/ }).setChecked(true);
    await page.getByRole('checkbox', { name: /harbour desk/ }).setChecked(false);
    await page.getByRole('button', { name: 'Create app' }).click();
    const creating = page.getByRole('dialog', { name: /^Creating signal-\w{6} on lantern$/ });
    await expect(creating).toBeVisible({ timeout: 15_000 });
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    await expect(creating).toBeVisible();
    await expect(creating.getByRole('button', { name: 'OK' })).toBeDisabled();
    await expect(creating.getByRole('button', { name: 'Close' })).toHaveCount(0);

    const created = page.getByRole('dialog', { name: /^signal-\w{6} is created$/ });
    await expect(created).toBeVisible({ timeout: 45_000 });
    await expect(created.getByRole('definition').filter({ hasText: 'laptop' })).toBeVisible();
    remote = (await created.getByRole('definition').first().textContent()) ?? '';
    await expect(created).toContainText(`git remote add dokku ${remote}`);
    await created.getByRole('button', { name: 'OK' }).click();
    await expect(page).toHaveURL(/\/app\/\w+\/signal-\w{6}$/);
  });

  const loadedAt = await page.evaluate(() => performance.timeOrigin);
  const lamp = page.getByRole('link', { name: 'Open app' });
  let domain = '';
  await test.step('shows a push with its log, and the app answers', async () => {
    await expect(page.locator('#deploy').getByText('Never deployed')).toBeVisible();
    expect(await pushApp(remote, push.privateKeyPem)).toContain('Application deployed');
    await expect(page.locator('#deploy').getByText('Succeeded', { exact: true })).toBeVisible({
      timeout: 20_000,
    });
    await expect(page.getByRole('log', { name: /^deploy log of Signal/ })).toContainText(
      'Application deployed',
      { timeout: 20_000 },
    );
    domain = new URL((await lamp.getAttribute('href')) ?? '').host;
    expect(await askFront(host.sandbox.frontPort, domain)).toEqual({ status: 200, body: greeting });
  });

  await test.step('shows that checks from outside reach the app, and how long they take', async () => {
    const header = page.getByRole('heading', { level: 1 });
    await expect(header.getByText('Online', { exact: true })).toBeVisible({ timeout: 20_000 });
    const times = page.getByRole('figure', { name: /^Request Times/ });
    await expect(times.getByText('First byte')).toBeVisible();
    await expect(times.getByRole('definition').filter({ hasText: '200' })).toBeVisible();
    await expect(page.locator('#notifications')).toContainText('It was never down since it is watched.');
  });

  const work = page.getByRole('dialog');
  await test.step('stops and starts the app', async () => {
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await expect(page.getByText('App Stopped Successfully')).toBeVisible({ timeout: 20_000 });
    await work.getByRole('button', { name: 'Close' }).last().click();
    await expect(page.getByText('App is not running')).toBeVisible();
    await expect(lamp).toBeHidden();
    expect((await askFront(host.sandbox.frontPort, domain)).status).toBe(502);

    await page.getByRole('button', { name: 'Start', exact: true }).first().click();
    await expect(page.getByText('App Started Successfully')).toBeVisible({ timeout: 20_000 });
    await work.getByRole('button', { name: 'Close' }).last().click();
    await expect(page.getByText('App is not running')).toBeHidden();
    await expect(lamp).toBeVisible();
    expect((await askFront(host.sandbox.frontPort, domain)).status).toBe(200);
    expect(await page.evaluate(() => performance.timeOrigin), 'without a reload').toBe(loadedAt);
  });

  await test.step('destroys the app once the person has typed the word', async () => {
    // The app's page may ask for its stats at this very moment.
    failures.mayCome(/status of 404 .*\/monitor\/(?:apps|uptime)\//);
    await page.getByRole('button', { name: 'Destroy app' }).click();
    const question = page.getByRole('alertdialog', { name: 'Destroy Signal?' });
    const destroy = question.getByRole('button', { name: 'Destroy app' });
    await expect(destroy).toBeDisabled();
    await question.getByRole('textbox').fill('Destroy');
    await expect(destroy).toBeDisabled();
    await question.getByRole('textbox').fill('destroy');
    await destroy.click();
    const gone = page.getByRole('dialog', { name: /^signal-\w{6} is destroyed$/ });
    await expect(gone).toBeVisible({ timeout: 30_000 });
    await gone.getByRole('button', { name: 'OK' }).click();
    await expect(page).toHaveURL('/apps');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByText(/^signal-\w{6}$/)).toHaveCount(0);
    await expect(askFront(host.sandbox.frontPort, domain)).rejects.toThrow();
  });

  await test.step('sent no private key from the browser', () => {
    const [, publicBlob = ''] = publicLine.split(' ');
    expect(sent.holding(publicBlob), 'the watch sees the public half, so it works').not.toEqual([]);
    expect(sent.frames(), 'the watched socket carried signatures').toBeGreaterThan(0);
    for (const [file, line] of [
      [saved, publicLine],
      [push.privateKeyPem, push.publicKeyLine],
    ] as const) {
      for (const secret of [...privateLines(file, line), ...ed25519Secrets(file)])
        expect(sent.holding(secret)).toEqual([]);
    }
  });
});

test('an operation goes on while its page is closed, and a later page shows its progress', async ({
  page,
  context,
  hostAt,
}) => {
  test.setTimeout(120_000);
  const host = await hostAt(watchable * 2);
  await settle(page, host);
  await addServer(page, host, { name: 'beacon', credential: 'desk' });
  await acceptHostKey(page, 'beacon', host);
  await expect(page.getByRole('dialog', { name: 'Installing..' })).toBeVisible({ timeout: 20_000 });
  await page.close();

  const later = await context.newPage();
  await later.goto('/home');
  await later.getByRole('button', { name: /^Work going on/ }).click();
  await later.getByRole('menuitem', { name: /Installation \(beacon\), running/ }).click();
  const installing = later.getByRole('dialog', { name: 'Installing..' });
  await expect(installing.getByText(/^\d+ %$/)).toBeVisible();
  await finishInstallation(later);

  await later.goto('/apps/new');
  await later.getByLabel('App name').fill('Buoy');
  await later.getByRole('button', { name: 'Create app' }).click();
  await expect(later.getByRole('dialog', { name: /^Creating buoy-\w{6} on beacon$/ })).toBeVisible({
    timeout: 15_000,
  });
  await later.reload();
  const created = later.getByRole('dialog', { name: /^buoy-\w{6} is created$/ });
  await expect(later.getByRole('dialog', { name: /^(Creating )?buoy-\w{6} / })).toBeVisible();
  await expect(created).toBeVisible({ timeout: 45_000 });
  await expect(created.getByRole('listitem').filter({ hasText: 'Add the domain' })).toBeVisible();
  await created.getByRole('button', { name: 'OK' }).click();
  await expect(later).toHaveURL(/\/app\/\w+\/buoy-\w{6}$/);
});

test('the page refuses a changed host key, and accepts it only after the person compared it', async ({
  page,
  failures,
  hostAt,
}) => {
  // The answer that asks for a connection first.
  failures.allow(/status of 409 .*\/firewall\)$/);
  const host = await hostAt(0);
  await settle(page, host);
  await installServer(page, host, { name: 'pier', credential: 'desk', dokku: false });
  await page.getByRole('row').getByRole('link', { name: 'pier' }).click();
  const answer = page.locator('#firewall').getByText('Authenticated');
  await expect(answer).toBeVisible();

  const before = host.hostKeyFingerprint();
  await host.changeHostKey();
  expect(host.hostKeyFingerprint()).not.toBe(before);
  await page.reload();
  const readFirewall = page.locator('#firewall').getByRole('button', { name: /firewall|again/ });
  await readFirewall.first().click();
  const refusal = page.getByRole('alertdialog', { name: 'The host key of pier has changed' });
  await expect(refusal).toContainText(before);
  await expect(refusal).toContainText(host.hostKeyFingerprint());
  await expect(refusal.getByRole('button', { name: 'Accept the new key' })).toBeDisabled();
  await refusal.getByRole('button', { name: 'Keep the old key' }).click();
  await expect(refusal).toBeHidden();
  await expect(answer).toBeHidden();

  await readFirewall.first().click();
  await refusal.getByLabel('I compared the new fingerprint and it is right').check();
  await refusal.getByRole('button', { name: 'Accept the new key' }).click();
  await expect(answer).toBeVisible({ timeout: 15_000 });
  await page.reload();
  await expect(answer).toBeVisible({ timeout: 15_000 });
});
