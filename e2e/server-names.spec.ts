import { makeKey, startSshd } from '@homeport/ssh/testing';
import { startDns } from '@homeport/stand-ins/testing';
import { type Console, startConsole } from './fixtures/console.ts';
import {
  closeConnection,
  connectionRequired,
  firewall,
  hostKeyQuestion,
  linkServer,
  readFirewall,
} from './fixtures/linked-server.ts';
import { newPerson, signUp } from './fixtures/person.ts';
import { expectFitsPhone } from './fixtures/phone.ts';
import { addServerDialog, importKey } from './fixtures/server.ts';
import { test as base, expect } from './fixtures/test.ts';

/** Servers that are known by a name, which a DNS server of the test answers for. */

type Zone = { records: { type: string; name: string; content: string }[]; address: string };

const test = base.extend<object, { zone: Zone; homeport: Console }>({
  zone: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the first parameter's properties.
    async ({}, use) => {
      const zone: Zone = { records: [], address: '' };
      await using dns = await startDns(async () => zone.records);
      zone.address = dns.address;
      await use(zone);
    },
    { scope: 'worker' },
  ],
  homeport: [
    async ({ zone }, use) => {
      const homeport = await startConsole({ HOMEPORT_DNS_SERVERS: zone.address });
      await use(homeport);
      await homeport.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
});

test('a server is opened by its name, and when the name leads to another machine the page says where', async ({
  page,
  zone,
  failures,
}) => {
  failures.allow(connectionRequired);
  const name = 'vps.northquay.example';
  const key = makeKey();
  await using sshd = await startSshd({ authorizedKeys: [key.publicKeyLine] });
  zone.records = [{ type: 'A', name, content: '127.0.0.1' }];
  await signUp(page, newPerson());
  await importKey(page, 'desk', key.privateKeyPem);
  const server = await linkServer(
    page,
    { host: name, port: sshd.port, user: sshd.user, hostKeyFingerprint: sshd.hostKeyFingerprint },
    { name: 'pier', credential: { keyName: 'desk' } },
  );
  await readFirewall(page);
  const question = hostKeyQuestion(page, 'pier');
  await expect(question).toContainText(`${name}, at 127.0.0.1,`);
  await expect(question).toContainText(sshd.hostKeyFingerprint);
  await question.getByRole('button', { name: 'Accept and connect' }).click();
  await expect(firewall(page).getByText('Authenticated', { exact: true })).toBeVisible();

  await using other = await startSshd({
    ...{ authorizedKeys: [key.publicKeyLine], address: '::1', port: sshd.port },
  });
  zone.records = [{ type: 'AAAA', name, content: '0:0:0:0:0:0:0:1' }];
  await closeConnection(page, server);
  await readFirewall(page);
  const changed = page.getByRole('alertdialog', { name: 'The host key of pier has changed' });
  await expect(changed).toContainText(`${name} leads to ::1 now.`);
  await expect(changed).toContainText(other.hostKeyFingerprint);
  await changed.getByRole('button', { name: 'Keep the old key' }).click();
});

test('the longest name fits a phone on each page that shows it, and is copied whole', async ({
  page,
  zone,
}) => {
  const name = `${'a-machine-in-a-long-rack.'.repeat(9)}northquay.example`;
  zone.records = [{ type: 'A', name, content: '127.0.0.1' }];
  await signUp(page, newPerson());
  await page.goto('/servers?add=true');
  const form = addServerDialog(page);
  await form.getByLabel('Name', { exact: true }).fill('shed');
  await form.getByLabel('IPv4 address').fill(name);
  await form.getByLabel('Port').fill('2222');
  await form.getByLabel('Credential').selectOption('None: read-only');
  await form.getByRole('button', { name: 'Add server' }).click();
  await expect(form.getByText('A subdomain was picked for you.').first()).toBeVisible();
  await form.getByRole('button', { name: 'Add server' }).click();
  await page
    .getByRole('dialog', { name: 'Install the agent on shed' })
    .getByRole('button', { name: 'Later' })
    .click();

  await expect(page.getByTitle(name)).toBeVisible();
  await expectFitsPhone(page);
  await page.goto('/servers');
  await page.getByRole('link', { name: 'shed' }).click();
  await expect(page.getByText(name, { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Copy address' })).toBeVisible();
  await expectFitsPhone(page);
});
