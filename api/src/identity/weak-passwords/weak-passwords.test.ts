import { expect, it } from 'vitest';
import { bodyOf, password, startTestApi } from '../../http/testing.ts';
import { readWeakPasswords } from './weak-passwords.ts';

const person = { name: 'Ada Lovelace', email: 'countess@example.com' };
const refused = async (typed: string) => {
  const weak = readWeakPasswords();
  try {
    weak.refuse(typed, person, 'password');
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : 'no error';
  }
};

it.each(['password', '12345678', 'Iloveyou', 'QWERTYUIOP', 'trustno1'])(
  'refuses %s as common',
  async (typed) => {
    expect(await refused(typed)).toMatch(/among the most used/);
  },
);

it.each([
  'countess@example.com',
  'countess1',
  'AdaLovelace',
  'lovelace2026',
  'homeport123',
  'homeport-homeport',
  'ada12345678',
])('refuses %s as the person’s own', async (typed) => {
  expect(await refused(typed)).toMatch(/little more than your name/);
});

it.each(['correct horse battery', 'lovelace and the engine', 'my homeport is a boat', 'zq8#mV2p'])(
  'takes %s',
  async (typed) => {
    expect(await refused(typed)).toBeNull();
  },
);

it('is asked for where a password is set, beside its field, and never where one is known already', async () => {
  await using api = await startTestApi({ signUps: 'open' });
  const account = { name: 'Ada', email: 'ada.l@example.com', password: 'password1' };
  expect(await api.visitor().call('POST /api/auth/sign-up/email', account)).toMatchObject({
    status: 400,
    body: { fields: { password: expect.stringContaining('most used') } },
  });
  const ada = await api.signUp('ada');
  expect(
    await ada.call('PUT /api/profile/password', {
      currentPassword: password,
      newPassword: 'ada@example.com',
    }),
  ).toMatchObject({ status: 400, body: { fields: { newPassword: expect.stringContaining('your name') } } });
  await api.visitor().call('POST /api/auth/request-password-reset', { email: ada.email });
  const link = () => /reset-password#token=(\S+)/.exec(api.announced.join('\n'))?.[1];
  await expect.poll(link).toBeDefined();
  const reset = { token: link(), newPassword: 'iloveyou' };
  expect(await api.visitor().call('POST /api/auth/reset-password', reset)).toMatchObject({
    status: 400,
    body: { fields: { newPassword: expect.stringContaining('most used') } },
  });
  // The link still works: the person chooses another password.
  bodyOf(
    await api.visitor().call('POST /api/auth/reset-password', { ...reset, newPassword: 'a harbour in fog' }),
    200,
  );
});
