import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../scripts/install.mjs';
import { expectAccessible } from './fixtures/axe.ts';
import { freePorts } from './fixtures/console.ts';
import { newPerson, signIn, signUp } from './fixtures/person.ts';
import { expectFitsPhone } from './fixtures/phone.ts';
import { expect, test } from './fixtures/test.ts';

const env = { PATH: process.env.PATH, HOME: process.env.HOME };

function command(...argv: string[]): void {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/start.mjs', ...argv], {
    ...{ cwd: root, encoding: 'utf8', env },
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
}

/** A second console, beside the one of the test. */
async function startBeside(data: string): Promise<{ url: string; program: ChildProcess }> {
  const [port, proxyPort, controlPort] = await freePorts(3);
  const program = spawn(process.execPath, ['scripts/start.mjs', '--port', String(port), '--data', data], {
    ...{ cwd: root, stdio: 'ignore' as const },
    env: {
      ...env,
      HOMEPORT_PROXY_PORT: String(proxyPort),
      HOMEPORT_PROXY_CONTROL_PORT: String(controlPort),
      HOMEPORT_CHECK_ANCHORS: 'none',
    },
  });
  const url = `http://127.0.0.1:${port}`;
  const answers = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(answers, { timeout: 60_000 }).toBe(true);
  return { url, program };
}

test('a restored console waits on every page until its owner says that it is the console now', async ({
  page,
  browser,
  homeport,
}) => {
  const person = newPerson('Bea Buoy');
  await signUp(page, person);
  const backup = join(homeport.folder, 'backup');
  const data = join(homeport.folder, 'restored');
  command('backup', backup, '--plain', '--data', join(homeport.folder, 'data'));
  command('restore', backup, '--data', data);
  const { url: baseURL, program } = await startBeside(data);
  try {
    const [owners, others] = [await browser.newContext({ baseURL }), await browser.newContext({ baseURL })];
    const ownerPage = await owners.newPage();
    await ownerPage.goto('/login');
    await signIn(ownerPage, homeport.owner);
    const button = ownerPage.getByRole('button', { name: 'This is the console now' });
    await expect(button).toBeVisible();
    await ownerPage.goto('/profile');
    const notice = ownerPage.getByText(/This console was restored from a backup of .* Stop that one first\./);
    await expect(notice).toBeVisible();
    await expectAccessible(ownerPage);
    await ownerPage.screenshot({ path: test.info().outputPath('owner.png') });
    await expectFitsPhone(ownerPage);
    await ownerPage.screenshot({ path: test.info().outputPath('owner-phone.png') });

    const otherPage = await others.newPage();
    await otherPage.goto('/login');
    await signIn(otherPage, person);
    const line = otherPage.getByText(/Until its owner confirms it, it sends no messages/);
    await expect(line).toBeVisible();
    await expect(otherPage.getByRole('button', { name: 'This is the console now' })).toBeHidden();

    await button.click();
    await expect(notice).toBeHidden();
    await otherPage.reload();
    await expect(otherPage.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(line).toBeHidden();
    await owners.close();
    await others.close();
  } finally {
    program.kill('SIGTERM');
    await new Promise((resolve) => program.once('close', resolve));
  }
});
