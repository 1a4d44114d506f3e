import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { makeKey, startOlderServer, startPasswordServer, startSshd } from '@homeport/ssh/testing';
import type { Page } from '@playwright/test';
import {
  closeConnection,
  connectionRequired,
  firewall,
  firewallButton,
  hostKeyQuestion,
  linkServer,
  readFirewall,
} from './fixtures/linked-server.ts';
import { newPerson, signUp } from './fixtures/person.ts';
import { watchSent } from './fixtures/sent.ts';
import { importKey } from './fixtures/server.ts';
import { expect, test } from './fixtures/test.ts';

/** Opens connections to a server from the page, by real SSH. Nothing is installed on the server. */

const authenticated = (page: Page) => firewall(page).getByText('Authenticated', { exact: true });
const read = (page: Page) =>
  page.waitForResponse((response) => response.url().endsWith('/firewall') && response.ok());

test('two tabs that need a connection at once share the one that the first tab opens', async ({
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

  await test.step('the first tab asks the person, and the other tab waits', async () => {
    await readFirewall(page);
    const question = hostKeyQuestion(page, 'pier');
    await expect(question).toContainText(sshd.hostKeyFingerprint);
    // A browser may hold back the mouse in a tab that another one covers.
    await firewallButton(other).dispatchEvent('click');
    await expect(firewall(other).getByRole('button', { name: 'Connecting' })).toBeVisible();
    await expect(other.getByRole('alertdialog')).toHaveCount(0);
    await question.getByRole('button', { name: 'Accept and connect' }).click();
    for (const tab of [page, other]) {
      await expect(authenticated(tab)).toBeVisible();
      await expect(tab.getByText('Connected', { exact: true })).toBeVisible();
    }
    expect(logins()).toBe(1);
  });

  await test.step('both need a connection at the same moment again, and neither asks', async () => {
    await closeConnection(page, server);
    for (const tab of [page, other])
      await expect(tab.getByText('Connects with the next action')).toBeVisible();
    await Promise.all(
      [page, other].flatMap((tab) => [read(tab), firewallButton(tab).dispatchEvent('click')]),
    );
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
  await expect(authenticated(page)).toBeVisible();

  await page.route('**/api/servers', (route) => route.fulfill({ json: [] }), { times: 1 });
  const renamed = await page.request.patch(`/api/servers/${server.id}`, {
    headers: { origin: new URL(page.url()).origin },
    data: { version: server.version, name: 'pier' },
  });
  expect(renamed.ok()).toBe(true);
  await expect(page).toHaveURL('/servers');

  // The page reads the firewall by itself over the connection that is open. A reading that is cut off is an error of its own.
  await Promise.all([read(page), page.goto(`/server/${server.key}`)]);
  await closeConnection(page, server);
  await Promise.all([read(page), readFirewall(page)]);
  await expect(page.getByText('Connected', { exact: true })).toBeVisible();
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
});

test('the page signs for an older server only after the person agreed, and the agreement can be withdrawn', async ({
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
    await expect(page.getByText('Connected', { exact: true })).toBeVisible();
    expect(older.attempts).toContain('publickey, signed');
  });

  await test.step('the settings show the agreement and take it back', async () => {
    // The page reads the firewall by itself. The server ends with the test, and would cut the reading off.
    await Promise.all([read(page), page.reload()]);
    await expect(settings).toContainText('Signatures are not bound to it');
    await settings.getByRole('button', { name: 'Show host key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Host key of pier' });
    await dialog.getByRole('button', { name: 'Withdraw' }).click();
    await expect(dialog).toContainText('If this server is too old for that, you are asked.');
  });
});

test('the page asks for a server’s password at each opening, and nothing stores the password', async ({
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

  await test.step('refuses a wrong password with a message, and allows another try', async () => {
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

  await test.step('connects with the right password', async () => {
    await readFirewall(page);
    await expect(password).toHaveValue('');
    await password.fill(right);
    await connect.click();
    await expect(authenticated(page)).toBeVisible();
    await expect(page.getByText('Connected', { exact: true })).toBeVisible();
  });

  await test.step('asks again at the next opening, and shows no failure when the person gives up', async () => {
    await closeConnection(page, server);
    await expect(page.getByText('Needs password')).toBeVisible();
    await readFirewall(page);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(question).toBeHidden();
    await expect(firewall(page).getByRole('alert')).toHaveCount(0);
  });

  await test.step('sent each password once, over the socket, and stored none', async () => {
    const socket = `frame to /api/servers/${server.id}/connection`;
    for (const secret of [wrong, right]) {
      expect(sent.holding(secret)).toEqual([socket]);
      expect(homeport.output()).not.toContain(secret);
      expect(filesHolding(secret, homeport.folder)).toEqual([]);
    }
    expect(
      filesHolding(server.name, homeport.folder),
      'the search finds the server’s name in the store, so it works',
    ).not.toEqual([]);
  });
});

/** The files below `folder` that contain these bytes, PostgreSQL's tables and write-ahead log included. */
function filesHolding(text: string, folder: string): string[] {
  // grep ends with 1 when no file contains the text.
  const program = 'grep -rlaF -e "$0" "$1" || [ $? = 1 ]';
  return execFileSync('sh', ['-c', program, text, folder], { encoding: 'utf8' }).split('\n').filter(Boolean);
}
