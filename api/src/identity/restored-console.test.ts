import { testDatabase } from '@homeport/store/testing';
import { expect, it } from 'vitest';
import { startTestApi } from '../http/testing.ts';
import { sendSecurityMails } from '../security-events/send-mails.ts';
import { startMailServer } from '../testing/mail-server.ts';

const restored = { backupAt: 1_000, restoredAt: 2_000 };

it('a restored console keeps its messages in the outbox and says so to everybody, until its owner confirms it', async () => {
  const mail = await startMailServer();
  await using api = await startTestApi({
    ...{ smtp: { url: mail.url, from: 'Homeport <console@example.com>' }, signUps: 'open' },
  });
  const ada = await api.signUp('ada');
  const eve = await api.signUp('eve');
  // Both addresses are asked for.
  const sent = 2;
  await expect.poll(() => mail.mails.length).toBe(sent);
  await api.store.pool.query('insert into restorations (backup_at, restored_at) values ($1, $2)', [
    restored.backupAt,
    restored.restoredAt,
  ]);

  for (const person of [ada, eve])
    expect((await person.call('GET /api/session')).body).toMatchObject({ restored });
  const asked = await ada.call('POST /api/auth/send-verification-email', { email: ada.email });
  expect(asked.status).toBe(200);
  await expect
    .poll(async () => (await ada.call('GET /api/outbox')).body)
    .toEqual([expect.objectContaining({ to: 'ada@example.com' })]);
  expect(mail.mails).toHaveLength(sent);

  expect((await eve.call('POST /api/console/confirm')).status).toBe(403);
  expect((await ada.call('POST /api/console/confirm')).body).toEqual({ confirmed: true });
  expect((await eve.call('GET /api/session')).body).toMatchObject({ restored: null });
  await ada.call('POST /api/auth/send-verification-email', { email: ada.email });
  await expect.poll(() => mail.mails.length).toBe(sent + 1);
  await mail.close();
});

it('security mails wait until the restored console is confirmed', async () => {
  await using database = await testDatabase();
  const { db, pool } = database.store;
  const { rows } = await pool.query<{ id: string }>(
    `insert into auth."user" (name, email, "emailVerified") values ('Ada', 'ada@example.com', true) returning id`,
  );
  await pool.query(
    `insert into security_mails (owner_id, kind, recipient, at, is_last, due_at)
     values ($1, 'password_changed', 'ada@example.com', $2, false, 0)`,
    [rows[0]?.id, 5_000],
  );
  await pool.query('insert into restorations (backup_at, restored_at) values (1, 2)');
  const sent: string[] = [];
  const send = () =>
    sendSecurityMails({
      store: { db },
      mailer: { send: async ({ to }) => String(sent.push(to)) },
      publicUrl: 'https://console.example.com',
      clock: () => 6_000,
      log: { error: (details: object) => expect(details).toBeUndefined() },
    });
  await send();
  expect(sent).toEqual([]);
  await pool.query('update restorations set confirmed_at = 3');
  await send();
  expect(sent).toEqual(['ada@example.com']);
});
