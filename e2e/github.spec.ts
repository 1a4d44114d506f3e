import { userInfo } from 'node:os';
import { nextTotpOf, totpOf } from '@homeport/api/testing';
import { makeKey, type Sshd, startSshd } from '@homeport/ssh/testing';
import { type GithubProcess, startGithub } from '@homeport/stand-ins/testing';
import type { Page } from '@playwright/test';
import { createApp } from './fixtures/app.ts';
import { expectAccessible } from './fixtures/axe.ts';
import { type Console, startConsole } from './fixtures/console.ts';
import { type LinkedHost, startHost } from './fixtures/host.ts';
import { openSteps } from './fixtures/operation.ts';
import { newPerson, signIn, signOut, signUp } from './fixtures/person.ts';
import { expectFitsPhone } from './fixtures/phone.ts';
import { importKey, installServer } from './fixtures/server.ts';
import { test as base, expect } from './fixtures/test.ts';

/** GitHub from a person's side: signing in, linking, and a whole deployment with one click. GitHub is a stand-in. */

type ForWorker = { github: GithubProcess; gitHost: Sshd; homeport: Console };

const test = base.extend<{ host: LinkedHost }, ForWorker>({
  github: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the first parameter's properties.
    async ({}, use) => {
      await using github = await startGithub();
      await use(github);
    },
    { scope: 'worker' },
  ],
  // An sshd that lets in whoever has a key that the stand-in of GitHub has at this moment.
  gitHost: [
    async ({ github }, use) => {
      const config = {
        AuthorizedKeysCommand: `/usr/bin/curl -sf ${github.gitHostKeys}`,
        AuthorizedKeysCommandUser: userInfo().username,
      };
      await using gitHost = await startSshd({ config });
      await use(gitHost);
    },
    { scope: 'worker' },
  ],
  homeport: [
    async ({ github, gitHost }, use) => {
      const homeport = await startConsole({
        HOMEPORT_GITHUB_CLIENT_ID: github.app.clientId,
        HOMEPORT_GITHUB_CLIENT_SECRET: github.app.clientSecret,
        HOMEPORT_GITHUB_URL: github.url,
        HOMEPORT_GITHUB_SSH: `ssh://${gitHost.user}@${gitHost.host}:${gitHost.port}`,
      });
      await use(homeport);
      await homeport.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the first parameter's properties.
  host: async ({}, use) => {
    const host = await startHost({ pace: 0, plugins: ['acl', 'letsencrypt'] });
    await use(host);
    await host.stop();
  },
});

const agreeAs = (page: Page, login: string) =>
  page.getByRole('button', { name: `Authorize as ${login}` }).click();

let people = 0;
/** A person of GitHub for one test: the tests of a worker share one GitHub. */
async function newLogin(github: GithubProcess, begin: string): Promise<string> {
  people += 1;
  return (await github.addPerson(`${begin}-${people}`)).login;
}

const section = (page: Page) => page.locator('#github');

test('a person signs up and in with GitHub, and says no once', async ({ page, github }) => {
  const octo = await newLogin(github, 'octo');
  await page.goto('/login?next=%2Fservers');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Continue with GitHub' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('You did not agree at GitHub. Nothing was changed.')).toBeVisible();
  await expect(page).toHaveURL('/login?next=%2Fservers');
  await page.getByRole('button', { name: 'Continue with GitHub' }).click();
  await agreeAs(page, octo);
  await expect(page).toHaveURL('/servers');
  await signOut(page);
  await page.goto('/signup');
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Continue with GitHub' }).click();
  await page.getByRole('button', { name: 'Continue with GitHub' }).click();
  await agreeAs(page, octo);
  await expect(page).toHaveURL('/home');
  await page.goto('/profile');
  await expect(section(page).getByText('This account signs you in.')).toBeVisible();
  await expect(section(page).getByRole('button', { name: 'Unlink' })).toBeDisabled();
});

test('a person with a second step is asked for the code after GitHub', async ({ page, github, failures }) => {
  failures.mayCome(/status of 40[01]/);
  const octo = await newLogin(github, 'careful');
  const person = newPerson();
  await signUp(page, person);
  await page.goto('/profile');
  await section(page).getByRole('button', { name: 'Link GitHub' }).click();
  await agreeAs(page, octo);
  await expect(section(page).getByText('Linked', { exact: true })).toBeVisible();
  const panel = page.getByRole('region', { name: 'Second step' });
  const begun = page.waitForResponse(/two-factor\/enable/);
  await panel.getByRole('button', { name: 'Turn on' }).click();
  await page.getByRole('dialog').getByLabel('Your password').fill(person.password);
  await page.keyboard.press('Enter');
  const { totpURI } = (await (await begun).json()) as { totpURI: string };
  await page.getByLabel('Code of the app').fill(totpOf(totpURI));
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'I have kept them' }).click();
  await signOut(page);

  await page.goto('/login?next=%2Fservers');
  await page.getByRole('button', { name: 'Continue with GitHub' }).click();
  await agreeAs(page, octo);
  await expect(page.getByRole('heading', { name: 'Second step' })).toBeVisible();
  await expect(page.getByText(/^GitHub knows you\./)).toBeVisible();
  await expectAccessible(page);
  // The visit is over: going back offers GitHub anew, without an error.
  await page.getByRole('button', { name: 'Back to sign in' }).click();
  await page.getByRole('button', { name: 'Continue with GitHub' }).click();
  await agreeAs(page, octo);
  await page.getByLabel('Code of the app').fill('000000');
  await page.keyboard.press('Enter');
  await expect(page.getByText('This code is wrong or was used before.')).toBeVisible();
  await page.getByLabel('Code of the app').fill(nextTotpOf(totpURI));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/servers');
});

test('a person deploys one commit of a public repository, and of a private one by an archive and with a deploy key', async ({
  page,
  github,
  gitHost,
  host,
}) => {
  const octo = await newLogin(github, 'deployer');
  const repository = `${octo}/site`;
  const files = { 'index.html': 'the first commit' };
  const first = await github.addRepository({ owner: octo, name: 'site', files });
  const second = { path: 'index.html', text: 'the second commit', message: 'Second <b>commit</b>' };
  await github.commit(repository, second);
  const login = makeKey();
  await host.authorize(login.publicKeyLine);
  await signUp(page, newPerson());
  await page.goto('/profile');
  await section(page).getByRole('button', { name: 'Link GitHub' }).click();
  await agreeAs(page, octo);
  await expect(section(page).getByText('Linked', { exact: true })).toBeVisible();
  await importKey(page, 'desk', login.privateKeyPem);
  await installServer(page, host, { name: 'lighthouse', credential: 'desk' });
  await createApp(page, 'Site', { desk: true });
  await page.getByRole('button', { name: 'Link repository' }).click();
  const link = page.getByRole('dialog', { name: 'Repository' });
  await link.getByLabel('Repository on GitHub').fill(`${octo}/site`);
  await link.getByRole('button', { name: 'Link repository' }).click();
  await expect(link.getByRole('button', { name: 'Unlink' })).toBeVisible();
  await link.getByRole('button', { name: 'Close' }).last().click();

  const open = page.locator('#deploys').getByRole('button', { name: 'Deploy a commit' });
  await open.click();
  const dialog = page.getByRole('dialog', { name: 'Deploy a commit' });
  await expect(dialog.getByText('Second <b>commit</b>')).toBeVisible();
  await expectAccessible(page, '[role="dialog"]');
  await dialog.getByLabel('Branch or commit').fill('nowhere');
  await dialog.getByRole('button', { name: 'Find the commit' }).click();
  await expect(dialog.getByText('The repository has no such branch or commit.')).toBeVisible();
  await dialog.getByLabel('Branch or commit').fill(first.slice(0, 10));
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('First commit')).toBeVisible();
  await dialog.getByRole('button', { name: `Deploy ${first.slice(0, 7)}` }).click();
  const work = page.getByRole('dialog').last();
  await openSteps(work);
  await expect(work.getByText('Application deployed').last()).toBeVisible();
  await work.getByRole('button', { name: 'Close' }).last().click();
  await expect(page.locator('#deploys').getByText('Succeeded')).toBeVisible();
  await expectFitsPhone(page);
  await page.setViewportSize({ width: 1280, height: 900 });

  await github.makePrivate(repository);
  await open.click();
  await expect(dialog.getByText(/^This repository is private/)).toBeVisible();
  await expectAccessible(page, '[role="dialog"]');
  await dialog.getByRole('button', { name: /^Deploy / }).click();
  await openSteps(work);
  await expect(work.getByText('Application deployed').last()).toBeVisible();
  await expect(work.getByText(/^Homeport passes commit/m)).toBeVisible();
  await work.getByRole('button', { name: 'Close' }).last().click();

  await github.tellHostKeys([gitHost.hostKey]);
  await open.click();
  await expect(dialog.getByRole('radio', { name: /deploy key/ })).toBeChecked();
  await expect(dialog.getByText(/It reads this repository alone/)).toBeVisible();
  await expect(dialog.getByText(/^\/home\/dokku\/\.ssh\/homeport\//)).toBeVisible();
  await expectAccessible(page, '[role="dialog"]');
  await page.setViewportSize({ width: 390, height: 844 });
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  await expect.poll(width, 'as wide as the phone').toBeLessThanOrEqual(390);
  await page.setViewportSize({ width: 1280, height: 900 });
  await dialog.getByRole('radio', { name: /archive/ }).check();
  await expect(dialog.getByRole('button', { name: /^Deploy / })).toBeVisible();
  await dialog.getByRole('radio', { name: /deploy key/ }).check();
  await dialog.getByRole('button', { name: /^Add the key and deploy / }).click();
  await openSteps(work);
  await expect(work.getByText('Application deployed').last()).toBeVisible();
  await work.getByRole('button', { name: 'Close' }).last().click();
  expect((await github.readRepository(repository)).deployKeys).toMatchObject([{ readOnly: true }]);

  const panel = page.locator('#deploy-key');
  await expect(panel.getByText(`${octo}/site`, { exact: true })).toBeVisible();
  await expectAccessible(page, '#deploy-key');
  await open.click();
  await expect(dialog.getByText('The key is there already:')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await panel.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await expect(work.getByText('Done', { exact: true }).last()).toBeVisible();
  await work.getByRole('button', { name: 'Close' }).last().click();
  await expect(panel).toBeHidden();
  expect((await github.readRepository(repository)).deployKeys).toEqual([]);
  await page.goto('/profile');
  await expect(page.getByText(/^Deploy key added at GitHub: /)).toBeVisible();
  await expect(page.getByText(/^Deploy key removed from GitHub: /)).toBeVisible();
  // The page would lose its server, which ends with the test.
  await page.goto('/home');
});

test('a person links GitHub, sets a deployment up with one click, sees its run, and undoes all of it', async ({
  page,
  github,
  host,
}) => {
  const octo = await newLogin(github, 'maker');
  const repository = `${octo}/ledger`;
  await github.addRepository({
    owner: octo,
    name: 'ledger',
    private: true,
    language: 'TypeScript',
    description: 'Double-entry <b>bookkeeping</b>',
    files: { 'README.md': '# Ledger\n' },
  });
  await github.addRepository({ owner: octo, name: 'website' });
  const login = makeKey();
  await host.authorize(login.publicKeyLine);
  const person = newPerson();
  await signUp(page, person);
  await page.goto('/profile');
  await section(page).getByRole('button', { name: 'Link GitHub' }).click();
  await agreeAs(page, octo);
  await expect(page).toHaveURL('/profile#github');
  await expect(section(page).getByText('Linked', { exact: true })).toBeVisible();
  await expectAccessible(page);

  await importKey(page, 'desk', login.privateKeyPem);
  await installServer(page, host, { name: 'lighthouse', credential: 'desk' });
  await createApp(page, 'Ledger', { desk: true });
  await page.getByRole('button', { name: 'Link repository' }).click();
  const dialog = page.getByRole('dialog', { name: 'Repository' });
  await dialog.getByRole('searchbox', { name: /Filter repositories/ }).fill('bookkeeping');
  await dialog.getByRole('button', { name: /ledger/ }).click();
  await expect(dialog.getByLabel('Repository on GitHub')).toHaveValue(`${octo}/ledger`);
  await expectAccessible(page, '[role="dialog"]');
  await dialog.getByRole('button', { name: 'Link repository' }).click();
  await expect(dialog.getByRole('button', { name: 'Unlink' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).last().click();

  const panel = page.locator('#continuous-deployment');
  await panel.getByRole('button', { name: 'Set up' }).click();
  const setUp = page.getByRole('dialog', { name: 'Set up continuous deployment' });
  await expect(setUp.getByText('SSH_PRIVATE_KEY', { exact: true })).toBeVisible();
  await expect(setUp.getByText(/ssh_host_key: /)).toBeVisible();
  await expectAccessible(page, '[role="dialog"]');
  await setUp.getByRole('button', { name: 'Set up' }).click();
  const work = page.getByRole('dialog').last();
  await expect(work.getByText('Done', { exact: true }).last()).toBeVisible();
  await work.getByRole('button', { name: 'Close' }).last().click();
  const { secrets } = await github.readRepository(repository);
  expect(secrets.SSH_PRIVATE_KEY).toMatch(/^-----BEGIN OPENSSH PRIVATE KEY-----\n/);
  await expect(panel.getByText('Queued')).toBeVisible();
  await github.endRun(repository);
  await panel.getByRole('button', { name: 'Read the runs again' }).click();
  await expect(panel.getByText('Succeeded')).toBeVisible();
  await expectAccessible(page);
  await expectFitsPhone(page);
  await page.setViewportSize({ width: 1280, height: 900 });

  await page.getByRole('button', { name: 'Destroy app' }).click();
  const question = page.getByRole('alertdialog', { name: 'Destroy Ledger?' });
  await expect(question.getByText(`Pushes to ${octo}/ledger deploy no longer`)).toBeVisible();
  await expectAccessible(page, '[role="alertdialog"]');
  await question.getByRole('button', { name: 'Cancel' }).click();

  await panel.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Undo' }).click();
  const undone = page.getByRole('dialog').last();
  await expect(undone.getByText('Done', { exact: true }).last()).toBeVisible();
  expect((await github.readRepository(repository)).secrets).toEqual({});
  await undone.getByRole('button', { name: 'Close' }).last().click();
  await page.goto('/profile');
  await github.answerBadly('DELETE /applications/', 'server_error');
  await section(page).getByRole('button', { name: 'Unlink' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Unlink' }).click();
  await expect(section(page).getByText('Not linked')).toBeVisible();
  await github.answerWell();
  const left = section(page)
    .getByRole('status')
    .filter({ hasText: 'GitHub did not say that its grant has ended' });
  await expect(left.getByRole('link', { name: 'Revoke it at GitHub' })).toHaveAttribute(
    'href',
    `${github.url}/settings/connections/applications/${github.app.clientId}`,
  );
  await expectAccessible(page);
  await signOut(page);
  await signIn(page, person);
  await expect(page).toHaveURL('/home');
});
