import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { password, startTestApi, type TestApi } from '../http/testing.ts';
import { type Mail, startMailServer } from '../testing/mail-server.ts';

const tokenIn = (text: string, page: string) => new RegExp(`${page}#token=([\\w.-]+)`).exec(text)?.[1] ?? '';

describe('identity over a real mail server', () => {
  let mail: Awaited<ReturnType<typeof startMailServer>>;
  let api: TestApi;
  beforeAll(async () => {
    mail = await startMailServer();
    api = await startTestApi({ smtp: { url: mail.url, from: 'Homeport <console@example.com>' } });
  });
  afterAll(async () => {
    await api[Symbol.asyncDispose]();
    await mail.close();
  });
  const nextMail = (count: number) =>
    vi.waitFor(() => {
      expect(mail.mails).toHaveLength(count);
      return mail.mails[count - 1] as Mail;
    }, 20_000);

  it('signs up, verifies, signs out and in, and sets a new password', async () => {
    const ada = await api.signUp('ada');
    expect((await ada.call('GET /api/session')).body).toMatchObject({
      user: { name: 'ada', email: 'ada@example.com', emailVerified: false, avatar: null },
      owner: true,
      githubLinked: false,
      mailConfigured: true,
    });

    const welcome = await nextMail(1);
    expect(welcome.to).toEqual(['ada@example.com']);
    const token = tokenIn(welcome.text, '/verify-email');

    expect((await ada.call('POST /api/auth/sign-out')).status).toBe(200);
    expect((await ada.call('GET /api/session')).status).toBe(401);

    const wrong = await ada.call('POST /api/auth/sign-in/email', {
      email: ada.email,
      password: 'not the one',
    });
    expect(wrong).toMatchObject({ status: 401, body: { code: 'not_signed_in' } });
    expect((await ada.call('POST /api/auth/sign-in/email', { email: ada.email, password })).status).toBe(200);
    expect(tokenIn((await nextMail(2)).text, '/verify-email')).not.toBe('');

    expect((await ada.call('POST /api/auth/verify-email', { token: `${token}x` })).body).toMatchObject({
      code: 'invalid_input',
      message: 'This link has expired or has been used.',
    });
    expect((await ada.call('POST /api/auth/verify-email', { token })).status).toBe(200);
    expect((await ada.call('GET /api/session')).body).toMatchObject({ user: { emailVerified: true } });

    const unknown = await ada.call('POST /api/auth/request-password-reset', { email: 'nobody@example.com' });
    const known = await ada.call('POST /api/auth/request-password-reset', { email: ada.email });
    expect(known.body).toEqual(unknown.body);
    const resetToken = tokenIn((await nextMail(3)).text, '/reset-password');
    const change = { token: resetToken, newPassword: 'another long password' };
    expect((await api.visitor().call('POST /api/auth/reset-password', change)).status).toBe(200);
    expect((await ada.call('GET /api/session')).status).toBe(401);
    expect((await api.visitor().call('POST /api/auth/reset-password', change)).status).toBe(400);

    expect((await ada.call('POST /api/auth/sign-in/email', { email: ada.email, password })).status).toBe(401);
    const again = await ada.call('POST /api/auth/sign-in/email', {
      email: ada.email,
      password: change.newPassword,
    });
    expect(again.status).toBe(200);
    expect(mail.mails).toHaveLength(3);

    const everything = api.logged.join('\n');
    for (const secret of [password, change.newPassword, token, resetToken])
      expect(everything).not.toContain(secret);
  });
});
