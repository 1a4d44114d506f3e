import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { machineNote, makeKey, startSshd } from '@homeport/ssh/testing';
import type { Page } from '@playwright/test';
import { startHost } from './fixtures/host.ts';
import { newPerson, signUp } from './fixtures/person.ts';
import { importKey, installServer, reportWhileItGoes } from './fixtures/server.ts';
import { expect, test } from './fixtures/test.ts';

/** Renews and removes everything that the console put on a server. */

const agentProgram = 'usr/local/lib/homeport-agent';
const agentToken = 'etc/homeport-agent/token';
const agentFiles = [
  agentProgram,
  'etc/homeport-agent',
  'var/lib/homeport-agent',
  'etc/cron.d/homeport-agent',
];
const accountFiles = ['/var/lib/homeport-account', '/etc/sudoers.d/homeport'];
const logins = '/var/lib/homeport-account/.ssh/authorized_keys';
const hasAccount = () => spawnSync('id', ['-u', 'homeport']).status === 0;

/**
 * The full test makes a real account and a real schedule, so it runs only on a machine that is thrown away afterwards: as root, in
 * CI or on request, when the names are free and cron would run the agent.
 */
const mayChangeMachine =
  process.getuid?.() === 0 &&
  (process.env.CI === 'true' || process.env.HOMEPORT_TEST_ACCOUNTS === '1') &&
  existsSync('/usr/sbin/visudo') &&
  existsSync('/etc/cron.d') &&
  !existsSync('/run/systemd/system');
const note = machineNote('server-removal', () => {
  for (const file of [...agentFiles.map((file) => `/${file}`), ...accountFiles])
    rmSync(file, { recursive: true, force: true });
  spawnSync('userdel', ['homeport']);
});
if (mayChangeMachine) note.clearLeftovers();
const mayUseThisMachine =
  mayChangeMachine &&
  !hasAccount() &&
  ![...agentFiles.map((file) => `/${file}`), ...accountFiles].some(existsSync);

/** Removes the open server, with everything that was installed on it. */
async function removeWithUninstall(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Remove server' }).click();
  const question = page.getByRole('alertdialog', { name: `Remove ${name}?` });
  await expect(question.getByRole('checkbox', { name: /^First uninstall/ })).toBeChecked();
  await question.getByRole('button', { name: 'Remove server' }).click();
  await expect(page).toHaveURL('/servers');
  await expect(page.getByRole('row').getByRole('link', { name })).toHaveCount(0);
}

/** Waits for the end of the shown operation, and closes its window. */
async function finishWork(page: Page, title: RegExp): Promise<void> {
  const work = page.getByRole('dialog', { name: title });
  // The window can be closed while the work goes on, so the button tells nothing of the end.
  await expect(work.getByText('Done', { exact: true })).toBeAttached();
  await work.getByRole('button', { name: 'Close' }).last().click();
  await expect(work).toBeHidden();
}

test('the agent is reinstalled with another token, and removed with the server', async ({
  page,
  failures,
}) => {
  failures.mayCome(reportWhileItGoes);
  const host = await startHost({ installed: false, pace: 0 });
  try {
    const machine = (file: string) => join(host.sandbox.root, 'machine', file);
    const key = makeKey();
    await host.authorize(key.publicKeyLine);
    await signUp(page, newPerson());
    await importKey(page, 'desk', key.privateKeyPem);
    await installServer(page, host, { name: 'pier', credential: 'desk', dokku: false });
    const before = readFileSync(machine(agentToken), 'utf8');

    await page.getByRole('row').getByRole('link', { name: 'pier' }).click();
    await page.getByRole('button', { name: 'Reinstall monitoring agent' }).click();
    await finishWork(page, /agent installation/i);
    expect(readFileSync(machine(agentToken), 'utf8')).not.toBe(before);

    await removeWithUninstall(page, 'pier');
    for (const file of agentFiles) expect(existsSync(machine(file)), file).toBe(false);
  } finally {
    await page.close();
    await host.stop();
  }
});

/** Skipped elsewhere, because this test changes the machine on which it runs. */
const testOnThisMachine = mayUseThisMachine ? test : test.skip;

testOnThisMachine(
  'on a real machine the account’s key follows the credential, and the removal leaves nothing behind',
  async ({ page }) => {
    const [desk, spare] = [makeKey(), makeKey()];
    const folder = mkdtempSync(join(tmpdir(), 'homeport-logins-'));
    chmodSync(folder, 0o755);
    writeFileSync(join(folder, 'root'), `${desk.publicKeyLine}\n${spare.publicKeyLine}\n`);
    const sshd = await startSshd({
      config: { AuthorizedKeysFile: `${folder}/%u %h/.ssh/authorized_keys` },
    });
    const host = {
      ...{ ip: sshd.host, port: sshd.port, user: 'root' },
      hostKeyFingerprint: () => sshd.hostKeyFingerprint,
    };
    const blob = ({ publicKeyLine }: typeof desk) => publicKeyLine.split(' ')[1] ?? '';
    try {
      note.begin();
      await signUp(page, newPerson());
      await importKey(page, 'desk', desk.privateKeyPem);
      await importKey(page, 'spare', spare.privateKeyPem);
      await installServer(page, host, { name: 'mole', credential: 'desk', dokku: false });
      for (const file of [agentProgram, agentToken, 'etc/cron.d/homeport-agent'])
        expect(existsSync(`/${file}`), file).toBe(true);
      expect(readFileSync(logins, 'utf8')).toContain(blob(desk));

      await page.getByRole('row').getByRole('link', { name: 'mole' }).click();
      const settings = page.locator('#settings');
      await expect(settings).toContainText('homeport lets in the key desk.');
      await page.getByRole('button', { name: 'Change management credential' }).click();
      const dialog = page.getByRole('dialog', { name: 'Management credential' });
      await dialog.getByLabel('Credential').selectOption({ label: 'spare' });
      await dialog.getByRole('button', { name: 'Save' }).click();
      await finishWork(page, /account homeport/);
      await expect(settings).toContainText('homeport lets in the key spare.');
      expect(readFileSync(logins, 'utf8')).toContain(blob(spare));
      expect(readFileSync(logins, 'utf8')).not.toContain(blob(desk));

      await removeWithUninstall(page, 'mole');
      const left = [...agentFiles.map((file) => `/${file}`), ...accountFiles].filter(existsSync);
      expect({ left, account: hasAccount() }).toEqual({ left: [], account: false });
    } finally {
      await page.close();
      await sshd.dispose();
      note.end();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
