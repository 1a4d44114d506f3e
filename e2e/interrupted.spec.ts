import { makeKey } from '@homeport/ssh/testing';
import { startHost } from './fixtures/host.ts';
import { newPerson, signUp } from './fixtures/person.ts';
import { acceptHostKey, addServer, finishInstallation, importKey } from './fixtures/server.ts';
import { expect, test } from './fixtures/test.ts';

/** The part of the real installer's time that the sandbox takes: long enough to be interrupted. */
const watchable = 0.06;

test('the open page shows an operation that a crash of the console interrupted, and runs it again to its end', async ({
  page,
  homeport,
  failures,
}) => {
  // Requests of the page fail while the console is down.
  failures.allow(/ERR_/);
  // So does what the page reads once a minute, where that minute is over just then.
  failures.mayCome(/^Loading failed \[.*The console could not be reached\./);
  const host = await startHost({ installed: false, pace: watchable });
  try {
    const login = makeKey();
    await host.authorize(login.publicKeyLine);
    await signUp(page, newPerson());
    await importKey(page, 'desk', login.privateKeyPem);
    await addServer(page, host, { name: 'lantern', credential: 'desk' });
    await acceptHostKey(page, 'lantern', host);
    const installing = page.getByRole('dialog', { name: 'Installing..' });
    await expect(installing.getByRole('listitem').filter({ hasText: 'Installing Dokku' })).toBeVisible({
      timeout: 60_000,
    });
    await expect(page.getByRole('log')).toContainText('Installing', { timeout: 60_000 });
    await homeport.killAndStart();

    await expect(page.getByText(/The console was restarted while this ran/)).toBeVisible({ timeout: 60_000 });
    await expect(page.getByRole('log')).toContainText('The console stopped without warning.');
    await page.getByRole('button', { name: 'Run again' }).click();
    await finishInstallation(page);
  } finally {
    await page.close();
    await host.stop();
  }
});
