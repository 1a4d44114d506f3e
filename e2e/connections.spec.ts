import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { makeKey, startOlderServer, startPasswordServer, startSshd } from '@homeport/ssh/testing';
import type { Page } from '@playwright/test';
import {
  closeConnection,
  connectionRequired,
  firewall,
  hostKeyQuestion,
  linkServer,
  readFirewall,
} from './fixtures/linked-server.ts';
import { newPerson, signUp } from './fixtures/person.ts';
import { watchSent } from './fixtures/sent.ts';
import { importKey } from './fixtures/server.ts';
import { expect, test } from './fixtures/test.ts';

/** How connections to a server are opened from the page: real SSH, nothing installed on the other side. */

const authenticated = (page: Page) => firewall(page).getByText('Authenticated', { exact: true });
const read = (page: Page) =>
  page.waitForResponse((response) => response.url().endsWith('/firewall') && response.ok());

test('of two tabs that need a connection at once, one answers and both are connected', async ({
  page,
  context,
  failures,
}) => {
  failures.allow(connectionRequired);
  const key = makeKey();
  await using sshd = await startSshd({ authorizedKeys: [key.publicKeyLine] });
  const logins = () => sshd.log().split('Accepted publickey').length - 1;
  await signUp(page, newPerson());
  await importKey(page, 'desk', key.privateKeyPem);
  const server = await linkServer(page, sshd, { name: 'pier', credential: { keyName: 'desk' } });
  const other = await context.newPage();
  await other.goto(`/server/${server.key}`);

  await test.step('the one that came first asks the person, the other one waits for it', async () => {
    await readFirewall(page);
    const question = hostKeyQuestion(page, 'pier');
    await expect(question).toContainText(sshd.hostKeyFingerprint);
    await readFirewall(other);
    await expect(firewall(other).getByRole('button', { name: 'Connecting' })).toBeVisible();
    await expect(other.getByRole('alertdialog')).toHaveCount(0);
    await question.getByRole('button', { name: 'Accept and connect' }).click();
    for (const tab of [page, other]) {
      await expect(authenticated(tab)).toBeVisible({ timeout: 15_000 });
      await expect(tab.getByText('Connected', { exact: true })).toBeVisible();
    }
    expect(logins()).toBe(1);
  });

  await test.step('once more, both at the same moment and nobody is asked', async () => {
    await closeConnection(page, server);
    for (const tab of [page, other]) await expect(tab.getByText('Open this page to reconnect')).toBeVisible();
    await Promise.all([page, other].flatMap((tab) => [read(tab), readFirewall(tab)]));
    expect(logins()).toBe(2);
  });
});

test('a list that lacks a server does not make the browser forget its host key', async ({
  page,
  failures,
}) => {
  failures.allow(connectionRequired);
  const key = makeKey();
  await using sshd = await startSshd({ authorizedKeys: [key.publicKeyLine] });
  await signUp(page, newPerson());
  await importKey(page, 'desk', key.privateKeyPem);
  const server = await linkServer(page, sshd, { name: 'pier', credential: { keyName: 'desk' } });
  await readFirewall(page);
  await hostKeyQuestion(page, 'pier').getByRole('button', { name: 'Accept and connect' }).click();
  await expect(authenticated(page)).toBeVisible({ timeout: 15_000 });

  await page.route('**/api/servers', (route) => route.fulfill({ json: [] }), { times: 1 });
  const renamed = await page.request.patch(`/api/servers/${server.id}`, {
    headers: { origin: new URL(page.url()).origin },
    data: { version: server.version, name: 'pier' },
  });
  expect(renamed.ok()).toBe(true);
  await expect(page).toHaveURL('/servers');

  await page.goto(`/server/${server.key}`);
  await closeConnection(page, server);
  await Promise.all([read(page), readFirewall(page)]);
  await expect(page.getByText('Connected', { exact: true })).toBeVisible();
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
});

test('an older server is signed for only after the person agreed, which can be taken back', async ({
  page,
  failures,
}) => {
  failures.allow(connectionRequired);
  const key = makeKey();
  await using older = await startOlderServer({ authorizedKey: key.publicKeyLine });
  await signUp(page, newPerson());
  await importKey(page, 'desk', key.privateKeyPem);
  await linkServer(page, { ...older, user: 'ada' }, { name: 'pier', credential: { keyName: 'desk' } });
  const question = page.getByRole('alertdialog', { name: 'pier has an older SSH server' });
  const settings = page.locator('#settings');

  await test.step('nothing is signed before the person agrees', async () => {
    await readFirewall(page);
    await hostKeyQuestion(page, 'pier').getByRole('button', { name: 'Accept and connect' }).click();
    await expect(question.getByRole('button', { name: 'Sign without binding' })).toBeDisabled();
    expect(older.attempts).toEqual([]);
    await question.getByLabel('The key for this server opens nothing else').check();
    await question.getByRole('button', { name: 'Sign without binding' }).click();
    await expect(page.getByText('Connected', { exact: true })).toBeVisible({ timeout: 15_000 });
    expect(older.attempts).toContain('publickey, signed');
  });

  await test.step('the settings show the agreement and take it back', async () => {
    await page.reload();
    await expect(settings).toContainText('Signatures are not bound to it');
    await settings.getByRole('button', { name: 'Show host key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Host key of pier' });
    await dialog.getByRole('button', { name: 'Withdraw' }).click();
    await expect(dialog).toContainText('If this server is too old for that, you are asked.');
  });
});

test('a server with a password asks for it at each opening, and keeps it nowhere', async ({
  page,
  context,
  homeport,
  failures,
}) => {
  failures.allow(connectionRequired);
  const wrong = `wrong-${randomBytes(12).toString('hex')}`;
  const right = `right-${randomBytes(12).toString('hex')}`;
  await using target = await startPasswordServer({ username: 'ada', password: right, runsCommands: true });
  const sent = watchSent(context);
  await signUp(page, newPerson());
  const server = await linkServer(page, { ...target, user: 'ada' }, { name: 'quay', credential: 'password' });
  await expect(page.getByText('Needs password')).toBeVisible();

  const question = page.getByRole('dialog', { name: 'Password of ada on quay' });
  const password = question.getByLabel('Password', { exact: true });
  const connect = question.getByRole('button', { name: 'Connect' });

  await test.step('a wrong one is refused with a message, and may be tried again', async () => {
    await readFirewall(page);
    await hostKeyQuestion(page, 'quay').getByRole('button', { name: 'Accept and connect' }).click();
    await expect(password).toBeFocused();
    await connect.click();
    await expect(password).toHaveAccessibleDescription('Enter the password.');
    await password.fill(wrong);
    await connect.click();
    await expect(firewall(page).getByRole('alert')).toContainText(/password/i);
    await expect(firewall(page).getByText('Authentication Failed')).toBeVisible();
  });

  await test.step('the right one connects', async () => {
    await readFirewall(page);
    await expect(password).toHaveValue('');
    await password.fill(right);
    await connect.click();
    await expect(authenticated(page)).toBeVisible();
    await expect(page.getByText('Connected', { exact: true })).toBeVisible();
  });

  await test.step('the next opening asks again, and giving up is no failure', async () => {
    await closeConnection(page, server);
    await expect(page.getByText('Needs password')).toBeVisible();
    await readFirewall(page);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(question).toBeHidden();
    await expect(firewall(page).getByRole('alert')).toHaveCount(0);
  });

  await test.step('each went out once, over the socket, and is kept nowhere', async () => {
    const socket = `frame to /api/servers/${server.id}/connection`;
    for (const secret of [wrong, right]) {
      expect(sent.holding(secret)).toEqual([socket]);
      expect(homeport.output()).not.toContain(secret);
      expect(filesHolding(secret, homeport.folder)).toEqual([]);
    }
    expect(filesHolding(server.name, homeport.folder), 'the store, so what it holds is seen').not.toEqual([]);
  });
});

/** Files below `folder` with these bytes in them, PostgreSQL's tables and write-ahead log among them. */
function filesHolding(text: string, folder: string): string[] {
  // grep ends with 1 where nothing holds it.
  const program = 'grep -rlaF -e "$0" "$1" || [ $? = 1 ]';
  return execFileSync('sh', ['-c', program, text, folder], { encoding: 'utf8' }).split('\n').filter(Boolean);
}
