import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeKey } from '@homeport/ssh/testing';
import type { BrowserContext, Locator, Page } from '@playwright/test';
import { createApp, pushApp, readWhileItGoes } from './fixtures/app.ts';
import { type Failures, watchFailures } from './fixtures/failures.ts';
import { type LinkedHost, startHost } from './fixtures/host.ts';
import { newPerson, signIn, signUp } from './fixtures/person.ts';
import { acceptHostKey, addServer, finishInstallation, importKey } from './fixtures/server.ts';
import { test as base, expect } from './fixtures/test.ts';
import { keepWelcomesClosed } from './fixtures/welcome.ts';

/**
 * One person in two browsers. A change in one shows in the other without a reload, because the console says that something changed. The
 * console refuses an edit that began before the change, and the page shows both values.
 */

/** The refusals that this test provokes. */
const refusals = /status of 409/;

/** Well before the reading of each minute, which would show a change as well. */
const soon = { timeout: 90_000 };
const done = { timeout: 90_000 };

const test = base.extend<{ host: LinkedHost; there: Page }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the first parameter's properties.
  host: async ({}, use) => {
    const host = await startHost({ installed: false, pace: 0 });
    await use(host);
    await host.stop();
  },
  // The context is made after the host and so closes before it. Otherwise an open page would lose its server.
  context: async ({ host: _host, context }, use) => use(context),
  /** The other browser, with a storage and a session of its own. */
  there: async ({ browser, baseURL, host: _host }, use) => {
    const context: BrowserContext = await browser.newContext({
      ...(baseURL === undefined ? {} : { baseURL }),
    });
    await keepWelcomesClosed(context);
    const failures = watchFailures(context);
    failures.allow(refusals);
    failures.mayCome(readWhileItGoes);
    await use(await context.newPage());
    await context.close();
    expect(failures.report(), 'errors of the other page').toEqual([]);
  },
});

/** Returns a function that proves that the page was not loaded again since. */
async function watchLoads(page: Page): Promise<() => Promise<void>> {
  const origin = () => page.evaluate(() => performance.timeOrigin);
  const before = await origin();
  return async () => expect(await origin(), 'without a reload').toBe(before);
}

/** Closes the window of the operation that has just ended. */
async function closeWork(page: Page): Promise<void> {
  const work = page.getByRole('dialog');
  await work.getByRole('button', { name: 'Close' }).last().click();
  await expect(work).toBeHidden();
}

/** Runs a command like a person who uses the server without the console. */
async function runOn(host: LinkedHost, privateKeyPem: string, command: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'homeport-login-'));
  try {
    const identity = join(folder, 'key');
    await writeFile(identity, privateKeyPem, { mode: 0o600 });
    await promisify(execFile)('ssh', [
      ...['-F', 'none', '-i', identity, '-o', 'IdentitiesOnly=yes', '-o', 'BatchMode=yes'],
      ...['-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null'],
      ...['-p', String(host.port), `${host.user}@${host.ip}`, command],
    ]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function rename(page: Page, name: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Edit name' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit name' });
  await dialog.getByLabel('Name').fill(name);
  return dialog;
}

type Key = ReturnType<typeof makeKey>;
/** One person in two browsers, and a server that both may reach. */
type Two = {
  here: Page;
  there: Page;
  host: LinkedHost;
  /** Of the first browser’s page. */
  failures: Failures;
  /** Logs in on the server. */
  login: Key;
  /** Pushes to the app. */
  push: Key;
  /** The heading of the other browser's page. */
  titleThere: Locator;
};

test('what one browser changes the other shows, and neither overwrites the other unseen', async ({
  page: here,
  there,
  host,
  failures,
}) => {
  test.setTimeout(420_000);
  failures.allow(refusals);
  const login = makeKey();
  const push = makeKey();
  await host.authorize(login.publicKeyLine);
  const titleThere = there.getByRole('heading', { level: 1, includeHidden: true });
  const two: Two = { here, there, host, failures, login, push, titleThere };

  await test.step('keys and servers', () => linkServer(two));
  await test.step('an edit of a server, and a stale one', () => editServer(two));
  await test.step('the creation of an app', () => makeApp(two));

  await there.getByRole('row').getByRole('link', { name: 'Signal', exact: true }).click();
  await expect(titleThere).toHaveText(/^Signal/);
  const unloaded = await watchLoads(there);

  await test.step('its name, and a stale one', () => renameApp(two));
  await test.step('its plan, and a stale one', () => changePlan(two));
  await test.step('its domains', () => addDomain(two));
  await test.step('its monitor', () => setUpMonitor(two));
  await test.step('its repository, beside an edit of something else', () => linkRepository(two));
  await test.step('a stop and a start', () => stopAndStart(two));
  await unloaded();

  await test.step('what stands on the server alone, once the other browser is connected too', () =>
    changeOnServer(two));
  failures.mayCome(readWhileItGoes);
  await test.step('its destruction', () => destroyApp(two));
  await test.step('an import', () => importApp(two));
});

async function linkServer({ here, there, host, login, push }: Two): Promise<void> {
  const person = newPerson();
  await signUp(here, person);
  await there.goto('/login');
  await signIn(there, person);
  await expect(there).toHaveURL('/home');
  await there.goto('/ssh-keys');
  await expect(there.getByText('No keys yet')).toBeVisible();
  let unloaded = await watchLoads(there);
  await importKey(here, 'desk', login.privateKeyPem);
  await expect(there.getByRole('cell', { name: /desk/ }).first()).toBeVisible(soon);
  await unloaded();
  await importKey(here, 'laptop', push.privateKeyPem);

  await there.goto('/servers');
  await expect(there.getByRole('heading', { level: 1 })).toBeVisible();
  unloaded = await watchLoads(there);
  await addServer(here, host, { name: 'lantern', credential: 'desk' });
  await expect(here.getByRole('alertdialog', { name: 'Is this lantern?' })).toBeVisible();
  await expect(there.getByRole('row').getByRole('link', { name: 'lantern' })).toBeVisible(soon);
  await acceptHostKey(here, 'lantern', host);
  await finishInstallation(here);
  await unloaded();
}

async function editServer({ here, there }: Two): Promise<void> {
  await here.getByRole('row').getByRole('link', { name: 'lantern' }).click();
  await there.getByRole('row').getByRole('link', { name: 'lantern' }).click();
  const unloaded = await watchLoads(there);
  const describe = async (page: Page, name: string) => {
    await page.getByRole('button', { name: /^Edit (name|details)/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill(name);
    return dialog;
  };
  const mine = await describe(there, 'mine');
  const theirs = await describe(here, 'lighthouse');
  await theirs.getByRole('button', { name: 'Save' }).click();
  await expect(theirs).toBeHidden();
  await expect(
    there.getByRole('heading', { level: 1, name: 'lighthouse', includeHidden: true }),
  ).toBeAttached(soon);
  await mine.getByRole('button', { name: 'Save' }).click();
  const conflict = mine.getByRole('alert');
  await expect(conflict.getByRole('row', { name: 'Name mine lighthouse' })).toBeVisible();
  await conflict.getByRole('button', { name: 'Take theirs' }).click();
  await expect(there.getByRole('heading', { level: 1, name: 'lighthouse' })).toBeVisible();
  await unloaded();
}

async function makeApp({ here, there, push }: Two): Promise<void> {
  await there.goto('/apps');
  await expect(there.getByRole('heading', { level: 1 })).toBeVisible();
  const unloaded = await watchLoads(there);
  const remote = await createApp(here, 'Signal', { laptop: true, desk: false });
  await expect(there.getByRole('row').getByRole('link', { name: 'Signal', exact: true })).toBeVisible(soon);
  await unloaded();
  expect(await pushApp(remote, push.privateKeyPem)).toContain('Application deployed');
  await expect(here.getByRole('link', { name: 'Open app' })).toBeVisible(done);
}

async function renameApp({ here, there, titleThere }: Two): Promise<void> {
  const stale = await rename(there, 'Mine');
  const dialog = await rename(here, 'Theirs');
  await dialog.getByRole('button', { name: 'Save name' }).click();
  await expect(dialog).toBeHidden();
  await expect(titleThere).toHaveText(/^Theirs/, soon);
  // Three messages stand at once; those of the creation come first.
  await expect(here.getByText('Name updated successfully.')).toBeVisible(done);
  await stale.getByRole('button', { name: 'Save name' }).click();
  const conflict = stale.getByRole('alert');
  await expect(conflict.getByRole('row', { name: 'Name Mine Theirs' })).toBeVisible();
  await conflict.getByRole('button', { name: 'Keep mine' }).click();
  await expect(stale).toBeHidden();
  await expect(here.getByRole('heading', { level: 1 })).toHaveText(/^Mine/, soon);
}

async function changePlan({ here, there }: Two): Promise<void> {
  const choose = async (page: Page, plan: number) => {
    await page.locator('#limits').getByRole('button', { name: /plan/i }).click();
    const dialog = page.getByRole('dialog', { name: 'Plan of Mine' });
    await dialog.getByRole('slider').fill(String(plan));
    return dialog;
  };
  const stale = await choose(there, 1);
  const dialog = await choose(here, 5);
  await dialog.getByRole('button', { name: 'Change to plan 5 and restart' }).click();
  await expect(here.getByText('App Updated Successfully')).toBeVisible(done);
  await expect(there.locator('#limits').getByText(/^5, \$/)).toBeVisible(soon);
  await closeWork(here);
  await stale.getByRole('button', { name: 'Change to plan 1 and restart' }).click();
  await expect(stale.getByRole('alert').getByRole('row', { name: /Plan 1, .* Plan 5, / })).toBeVisible();
  await stale.getByRole('button', { name: 'Take theirs' }).click();
  await expect(stale).toBeHidden();
}

async function addDomain({ here, there }: Two): Promise<void> {
  await here.getByRole('button', { name: 'Add domain' }).click();
  const dialog = here.getByRole('dialog', { name: 'Add domain' });
  await dialog.getByLabel('Domain').fill('signal.example.com');
  await dialog.getByRole('button', { name: 'Add domain' }).click();
  await expect(here.locator('#general').getByText('signal.example.com')).toBeVisible(done);
  await expect(there.locator('#general').getByText('signal.example.com')).toBeVisible(soon);
  await closeWork(here);
}

async function setUpMonitor({ here, there, failures }: Two): Promise<void> {
  const offer = (page: Page) =>
    page.locator('#request-times').getByRole('button', { name: 'Set up monitor' });
  // A new app is watched at its first domain.
  await here.locator('#notifications').getByRole('button', { name: 'Stop watching' }).click();
  const question = here.getByRole('alertdialog', { name: /^Stop watching/ });
  await question.getByRole('button', { name: 'Stop watching' }).click();
  await expect(question).toBeHidden();
  await expect(offer(there)).toBeAttached(soon);
  await offer(here).click();
  const dialog = here.getByRole('dialog', { name: 'Set up monitor' });
  await dialog.getByRole('radio', { name: 'signal.example.com' }).check();
  // The failure of the page's own call is the one that the test wants: it is refused once.
  failures.allow(/status of 503/);
  await here.route(/\/api\/apps\/[^/]+\/uptime$/, (asked) => asked.fulfill({ status: 503 }), { times: 1 });
  await dialog.getByRole('button', { name: 'Set up monitor' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Error setting up monitor');
  await dialog.getByRole('button', { name: 'Set up monitor' }).click();
  await expect(dialog).toBeHidden();
  await expect(offer(there)).not.toBeAttached(soon);
}

async function linkRepository({ here, there }: Two): Promise<void> {
  const link = async (page: Page, name: string) => {
    await page.getByRole('button', { name: /^(Link repository|Show workflow)$/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Repository' });
    await dialog.getByLabel('Repository on GitHub').fill(name);
    return dialog;
  };
  // Begun before the name changes, which is another edit of the same record: nothing collides.
  const dialog = await link(here, 'ines/signal');
  const other = await rename(there, 'Signal');
  await other.getByRole('button', { name: 'Save name' }).click();
  await expect(other).toBeHidden();
  const stale = await link(there, 'eve/signal');
  await dialog.getByRole('button', { name: 'Link repository' }).click();
  await expect(dialog.getByRole('button', { name: 'Unlink' })).toBeVisible();
  await expect(there.locator('#manage-app').getByText('ines/signal')).toBeVisible(soon);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await stale.getByRole('button', { name: /^(Link|Save) repository$/ }).click();
  await expect(
    stale.getByRole('row', { name: 'Repository eve/signal, branch main ines/signal, branch main' }),
  ).toBeVisible();
  await stale.getByRole('button', { name: 'Take theirs' }).click();
  await expect(stale).toBeHidden();
}

async function stopAndStart({ here, there }: Two): Promise<void> {
  await here.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(here.getByText('App Stopped Successfully')).toBeVisible(done);
  await expect(there.getByText('App is not running')).toBeVisible(soon);
  await closeWork(here);
  await here.getByRole('button', { name: 'Start', exact: true }).first().click();
  await expect(here.getByText('App Started Successfully')).toBeVisible(done);
  await expect(there.getByText('App is not running')).toBeHidden(soon);
  await closeWork(here);
}

async function changeOnServer({ here, there, host, login }: Two): Promise<void> {
  const address = there.url();
  await importKey(there, 'desk', login.privateKeyPem);
  await there.goto(address);
  await there
    .locator('#environment')
    .getByRole('button', { name: /^Connect/ })
    .click();
  await expect(there.getByRole('alertdialog', { name: 'Is this lighthouse?' })).toBeVisible(done);
  await acceptHostKey(there, 'lighthouse', host);
  const variablesThere = there.locator('#environment');
  await expect(variablesThere.getByRole('button', { name: 'Add variable' })).toBeVisible(done);
  const stays = await watchLoads(there);

  const set = async (page: Page, key: string, value: string) => {
    const known = page.getByRole('button', { name: `Edit ${key}`, exact: true });
    const edits = await known.isVisible();
    await (edits ? known : page.getByRole('button', { name: 'Add variable' })).click();
    const dialog = page.getByRole('dialog');
    if (!edits) await dialog.getByLabel('Name').fill(key);
    await dialog.getByLabel('Value').fill(value);
    await dialog.getByRole('button', { name: /^(Add|Change) variable$/ }).click();
  };
  const save = async (page: Page) => {
    const button = page.getByRole('button', { name: 'Save, no restart' });
    await button.click();
    await expect(button).toBeHidden(done);
  };
  await set(here, 'COLOUR', 'red');
  await save(here);
  await expect(here.getByText('App Config Updated')).toBeVisible(done);
  await expect(variablesThere.getByText('COLOUR')).toBeVisible(soon);

  await set(there, 'COLOUR', 'green');
  await set(here, 'COLOUR', 'blue');
  await save(here);
  const collision = variablesThere.getByText('COLOUR was changed elsewhere since you began.');
  await expect(collision).toBeVisible(soon);
  await expect(there.getByRole('button', { name: 'Save, no restart' })).toBeDisabled();
  await variablesThere.getByRole('button', { name: 'Keep mine' }).click();
  await expect(collision).toBeHidden();
  await save(there);
  await here.getByRole('button', { name: 'Show COLOUR' }).click();
  await expect(here.locator('#environment').getByText('green')).toBeVisible(soon);

  await here.getByRole('button', { name: 'Add storage' }).click();
  const dialog = here.getByRole('dialog', { name: 'Add storage' });
  await dialog.getByRole('button', { name: /^Add storage/ }).click();
  await expect(here.getByText('Storage added')).toBeVisible(done);
  // Both read it from the server, which takes the time that it takes.
  const folder = (page: Page) => page.locator('#limits').getByText('/app/storage', { exact: true });
  await expect(folder(here)).toBeAttached(done);
  await expect(folder(there)).toBeVisible(soon);
  // What is used, in words, stays within its card.
  const meter = there.getByRole('meter', { name: 'Storage at /app/storage' }).locator('..');
  await expect(meter).toContainText('of 15 GB');
  expect(await meter.evaluate((line) => line.scrollWidth - line.clientWidth)).toBe(0);
  await closeWork(here);
  await stays();
}

async function destroyApp({ here, there }: Two): Promise<void> {
  const stays = await watchLoads(there);
  await here.getByRole('button', { name: 'Destroy app' }).click();
  const question = here.getByRole('alertdialog', { name: 'Destroy Signal?' });
  await question.getByRole('textbox').fill('destroy');
  await question.getByRole('button', { name: 'Destroy app' }).click();
  await expect(here.getByRole('dialog', { name: /^signal-\w{6} is destroyed$/ })).toBeVisible(done);
  await expect(there.getByRole('heading', { name: 'No such app' })).toBeVisible(soon);
  await here.getByRole('dialog').getByRole('button', { name: 'OK' }).click();
  await stays();
}

async function importApp({ here, there, host, login }: Two): Promise<void> {
  await runOn(host, login.privateKeyPem, 'dokku apps:create elsewhere');
  await there.goto('/apps');
  await expect(there.getByRole('heading', { level: 1 })).toBeVisible();
  const stays = await watchLoads(there);
  await here.goto('/servers');
  await here.getByRole('row').getByRole('link', { name: 'lighthouse' }).click();
  await here.getByRole('button', { name: 'Import apps' }).click();
  const dialog = here.getByRole('dialog', { name: 'Import apps of lighthouse' });
  const elsewhere = dialog.getByRole('checkbox', { name: /^elsewhere/ });
  await elsewhere.check();
  await dialog.getByRole('button', { name: 'Import 1 app' }).click();
  await expect(here.getByText('1 Apps imported')).toBeVisible(done);
  await expect(there.getByRole('row').getByRole('link', { name: 'elsewhere', exact: true })).toBeVisible(
    soon,
  );
  await stays();
}
