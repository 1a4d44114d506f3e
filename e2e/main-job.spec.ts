import { readFile } from 'node:fs/promises';
import { makeKey } from '@homeport/ssh/testing';
import type { Locator, Page } from '@playwright/test';
import { askFront, greeting, pushApp, readWhileItGoes } from './fixtures/app.ts';
import { expectAccessible } from './fixtures/axe.ts';
import type { Failures } from './fixtures/failures.ts';
import { type LinkedHost, startHost } from './fixtures/host.ts';
import { openSteps } from './fixtures/operation.ts';
import { newPerson, signUp } from './fixtures/person.ts';
import { expectFitsPhone } from './fixtures/phone.ts';
import { ed25519Secrets, privateLines, type Sent, watchSent } from './fixtures/sent.ts';
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

// What people run is a release, and no checkout.
test.use({ released: true });

type Key = ReturnType<typeof makeKey>;
type Newcomer = {
  page: Page;
  host: LinkedHost;
  failures: Failures;
  /** All that leaves the browser. */
  sent: Sent;
  /** Pushes to the app. */
  push: Key;
  lamp: Locator;
};
/** The key that the browser made: its file, and its public line. */
type Made = { saved: string; publicLine: string };

/** Signed up, with a key in this browser that the host lets in. */
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
  const host = await hostAt(watchable);
  const sent = watchSent(context);
  const push = makeKey();
  const lamp = page.getByRole('link', { name: 'Open app' });
  const newcomer: Newcomer = { page, host, failures, sent, push, lamp };

  const made = await test.step('keys: one for git, one made here that the server lets in', () =>
    makeKeys(newcomer));

  const subdomain = `lantern${Date.now().toString(36)}`;
  await test.step('the form says what is wrong, and picks a subdomain where none is given', () =>
    fillServerForm(newcomer, subdomain));
  await test.step('the host key is asked about, then the installation shows how far it is', () =>
    watchInstallation(newcomer));
  await test.step('the same machine cannot be linked twice', () => linkAgain(newcomer, subdomain));
  await test.step('its page shows the first report', () => seeFirstReport(newcomer));
  const remote = await test.step('an app is created in a window that stays until it is there', () =>
    createSignal(newcomer));

  const loadedAt = await page.evaluate(() => performance.timeOrigin);
  const domain = await test.step('a push is noticed by the page, with its log, and the app answers', () =>
    pushSignal(newcomer, remote));
  await test.step('the checks from outside say that it is there, and how long it takes', () =>
    seeChecks(newcomer));
  await test.step('it is stopped and started', () => stopAndStart(newcomer, { domain, loadedAt }));
  await test.step('it is destroyed once the word is typed', () => destroySignal(newcomer, domain));
  await test.step('of all that left the browser nothing holds a private key', () =>
    expectNoSecretSent(newcomer, made));
});

test('a new app begins with a starter, so that its first deploy needs no terminal', async ({
  page,
  hostAt,
}) => {
  const host = await hostAt(0);
  await settle(page, host);
  await installServer(page, host, { name: 'wharf', credential: 'desk' });
  await page.goto('/apps/new');
  await page.getByLabel('App name').fill('Buoy');
  const begin = page.getByLabel('Begin with');
  await begin.selectOption({ label: 'A repository on GitHub' });
  await page.getByRole('button', { name: 'Create app' }).click();
  await expect(page.getByText('Enter a repository as owner/name.')).toBeVisible();
  await expect(page.getByLabel('Repository')).toBeFocused();
  await expectAccessible(page);
  await expectFitsPhone(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  await begin.selectOption({ label: 'Starter: Static site' });
  await expect(page.getByLabel('Repository')).toHaveCount(0);
  await page.getByRole('button', { name: 'Create app' }).click();
  const created = page.getByRole('dialog', { name: 'Buoy is created', exact: true });
  await expect(created.getByText('It runs already. Change its files with git.')).toBeVisible({
    timeout: 60_000,
  });
  await expect(created.getByText(/^git clone /)).toBeVisible();
  await expectAccessible(page, '[role="dialog"]');
  await created.getByRole('button', { name: 'OK' }).click();
  await expect(page.locator('#deploys').getByText('Files from an archive')).toBeVisible();
  const address = (await page.getByRole('link', { name: 'Open app' }).getAttribute('href')) ?? '';
  const { body } = await askFront(host.sandbox.frontPort, new URL(address).hostname);
  expect(body).toContain('This page is served from your own server.');
});

test('an operation goes on while its page is closed, and a later page shows its progress', async ({
  page,
  context,
  hostAt,
}) => {
  const host = await hostAt(watchable * 2);
  await settle(page, host);
  await addServer(page, host, { name: 'beacon', credential: 'desk' });
  await acceptHostKey(page, 'beacon', host);
  await expect(page.getByRole('dialog', { name: 'Installing..' })).toBeVisible();
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
  // A creation may be over before a busy browser has drawn that it goes on.
  const going = /^(Creating buoy-\w{6} on beacon|Buoy is created)$/;
  await expect(later.getByRole('dialog', { name: going })).toBeVisible();
  await later.reload();
  const created = later.getByRole('dialog', { name: 'Buoy is created', exact: true });
  await expect(later.getByRole('dialog', { name: /^(Creating buoy-\w{6} |Buoy )/ })).toBeVisible();
  await expect(created).toBeVisible();
  await openSteps(created);
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
  // A page that is loaded before the console notices the end would read the firewall by itself over the connection that is gone.
  await expect(page.getByText('Connects with the next action')).toBeVisible();
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
  await expect(answer).toBeVisible();
  await page.reload();
  await expect(answer).toBeVisible();
});

async function makeKeys({ page, host, push }: Newcomer): Promise<Made> {
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
  const saved = await readFile(await download.path(), 'utf8');
  const publicLine =
    (await page
      .getByRole('code')
      .filter({ hasText: /^ssh-ed25519 / })
      .textContent()) ?? '';
  await host.authorize(publicLine);
  await page.getByRole('link', { name: 'Add your first server' }).click();
  return { saved, publicLine };
}

async function fillServerForm({ page, host }: Newcomer, subdomain: string): Promise<void> {
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
}

async function watchInstallation({ page, host }: Newcomer): Promise<void> {
  await acceptHostKey(page, 'lantern', host);
  const installing = page.getByRole('dialog', { name: 'Installing..' });
  const percent = installing.getByText(/^\d+ %$/);
  await expect(percent).toBeVisible();
  // The page notes each figure itself: a look from here now and then may come after the end.
  const seen = await percent.evaluateHandle((figure) => {
    const percents: number[] = [];
    const note = () => percents.push(Number.parseInt(figure.textContent, 10));
    note();
    new MutationObserver(note).observe(figure, { childList: true, characterData: true, subtree: true });
    return percents;
  });
  await expect(installing.getByRole('listitem').filter({ hasText: 'Installing Dokku' })).toBeVisible({
    timeout: 60_000,
  });
  await finishInstallation(page);
  const percents = await seen.jsonValue();
  expect(percents.at(-1)).toBeGreaterThanOrEqual(40);
  expect(percents, 'only forwards').toEqual(percents.toSorted((one, other) => one - other));
}

async function linkAgain({ page, host, failures }: Newcomer, subdomain: string): Promise<void> {
  failures.allow(/status of 400 .*\/api\/servers\)$/);
  await page.getByRole('button', { name: 'Add server' }).click();
  const dialog = addServerDialog(page);
  await describeServer(dialog, host, { name: 'again', credential: 'harbour desk' });
  await dialog.getByLabel('Subdomain').fill(`${subdomain}2`);
  await dialog.getByRole('button', { name: 'Add server' }).click();
  await expect(dialog.getByLabel('IPv4 address')).toHaveAccessibleDescription('Ip already exists');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
}

async function seeFirstReport({ page }: Newcomer): Promise<void> {
  await page.getByRole('row').getByRole('link', { name: 'lantern' }).click();
  await expect(page).toHaveURL(/\/server\/\w+$/);
  await expect(page.getByRole('heading', { level: 1 }).getByText('Online', { exact: true })).toBeVisible({
    timeout: 90_000,
  });
  await expect(page.getByText('Stats from')).toBeVisible();
  await expect(page.locator('#overview').getByText(/^on \d+ cores?$/)).toBeVisible();
  await expect(page.getByText('Connected')).toBeVisible();
}

async function createSignal({ page }: Newcomer): Promise<string> {
  await page.getByRole('link', { name: 'New app' }).click();
  await page.getByLabel('App name').fill('Signal');
  await page.getByRole('checkbox', { name: /laptop/ }).setChecked(true);
  await page.getByRole('checkbox', { name: /harbour desk/ }).setChecked(false);
  await page.getByRole('button', { name: 'Create app' }).click();
  const creating = page.getByRole('dialog', { name: /^Creating signal-\w{6} on lantern$/ });
  await expect(creating).toBeVisible();
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  await expect(creating).toBeVisible();
  await expect(creating.getByRole('button', { name: 'OK' })).toBeDisabled();
  await expect(creating.getByRole('button', { name: 'Close' })).toHaveCount(0);

  const created = page.getByRole('dialog', { name: 'Signal is created', exact: true });
  await expect(created).toBeVisible();
  await expect(created.getByRole('definition').filter({ hasText: 'laptop' })).toBeVisible();
  const remote = (await created.getByRole('definition').first().textContent()) ?? '';
  await expect(created).toContainText(`git remote add dokku ${remote}`);
  await created.getByRole('button', { name: 'OK' }).click();
  await expect(page).toHaveURL(/\/app\/\w+\/signal-\w{6}$/);
  return remote;
}

async function pushSignal({ page, host, push, lamp }: Newcomer, remote: string): Promise<string> {
  await expect(page.locator('#deploy').getByText('Never deployed')).toBeVisible();
  expect(await pushApp(remote, push.privateKeyPem)).toContain('Application deployed');
  await expect(page.locator('#deploy').getByText('Succeeded', { exact: true }).first()).toBeVisible({
    timeout: 90_000,
  });
  // A log that is over is read for whoever looks at it.
  await page.locator('#deploy').scrollIntoViewIfNeeded();
  await expect(page.getByRole('log', { name: /^deploy log of Signal/ })).toContainText(
    'Application deployed',
    { timeout: 90_000 },
  );
  const domain = new URL((await lamp.getAttribute('href')) ?? '').host;
  expect(await askFront(host.sandbox.frontPort, domain)).toEqual({ status: 200, body: greeting });
  return domain;
}

async function seeChecks({ page }: Newcomer): Promise<void> {
  const header = page.getByRole('heading', { level: 1 });
  await expect(header.getByText('Online', { exact: true })).toBeVisible();
  const times = page.getByRole('figure', { name: /^Request Times/ });
  await expect(times.getByText('First byte')).toBeVisible();
  await expect(times.getByRole('definition').filter({ hasText: '200' })).toBeVisible();
  await expect(page.locator('#notifications')).toContainText('No incidents yet.');
}

async function stopAndStart(
  { page, host, lamp }: Newcomer,
  { domain, loadedAt }: { domain: string; loadedAt: number },
): Promise<void> {
  const work = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(page.getByText('App Stopped Successfully')).toBeVisible();
  await work.getByRole('button', { name: 'Close' }).last().click();
  await expect(page.getByText('App is not running')).toBeVisible();
  await expect(lamp).toBeHidden();
  expect((await askFront(host.sandbox.frontPort, domain)).status).toBe(502);

  await page.getByRole('button', { name: 'Start', exact: true }).first().click();
  await expect(page.getByText('App Started Successfully')).toBeVisible();
  await work.getByRole('button', { name: 'Close' }).last().click();
  await expect(page.getByText('App is not running')).toBeHidden();
  await expect(lamp).toBeVisible();
  expect((await askFront(host.sandbox.frontPort, domain)).status).toBe(200);
  expect(await page.evaluate(() => performance.timeOrigin), 'without a reload').toBe(loadedAt);
}

async function destroySignal({ page, host, failures }: Newcomer, domain: string): Promise<void> {
  failures.mayCome(readWhileItGoes);
  await page.getByRole('button', { name: 'Destroy app' }).click();
  const question = page.getByRole('alertdialog', { name: 'Destroy Signal?' });
  const destroy = question.getByRole('button', { name: 'Destroy app' });
  await expect(destroy).toBeDisabled();
  await question.getByRole('textbox').fill('Destroy');
  await expect(destroy).toBeDisabled();
  await question.getByRole('textbox').fill('destroy');
  await destroy.click();
  const gone = page.getByRole('dialog', { name: /^signal-\w{6} is destroyed$/ });
  await expect(gone).toBeVisible();
  await gone.getByRole('button', { name: 'OK' }).click();
  await expect(page).toHaveURL('/apps');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText(/^signal-\w{6}$/)).toHaveCount(0);
  await expect(askFront(host.sandbox.frontPort, domain)).rejects.toThrow();
}

function expectNoSecretSent({ push, sent }: Newcomer, { saved, publicLine }: Made): void {
  const [, publicBlob = ''] = publicLine.split(' ');
  expect(sent.holding(publicBlob), 'the public half, so what is sent is seen').not.toEqual([]);
  expect(sent.frames(), 'signatures went over a socket that is watched').toBeGreaterThan(0);
  for (const [file, line] of [
    [saved, publicLine],
    [push.privateKeyPem, push.publicKeyLine],
  ] as const) {
    for (const secret of [...privateLines(file, line), ...ed25519Secrets(file)])
      expect(sent.holding(secret)).toEqual([]);
  }
}
