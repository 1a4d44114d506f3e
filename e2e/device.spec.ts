import { expectAccessible } from './fixtures/axe.ts';
import { newPerson, signUp } from './fixtures/person.ts';
import { expectFitsPhone } from './fixtures/phone.ts';
import { expect, test } from './fixtures/test.ts';

test('a person signs a terminal in with the code that it shows, and declines another', async ({
  page,
  homeport,
  failures,
}) => {
  failures.mayCome(/status of 40[04]/);
  const post = async (path: string, body: object) => {
    const answer = await fetch(homeport.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return answer.json();
  };
  const begin = (name: string): Promise<{ device_code: string; user_code: string }> =>
    post('/api/device', { name, platform: 'Linux x64' });
  await signUp(page, newPerson());

  const codes = await begin('laptop');
  // An address never carries the code.
  await page.goto(`/device?code=${codes.user_code}&user_code=${codes.user_code}#${codes.user_code}`);
  const code = page.getByLabel('Code');
  await expect(code).toHaveValue('');
  await expectAccessible(page);
  await page.screenshot({ path: test.info().outputPath('code.png'), fullPage: true });
  await code.fill('BDW');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('A code has 8 letters, as in BDWP-HQPK.')).toBeVisible();
  await code.fill('BBBB-BBBB');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('No terminal waits with this code.')).toBeVisible();
  await code.fill(codes.user_code.toLowerCase());
  await page.keyboard.press('Enter');

  await expect(
    page.getByRole('heading', { name: 'Did you just type homeport login on this machine?' }),
  ).toBeVisible();
  await expect(page.getByText('laptop', { exact: true })).toBeVisible();
  await expect(page.getByText('It ends after 90 days, or 30 days without use')).toBeVisible();
  // A second Enter approves nothing.
  await expect(page.getByRole('heading', { name: 'Connect a terminal' })).toBeFocused();
  await expectAccessible(page);
  await page.screenshot({ path: test.info().outputPath('review.png'), fullPage: true });
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page);
  await expectFitsPhone(page);
  const rights = page.getByText(/you approve or decline here\.$/);
  expect((await rights.boundingBox())?.width, 'what it may do has a line for itself').toBeGreaterThan(250);
  await page.screenshot({ path: test.info().outputPath('review-phone-dark.png'), fullPage: true });
  await page.emulateMedia({ colorScheme: 'light' });
  await page.getByRole('button', { name: 'Yes, sign it in' }).click();
  await expect(page.getByText('laptop is signed in. Go on in the terminal.')).toBeVisible();
  const answer = await post('/api/device/token', { device_code: codes.device_code });
  expect(answer).toMatchObject({ state: 'approved', access_token: expect.stringMatching(/^homeport_/) });

  const another = await begin('stranger');
  await page.getByRole('button', { name: 'Type another code' }).click();
  await page.getByLabel('Code').fill(another.user_code);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'No, decline' }).click();
  await expect(page.getByText('stranger was refused.')).toBeVisible();
  expect(await post('/api/device/token', { device_code: another.device_code })).toEqual({
    state: 'access_denied',
  });

  await page.goto('/profile');
  await expect(page.getByRole('region', { name: 'Programs' }).getByText(/^Terminal\. /)).toBeVisible();
});
