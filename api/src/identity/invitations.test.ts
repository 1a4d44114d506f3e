import { sql } from 'kysely';
import { expect, it, vi } from 'vitest';
import { password, startTestApi, type TestApi, type TestVisitor } from '../http/testing.ts';
import { startMailServer } from '../testing/mail-server.ts';
import { wholeStore } from '../testing/whole-store.ts';

const byInvitation = { loopback: false, signUps: 'invite' } as const;

/** The link in the newest message to this address. */
async function linkFor(texts: () => string[], email: string) {
  const wanted = new RegExp(
    `(http://127[^\\s]+/signup\\?email=${encodeURIComponent(email)})#token=([\\w-]+)`,
  );
  return vi.waitFor(() => {
    const [, page = '', token = ''] = wanted.exec(texts().toReversed().join('\n')) ?? [];
    expect(token).not.toBe('');
    return { page, token };
  }, 20_000);
}

const signUp = (api: TestApi, email: string, invitation?: string, visitor = api.visitor()) =>
  visitor.call('POST /api/auth/sign-up/email', { name: 'Bea', email, password, invitation });

const statesOf = async (owner: TestVisitor) =>
  ((await owner.call('GET /api/invitations')).body as { email: string; state: string }[]).map(
    ({ email, state }) => `${email} ${state}`,
  );

it('lets its address make one account, while others are refused', async () => {
  await using api = await startTestApi(byInvitation);
  const owner = await api.signUp('ada');
  expect((await api.visitor().call('GET /api/configuration')).body).toMatchObject({ signUps: 'invite' });
  expect(await signUp(api, 'bea@example.com')).toMatchObject({
    status: 403,
    body: { code: 'not_allowed', message: 'You need an invitation to make an account on this console.' },
  });

  const made = await owner.call('POST /api/invitations', { email: 'Bea@Example.com' });
  expect(made).toMatchObject({ status: 201, body: { email: 'bea@example.com', state: 'pending' } });
  const { createdAt, expiresAt } = made.body as { createdAt: number; expiresAt: number };
  expect(expiresAt - createdAt).toBe(7 * 24 * 3_600_000);
  const { page, token } = await linkFor(() => api.announced, 'bea@example.com');
  expect(page).toBe(`${api.url}/signup?email=bea%40example.com`);

  expect(await signUp(api, 'eve@example.com', token)).toMatchObject({
    status: 400,
    body: { fields: { email: 'This invitation is for another e-mail address.' } },
  });
  expect(await statesOf(owner)).toEqual(['bea@example.com pending']);

  const bea = api.visitor();
  expect((await signUp(api, 'BEA@example.com', token, bea)).status).toBe(200);
  expect(await statesOf(owner)).toEqual(['bea@example.com accepted']);
  expect((await bea.call('GET /api/session')).body).toMatchObject({ owner: false });
  expect(await signUp(api, 'bea@example.com', token)).toMatchObject({
    status: 403,
    body: { message: 'This invitation has expired, was withdrawn or was used already.' },
  });
  expect(await owner.call('POST /api/invitations', { email: 'bea@example.com' })).toMatchObject({
    status: 409,
    body: { fields: { email: 'This address already has an account.' } },
  });
});

it('is used up by the first of two simultaneous sign-ups', async () => {
  await using api = await startTestApi(byInvitation);
  const owner = await api.signUp('ada');
  await owner.call('POST /api/invitations', { email: 'bea@example.com' });
  const { token } = await linkFor(() => api.announced, 'bea@example.com');
  const answers = await Promise.all([1, 2, 3].map(() => signUp(api, 'bea@example.com', token)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403]);
});

it('stays open when its sign-up fails', async () => {
  await using api = await startTestApi(byInvitation);
  const owner = await api.signUp('ada');
  await owner.call('POST /api/invitations', { email: 'bea@example.com' });
  const { token } = await linkFor(() => api.announced, 'bea@example.com');
  // A failure inside the same sign-up: the table of accounts refuses the name.
  await api.store.db.schema
    .alterTable('auth.user')
    .addCheckConstraint('no_bea', sql`name <> 'Bea'`)
    .execute();
  expect((await signUp(api, 'bea@example.com', token)).status).toBeGreaterThanOrEqual(400);
  expect(await statesOf(owner)).toEqual(['bea@example.com pending']);
});

it('ends when it is withdrawn, replaced or a week old', async () => {
  await using api = await startTestApi(byInvitation);
  const owner = await api.signUp('ada');
  const inviteBea = async () => {
    const { body } = await owner.call('POST /api/invitations', { email: 'bea@example.com' });
    return { id: (body as { id: string }).id, ...(await linkFor(() => api.announced, 'bea@example.com')) };
  };
  const first = await inviteBea();
  const second = await inviteBea();
  expect(second.token).not.toBe(first.token);
  expect((await signUp(api, 'bea@example.com', first.token)).status).toBe(403);

  expect(await owner.call(`POST /api/invitations/${second.id}/withdraw`)).toMatchObject({
    status: 200,
    body: { state: 'withdrawn' },
  });
  expect((await signUp(api, 'bea@example.com', second.token)).status).toBe(403);

  const third = await inviteBea();
  await api.store.db
    .updateTable('invitations')
    .set({ expires_at: Date.now() })
    .where('id', '=', third.id)
    .execute();
  expect(await statesOf(owner)).toEqual([
    'bea@example.com expired',
    'bea@example.com withdrawn',
    'bea@example.com withdrawn',
  ]);
  expect((await signUp(api, 'bea@example.com', third.token)).status).toBe(403);

  const fourth = await inviteBea();
  expect((await signUp(api, 'bea@example.com', fourth.token)).status).toBe(200);
  expect(await owner.call(`POST /api/invitations/${fourth.id}/withdraw`)).toMatchObject({
    status: 409,
    body: { message: 'This invitation was used, and its account exists.' },
  });
});

it('can be seen and made by the owner only, and only the message holds its token', async () => {
  await using api = await startTestApi(byInvitation);
  const owner = await api.signUp('ada');
  const { body } = await owner.call('POST /api/invitations', { email: 'bea@example.com' });
  const { token } = await linkFor(() => api.announced, 'bea@example.com');
  const bea = api.visitor();
  await signUp(api, 'bea@example.com', token, bea);
  expect((await bea.call('GET /api/invitations')).status).toBe(403);
  expect((await bea.call('POST /api/invitations', { email: 'eve@example.com' })).status).toBe(403);
  expect((await bea.call(`POST /api/invitations/${(body as { id: string }).id}/withdraw`)).status).toBe(403);

  await api.store.db.deleteFrom('outbox_messages').execute();
  const kept = [await wholeStore(api.store.db), JSON.stringify(body), ...api.logged].join('\n');
  expect(kept).toContain('bea@example.com');
  expect(kept).not.toContain(token);
});

it('does not help and cannot be made where sign-up is closed', async () => {
  await using api = await startTestApi({ loopback: false, signUps: 'closed' });
  const owner = await api.signUp('ada');
  expect(await owner.call('POST /api/invitations', { email: 'bea@example.com' })).toMatchObject({
    status: 409,
    body: { code: 'conflict', message: 'Sign-up is closed on this console, so invitations do not work.' },
  });
  expect(await signUp(api, 'bea@example.com', 'x')).toMatchObject({
    status: 403,
    body: { message: 'This console does not take new accounts.' },
  });
});

it('does no harm where everybody may sign up', async () => {
  await using api = await startTestApi({ loopback: false, signUps: 'open' });
  const owner = await api.signUp('ada');
  await owner.call('POST /api/invitations', { email: 'bea@example.com' });
  const { token } = await linkFor(() => api.announced, 'bea@example.com');
  expect((await signUp(api, 'eve@example.com', token)).status).toBe(200);
  expect(await statesOf(owner)).toEqual(['bea@example.com pending']);
  expect((await signUp(api, 'bea@example.com', token)).status).toBe(200);
  expect(await statesOf(owner)).toEqual(['bea@example.com accepted']);
});

it('is sent at most twenty times an hour', async () => {
  await using api = await startTestApi(byInvitation);
  const owner = await api.signUp('ada');
  const answers = [];
  for (let i = 0; i < 21; i += 1)
    answers.push(await owner.call('POST /api/invitations', { email: `guest${i}@example.com` }));
  expect(answers.map(({ status }) => status)).toEqual([...Array(20).fill(201), 429]);
  expect(answers[20]?.body).toMatchObject({ code: 'too_many', retryAfterSeconds: expect.any(Number) });
});

it('proves the address when a mail server delivered it, and not when it came from the outbox', async () => {
  const mail = await startMailServer();
  try {
    await using api = await startTestApi({
      ...byInvitation,
      smtp: { url: mail.url, from: 'Homeport <console@example.com>' },
    });
    const owner = await api.signUp('ada');
    await owner.call('POST /api/invitations', { email: 'bea@example.com' });
    const { token } = await linkFor(() => mail.mails.map(({ text }) => text), 'bea@example.com');
    const bea = api.visitor();
    await signUp(api, 'bea@example.com', token, bea);
    expect((await bea.call('GET /api/session')).body).toMatchObject({ user: { emailVerified: true } });
    // There is no second message that asks to verify the address.
    expect(mail.mails.filter(({ to }) => to.includes('bea@example.com'))).toHaveLength(1);
  } finally {
    await mail.close();
  }

  await using api = await startTestApi(byInvitation);
  const owner = await api.signUp('ada');
  await owner.call('POST /api/invitations', { email: 'bea@example.com' });
  const { token } = await linkFor(() => api.announced, 'bea@example.com');
  const bea = api.visitor();
  // A caller's own claim does not count.
  const forged = { 'x-homeport-proven-address': 'yes' };
  const account = { name: 'Bea', email: 'bea@example.com', password, invitation: token };
  await bea.call('POST /api/auth/sign-up/email', account, forged);
  expect((await bea.call('GET /api/session')).body).toMatchObject({ user: { emailVerified: false } });
});

it('is not kept when the mail server refuses the message', async () => {
  await using api = await startTestApi({
    ...byInvitation,
    smtp: { url: 'smtp://127.0.0.1:1', from: 'console@example.com' },
  });
  const owner = await api.signUp('ada');
  expect(await owner.call('POST /api/invitations', { email: 'bea@example.com' })).toMatchObject({
    status: 503,
    body: { code: 'unavailable', message: 'The mail server did not take the message.' },
  });
  expect(await statesOf(owner)).toEqual([]);
});

it('leaves the earlier invitation of the address as it was when the mail server refuses the new one', async () => {
  let refuses = false;
  const mail = await startMailServer(() => (refuses ? { code: 451, text: 'try later' } : null));
  try {
    const smtp = { url: mail.url, from: 'console@example.com' };
    await using api = await startTestApi({ ...byInvitation, smtp });
    const owner = await api.signUp('ada');
    await owner.call('POST /api/invitations', { email: 'bea@example.com' });
    const { token } = await linkFor(() => mail.mails.map(({ text }) => text), 'bea@example.com');
    refuses = true;
    expect((await owner.call('POST /api/invitations', { email: 'bea@example.com' })).status).toBe(503);
    expect(await statesOf(owner)).toEqual(['bea@example.com pending']);
    expect((await signUp(api, 'bea@example.com', token)).status).toBe(200);
  } finally {
    await mail.close();
  }
});
